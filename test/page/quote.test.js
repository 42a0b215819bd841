// Quotes as people see them, and what the verify panel makes of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { alice, carol, deep, links, visit } from "./browser.js";

const answers = {
  public: { gets: "997 USDC", chips: ["Inbound", "DIRECT"], hops: ["Ethereum", "PulseChain"] },
  outbound: { gets: "995 USDC", chips: ["Outbound", "DIRECT"], hops: ["PulseChain", "BNB Smart Chain"] },
  native: { gets: "1.4955 WETH", chips: ["Inbound", "DIRECT"], hops: ["Base", "PulseChain"] },
  cctp: { gets: "2,492.5 USDC", chips: ["Inbound", "CCTP_INBOUND"], hops: ["Arbitrum One", "Base", "PulseChain"] },
  refund: { gets: "997 USDC", chips: ["Inbound", "DIRECT"], hops: ["Ethereum", "PulseChain"] },
  shielding: { gets: "497.5 USDC", chips: ["Shielding", "DIRECT"], hops: ["Ethereum", "Privacy pool on Ethereum"] },
  unshielding: { gets: "746.25 USDC", chips: ["Unshielding", "DIRECT"], hops: ["Privacy pool on Ethereum", "Base"] },
};

for (const [kind, want] of Object.entries(answers)) {
  test(`a deep link to a ${kind} swap is quoted at once, and proved`, async (t) => {
    const { page, go, shown, verdict, close } = await visit();
    await go(deep(links[kind]));
    await shown();
    assert.match(await page.locator(".side").nth(1).innerText(), new RegExp(want.gets.replace(".", "\\.")));
    assert.deepEqual((await page.locator(".summary .chip").allInnerTexts()).slice(0, 2), want.chips);
    assert.deepEqual(await page.locator(".hops strong").allInnerTexts(), want.hops);
    assert.equal(await page.locator(".verdict").getAttribute("class"), "verdict ok");
    assert.match(await verdict(), /^Proved/);
    assert.match(await page.locator(".summary .facts").innerText(), /Contract/);
    assert.equal(await page.locator(".summary").getByRole("button", { name: "Copy" }).count(), 0, "no address to copy beside an amount");
    const took = await page.evaluate(() => {
      const answer = performance.getEntriesByType("resource").find((e) => e.name.includes("/v3/swap/quote"));
      return performance.getEntriesByName("drawn")[0].startTime - answer.responseEnd;
    });
    t.diagnostic(`shown ${Math.round(took)} ms after the answer`);
    await close();
  });
}

test("the fee split shows the integrator's share", async () => {
  const { page, go, shown, verdict, close } = await visit();
  await go(deep(links.public, { integratorId: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" }));
  await shown();
  const legend = await page.locator(".legend").innerText();
  for (const part of ["994.5 USDC", "3 USDC · 0.3 %", "2.5 USDC · 0.25 %"]) assert.ok(legend.includes(part), legend);
  assert.match(await verdict(), /integrator’s rate/);
  await close();
});

test("an address for refunds is shown in the call, beside its bytes, and in what programs need", async () => {
  const { page, go, shown, close } = await visit();
  await go(deep(links.refund));
  await shown();
  assert.match(await page.locator(".summary .facts").innerText(), new RegExp(`Refund\\s+${carol}`));
  assert.match(await page.locator(".group", { hasText: "Call" }).first().innerText(), /swapFor\(.*address refundTo\)/);
  await page.locator("button.check", { has: page.getByText("refundTo", { exact: true }) }).hover();
  assert.equal(await page.locator(".segment.on").innerText(), carol.slice(2).toLowerCase().padStart(64, "0") + "\n");
  await page.getByRole("tab", { name: "Integrate" }).click();
  const filled = { viem: `refundTo: '${carol}',`, ethers: `refundTo: '${carol}',`, Safe: `refundTo: '${carol}',`, "go-ethereum": `&refundTo=${carol}"`, cast: `--refund-to ${carol})` };
  for (const [name, says] of Object.entries({ curl: `&refundTo=${carol}`, Go: `&refundTo=${carol}`, TypeScript: `refundTo: "${carol}",`, ...filled })) {
    await page.getByRole("tab", { name, exact: true }).click();
    const text = await page.locator(".snippet pre:visible").innerText();
    assert.ok(text.includes(says), text);
    assert.doesNotMatch(text, /127\.0\.0\.1:8080|25500000|dstChain.{1,4}8453|USDC@8453/, `${name} has the request of the form, not the one of the file`);
  }
  await close();
});

test("pointing at a check marks its bytes, and pointing at bytes marks their check", async () => {
  const { page, go, shown, close } = await visit();
  await go(deep(links.cctp));
  await shown();
  await page.locator("button.check", { has: page.getByText("hookData.recipient", { exact: true }) }).hover();
  assert.equal(await page.locator(".segment.on").innerText(), alice.slice(2).toLowerCase() + "\n");
  await page.locator(".segment", { hasText: "09502f900" }).first().hover();
  assert.equal(await page.locator(".check.on .name").innerText(), "amount");
  await close();
});

test("the checks are one stop for the Tab key, and arrows walk through them", async () => {
  const { page, go, shown, close } = await visit();
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

test("every byte of every call belongs to a row", async () => {
  const { page, go, shown, close } = await visit();
  for (const link of Object.values(links)) {
    await go(deep(link));
    await shown();
    const sizes = await page.locator(".bytes figure").evaluateAll((figures) => figures.map((f) => [Number(/(\d+) bytes/.exec(f.innerText)[1]), f.querySelector("pre").textContent.replace(/\s|0x/g, "").length / 2]));
    for (const [said, drawn] of sizes) assert.equal(drawn, said);
  }
  await close();
});
