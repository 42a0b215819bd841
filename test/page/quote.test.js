// Quotes as people see them, and what the verify panel makes of them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { alice, deep, launch, links, visit } from "./browser.js";

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser.close());

const answers = {
  public: { gets: "997 USDC", chips: ["Inbound", "DIRECT"], hops: ["Ethereum", "PulseChain"] },
  outbound: { gets: "995 USDC", chips: ["Outbound", "DIRECT"], hops: ["PulseChain", "BNB Smart Chain"] },
  native: { gets: "1.4955 WETH", chips: ["Inbound", "DIRECT"], hops: ["Base", "PulseChain"] },
  cctp: { gets: "2,492.5 USDC", chips: ["Inbound", "CCTP_INBOUND"], hops: ["Arbitrum One", "Base", "PulseChain"] },
  shielding: { gets: "497.5 USDC", chips: ["Shielding", "DIRECT"], hops: ["Ethereum", "Privacy pool on Ethereum"] },
  unshielding: { gets: "746.25 USDC", chips: ["Unshielding", "DIRECT"], hops: ["Privacy pool on Ethereum", "Base"] },
};

for (const [kind, want] of Object.entries(answers)) {
  test(`a deep link to a ${kind} swap is quoted at once, and every check passes`, async (t) => {
    const { page, go, shown, verdict, close } = await visit(browser);
    await go(deep(links[kind]));
    await shown();
    assert.match(await page.locator(".side").nth(1).innerText(), new RegExp(want.gets.replace(".", "\\.")));
    assert.deepEqual((await page.locator(".summary .chip").allInnerTexts()).slice(0, 2), want.chips);
    assert.deepEqual(await page.locator(".hops strong").allInnerTexts(), want.hops);
    assert.match(await verdict(), /^All \d+ checks pass\.$/);
    assert.ok((await page.evaluate(() => window.shift)) < 0.01, "the page moved under its reader");
    const took = await page.evaluate(() => {
      const answer = performance.getEntriesByType("resource").find((e) => e.name.includes("/v3/swap/quote"));
      return performance.getEntriesByName("drawn")[0].startTime - answer.responseEnd;
    });
    t.diagnostic(`shown ${Math.round(took)} ms after the answer`);
    await close();
  });
}

test("the fee split shows the integrator's share", async () => {
  const { page, go, shown, verdict, close } = await visit(browser);
  await go(deep(links.public, { integratorId: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" }));
  await shown();
  const legend = await page.locator(".legend").innerText();
  for (const part of ["994.5 USDC", "3 USDC · 0.3 %", "2.5 USDC · 0.25 %"]) assert.ok(legend.includes(part), legend);
  assert.match(await verdict(), /1 cannot be made in a browser/);
  await close();
});

test("pointing at a check marks its bytes, and pointing at bytes marks their check", async () => {
  const { page, go, shown, close } = await visit(browser);
  await go(deep(links.cctp));
  await shown();
  await page.locator("button.check", { has: page.getByText("hook.recipient", { exact: true }) }).hover();
  assert.equal(await page.locator(".segment.on").innerText(), alice.slice(2).toLowerCase() + "\n");
  await page.locator(".segment", { hasText: "09502f900" }).first().hover();
  assert.equal(await page.locator(".check.on .name").innerText(), "amount");
  await close();
});

test("the checks are one stop for the Tab key, and arrows walk through them", async () => {
  const { page, go, shown, close } = await visit(browser);
  await go(deep(links.public));
  await shown();
  assert.equal(await page.locator("button.check[tabindex='0']").count(), 1);
  await page.locator("button.check[tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".check.on .name").innerText(), "dstChain");
  assert.equal(await page.locator(".segment.on").count(), 1);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".check[aria-pressed=true] .name").innerText(), "dstChain");
  await close();
});

// Each alteration is made on the way, as whoever sits between could.
const tampering = {
  "another recipient": (q) => (q.methodParameters.calldata = q.methodParameters.calldata.replace(alice.slice(2).toLowerCase(), "90f79bf6eb2c4f870365e785982e1f101e93b906")),
  "another contract": (q) => (q.to = q.approval.spender = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"),
  "a larger approval": (q) => (q.approval.calldata = q.approval.calldata.slice(0, 74) + "f".repeat(64)),
  "a value where none is due": (q) => (q.methodParameters.value = "0xde0b6b3a7640000"),
  "less than the fees leave": (q) => (q.destAmount = "900000000"),
  "a byte more": (q) => (q.methodParameters.calldata += "00"),
  "a field nobody knows": (q) => (q.permit = "0x01"),
};

for (const [name, alter] of Object.entries(tampering)) {
  test(`an answer with ${name} is red and cannot be sent`, async () => {
    const { page, go, shown, verdict, close } = await visit(browser, { route: tamper(alter) });
    await go(deep(links.public));
    await shown();
    assert.match(await verdict(), /checks fail\. Do not sign this\.$/);
    assert.ok((await page.locator(".check.bad").count()) > 0);
    assert.ok(await page.locator(".group.bad[open]").count());
    await page.getByRole("tab", { name: "Send" }).click();
    assert.match(await page.locator(".send").innerText(), /cannot be sent/);
    assert.equal(await page.getByRole("button", { name: "Send this swap" }).count(), 0);
    await close();
  });
}

const tamper = (alter) => (page) =>
  page.route("**/v3/swap/quote?*", async (route) => {
    const response = await route.fetch();
    const quote = await response.json();
    alter(quote);
    await route.fulfill({ response, json: quote });
  });

test("a shielded recipient that was exchanged is red", async () => {
  const npk = 2 + 2 * 228;
  const exchange = (call) => call.slice(0, npk) + [...call.slice(npk, npk + 64)].reverse().join("") + call.slice(npk + 64);
  const { go, shown, verdict, page, close } = await visit(browser, { route: tamper((q) => (q.methodParameters.calldata = exchange(q.methodParameters.calldata))) });
  await go(deep(links.shielding));
  await shown();
  assert.match(await verdict(), /Do not sign/);
  assert.ok((await page.locator(".check.bad .name").allInnerTexts()).includes("recipient.npk"));
  await close();
});

test("what programs need can be copied, and a proof is not kept", async () => {
  const { page, go, shown, close } = await visit(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  await go(deep(links.shielding));
  await shown();
  await page.getByRole("tab", { name: "Integrate" }).click();
  const copied = async (name) => {
    await page.getByRole("tab", { name, exact: true }).click();
    await page.locator("[role=tabpanel]:visible .snippet").getByRole("button").click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const quote = JSON.parse(await copied("JSON"));
  assert.equal(quote.proof, undefined);
  assert.equal(quote.destAmount, "497500000");
  const curl = await copied("curl");
  assert.equal((await (await fetch(/'(.+)'/.exec(curl)[1])).json()).to, quote.to);
  writeFileSync(`${process.env.HUBQUOTE_OUT}/snippet.go`, await copied("Go"));
  assert.match(await copied("TypeScript"), /import { quote } from "hubquote"/);
  assert.equal(JSON.parse(await copied("Calls")).calls.length, 3);
  await close();
});
