// A browser that complains: about anything the page logs as an error, and about
// any request to another host than its own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after } from "node:test";
import { chromium } from "playwright-core";
import { options } from "./chromium.js";

export const base = process.env.HUBQUOTE_URL;
export const limited = process.env.HUBQUOTE_LIMITED_URL;
export const devnet = process.env.HUBQUOTE_DEVNET_URL;

export const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const carol = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
export const zk = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990";

export const links = {
  public: { srcChain: 1, srcToken: "USDC", dstChain: 369, dstToken: "USDC", amount: "1000000000", recipient: alice },
  outbound: { srcChain: 369, srcToken: "USDC", dstChain: 56, dstToken: "USDC", amount: "1000000000", recipient: alice },
  native: { srcChain: 8453, srcToken: "ETH", dstChain: 369, dstToken: "WETH", amount: "1500000000000000000", recipient: alice },
  cctp: { srcChain: 42161, srcToken: "USDC", dstChain: 369, dstToken: "USDC", amount: "2500000000", recipient: alice },
  shielding: { srcChain: 1, srcToken: "USDT", dstChain: 69696969, dstToken: "USDC", amount: "500000000", recipient: zk },
  refund: { srcChain: 1, srcToken: "USDC", dstChain: 369, dstToken: "USDC", amount: "1000000000", recipient: alice, refundTo: carol },
  unshielding: { srcChain: 69696969, srcToken: "USDC", dstChain: 8453, dstToken: "USDC", amount: "750000000", recipient: alice },
};

export const deep = (request, change = {}) => `/?${new URLSearchParams({ ...request, ...change })}`;

let browser; // which all visits of this process share

const opened = () => (browser ??= process.env.BROWSER ? chromium.connect(process.env.BROWSER) : chromium.launch(options));
after(async () => (await browser)?.close());

/** tamper changes quotes on the way: alter(quote) edits one, or returns another. */
export const tamper = (alter) => (page) =>
  page.route("**/v3/swap/quote?*", async (route) => {
    const response = await route.fetch();
    const quote = await response.json();
    await route.fulfill({ response, json: (await alter(quote)) ?? quote });
  });

// Pages that were visited and are free again, by the settings of their context.
const free = new Map();

async function newPage(settings) {
  const context = await (await opened()).newContext({ viewport: { width: 1440, height: 900 }, ...settings });
  return context.newPage();
}

// blank takes back what a visit did to its page.
async function blank(page, undo, { colorScheme = null }) {
  await page.goto("about:blank"); // first: what the page did until now still counts
  for (const type of ["console", "pageerror", "request", "response", "requestfinished"]) page.removeAllListeners(type);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.emulateMedia({ colorScheme });
  for (const done of undo) await done.dispose();
}

/**
 * visit opens a page. Its close() fails if the page logged an error or asked another
 * host; a refusal of the API that the test provokes is said with refused, the status
 * it has. The next visit with the same settings has the same tab, which takes less time
 * than a new one, unless the test asks for one alone: a clock or a cold cache cannot be
 * taken back.
 */
export async function visit({ server = base, refused = [], init, route, alone = false, ...settings } = {}) {
  const kind = JSON.stringify(settings);
  const page = (!alone && free.get(kind)?.pop()) || (await newPage(settings));
  const faults = [];
  const undo = [];
  for (const way of ["addInitScript", "exposeFunction"]) {
    page[way] = async (...args) => void undo.push(await Object.getPrototypeOf(page)[way].apply(page, args));
  }
  page.on("console", (m) => {
    const expected = refused.some((what) => (what instanceof RegExp ? what.test(m.text()) : m.text().includes(String(what))));
    if (["error", "warning"].includes(m.type()) && !expected) faults.push(`console: ${m.text()}`);
  });
  page.on("pageerror", (e) => faults.push(`script: ${e.stack}`));
  page.on("request", (r) => {
    if (!r.url().startsWith(`${server}/`) && !r.url().startsWith("data:") && r.url() !== "about:blank") faults.push(`request: ${r.url()}`);
  });
  if (init) await page.addInitScript(...init);
  if (route) await route(page);
  return {
    page,
    go: (path, options) => page.goto(server + path, options),
    shown: () => page.locator("#result[aria-busy=false]:not(.stale) .verdict").waitFor(),
    verdict: () => page.locator("#result .verdict").first().innerText(),
    hint: (param) => page.locator(`#${param}-hint`).innerText(),
    async close() {
      if (alone) await page.context().close();
      else {
        await blank(page, undo, settings);
        free.set(kind, [...(free.get(kind) ?? []), page]);
      }
      assert.deepEqual(faults, []);
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** colours are the rules of axe-core that depend on them: the others find the same in light and in dark. */
export const colours = ["color-contrast", "link-in-text-block"];

/** accessible fails on whatever axe-core finds, or what these of its rules do. */
export async function accessible(page, where, rules) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) }), rules);
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join("; ")}`), [], where);
}
