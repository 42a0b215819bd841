// The server's lists against its pins: what does not agree is not offered, so
// that no figure of the form depends on something that was not compared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { base, deep, links, visit } from "./browser.js";

// source imports one of the page's sources, with the client that it is served with.
async function source(name) {
  const client = { name: "client", setup: (b) => b.onResolve({ filter: /^\/page\/js\/client\.js$/ }, () => ({ path: new URL("../../web/static/js/client.js", import.meta.url).pathname })) };
  const { outputFiles } = await build({ entryPoints: [new URL(`../../web/src/${name}`, import.meta.url).pathname], bundle: true, write: false, format: "esm", plugins: [client] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const alterations = {
  "the source's decimals": (r) => (r.srcToken.decimals = r.limits.decimals = 8),
  "the destination's decimals": (r) => (r.destToken.decimals = 18),
  "the limits' decimals": (r) => (r.limits.decimals = 8),
  "decimals as text": (r) => (r.srcToken.decimals = r.limits.decimals = "6"),
  "the source's address": (r) => (r.srcToken.address = r.router),
  "the destination's address": (r) => (r.destToken.address = r.router),
  "the source's network": (r) => (r.srcToken.chainId = 56),
  "the destination's network": (r) => (r.destToken.chainId = 1),
  "the least amount": (r) => (r.limits.min = "1"),
  "the largest amount": (r) => (r.limits.max = "25000000000000"),
  "an amount as a number": (r) => (r.limits.min = 10000000),
  "the limits' token": (r) => (r.limits.token = "ETH"),
  "the kind of recipient": (r) => (r.recipientType = 2),
  "the contract": (r) => (r.router = r.srcToken.address),
  "the kind of contract": (r) => (r.type = "CCTP_INBOUND"),
  "the fee": (r) => (r.fee.percentage = 0.2),
  "the chain of the fee": (r) => (r.fee.chainId = 1),
  "a destination that is not pinned": (r) => (r.dstChain = 137),
  "a chain as text": (r) => (r.srcChain = "1"),
  "a symbol in other letters": (r) => (r.srcToken.symbol = r.limits.token = "usdc"),
  "no limits": (r) => delete r.limits,
  "no token": (r) => delete r.srcToken,
};

const get = async (path) => (await fetch(base + path)).json();

test("each route agrees with the pins, and none does with one of its figures altered", async (t) => {
  const { compare } = await source("routes.js");
  const [{ data }, pins] = await Promise.all([get("/v3/app/routes"), get("/page/pins.json")]);
  assert.equal(compare(data, pins).others.length, 0);
  for (const [name, alter] of Object.entries(alterations)) {
    await t.test(name, () => {
      const routes = structuredClone(data);
      alter(routes[0]);
      const { agreed, others } = compare(routes, pins);
      assert.deepEqual([agreed.length, others], [data.length - 1, [routes[0]]]);
    });
  }
});

// serve changes one of the server's lists on the way.
const serve = (path, alter) => (page) => page.route(`**${path}`, async (route) => {
  const response = await route.fetch();
  const list = await response.json();
  alter(list.data);
  await route.fulfill({ response, json: list });
});

test("a route that does not agree is not offered, and the page says so", async () => {
  const { page, go, close } = await visit({ route: serve("/v3/app/routes", (routes) => alterations["the source's decimals"](routes[0])) });
  await go("/");
  await page.locator("#unoffered").waitFor();
  assert.match(await page.locator("#unoffered").innerText(), /^1 of the server’s pairs is not offered/);
  await page.locator(".example").first().waitFor();
  await page.selectOption("#srcChain", "1");
  await page.selectOption("#srcToken", "USDC");
  const places = await page.locator("#dstChain option").evaluateAll((options) => options.map((o) => o.value));
  assert.ok(places.length > 0 && !places.includes("369"), `offered are ${places}`);
  await close();
});

test("a deep link to a route that does not agree shows no quote", async () => {
  const { page, go, close } = await visit({ route: serve("/v3/app/routes", (routes) => alterations["the source's decimals"](routes[0])) });
  await go(deep(links.public));
  await page.locator("#form-error p").waitFor();
  assert.equal(await page.locator("#result .verdict").count(), 0);
  await close();
});

test("a contract that does not agree is not listed, and the explorer says so", async () => {
  const stranger = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
  const { page, go, close } = await visit({ route: serve("/v3/app/routers", (routers) => (routers[0].router = stranger)) });
  await go("/#explorer");
  await page.locator("#contract-table tr").first().waitFor();
  assert.match(await page.locator("#explorer-error").innerText(), /^1 of the server’s \d+ contracts is not listed/);
  assert.ok(!(await page.content()).includes(stranger));
  await close();
});

test("a route says what its pools can pay, in words of the page", async () => {
  const { availability, isOff } = await source("liquidity.js");
  const destToken = { symbol: "USDC", decimals: 6 };
  for (const [route, words, off] of [
    [{}, "", false],
    [{ available: "1234500000" }, "Up to 1,234.5 USDC can be paid now.", false],
    [{ available: "0", paused: true, reason: "POOL_PAUSED" }, "Not available now: a pool is paused.", true],
    [{ available: "0", paused: true, reason: "POOL_SHORT" }, "Not available now: the pool that pays is empty.", true],
    [{ available: "0", paused: true, reason: "POOL_CAPPED" }, "Not available now: the pool that pays has reached its limit for today.", true],
    [{ available: "0" }, "Not available now: its pools cannot pay.", true],
    [{ paused: true, reason: "<b>" }, "Not available now: its pools cannot pay.", true],
    [{ available: "1e9" }, "", false],
    [{ available: 5 }, "", false],
    [{ paused: "yes" }, "", false],
  ]) {
    assert.deepEqual([availability({ ...route, destToken }), isOff(route)], [words, off]);
  }
});

test("a destination that cannot be paid is shown, and cannot be picked", async () => {
  const { page, go, hint, close } = await visit({ route: serve("/v3/app/routes", (routes) => {
    for (const r of routes) Object.assign(r, r.srcChain === 369 && r.dstChain === 56 ? { paused: true, reason: "ROUTE_CLOSED" } : { available: "1234500000" });
  }) });
  await go("/");
  await page.locator(".example").first().waitFor();
  await page.selectOption("#srcChain", "369");
  await page.selectOption("#srcToken", "USDC");
  await page.selectOption("#dstChain", "8453");
  assert.equal(await hint("dstToken"), "Up to 1,234.5 USDC can be paid now.");
  const off = await page.locator("#dstChain option[disabled]").evaluateAll((options) => options.map((o) => [o.value, o.textContent]));
  assert.deepEqual(off, [["56", "BNB Smart Chain · 56 · not available now"]]);
  await close();
});

test("what has changed since the page was opened is shown when a pool refuses, and in time", async () => {
  let now = {};
  const { page, go, shown, close } = await visit({ refused: [503], alone: true, route: async (page) => {
    await page.clock.install();
    await serve("/v3/app/routes", (routes) => routes.forEach((r) => Object.assign(r, r.srcChain === 1 && r.dstChain === 369 ? now : {})))(page);
    await page.route("**/v3/swap/quote?*", (r) => (now.paused ? r.fulfill({ status: 503, json: { errors: [{ code: "POOL_PAUSED", detail: "a pool of this route is paused: try again later" }] } }) : r.fallback()));
  } });
  await go(deep(links.public));
  await shown();
  const hint = page.locator("#dstToken-hint");
  assert.equal(await hint.innerText(), "");
  now = { available: "0", paused: true, reason: "POOL_PAUSED" };
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.waitForFunction(() => document.getElementById("dstToken-hint").textContent.startsWith("Not available now: a pool is paused."));
  now = {};
  await page.clock.runFor(31_000);
  await page.waitForFunction(() => document.getElementById("dstToken-hint").textContent === "");
  await close();
});
