// While a swap is sent: the form is locked, one sequence runs at a time, and it
// goes no further than the answer that is shown allows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { alice, deep, links, visit } from "./browser.js";
import { Ledger, wallet } from "./ledger.js";

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

// ready opens a quote and stands before the button, with enough money.
async function ready(request = links.public) {
  const ledger = new Ledger();
  ledger.fund(1, usdc, account, 5_000_000_000n);
  const v = await visit({ refused: [/Failed to load/], route: (page) => wallet(page, ledger, account) });
  await v.go(deep(request));
  await v.shown();
  for (const box of await v.page.getByRole("checkbox").all()) await box.check();
  await v.page.getByRole("tab", { name: "Send" }).click();
  await v.page.getByRole("button", { name: "Test wallet" }).click();
  const press = (name) => v.page.getByRole("button", { name, exact: true }).click();
  const step = (state, label) => v.page.locator(`.steps li.${state}`, { hasText: label }).waitFor();
  return { ...v, ledger, press, step };
}

// hold makes the wallet wait with its answers to a method; release lets it go on.
function hold(ledger, method) {
  let release;
  ledger.waits.set(method, new Promise((done) => (release = done)));
  return () => (ledger.waits.delete(method), release());
}

const kinds = (ledger) => ledger.sent.map((t) => t.kind);
const controls = ["#amount", "#srcToken", "#srcChain", "#dstToken", "#dstChain", "#recipient", "#refundTo", "#integratorId", "#flip", "#least", "#most", "#ask"];
const enabled = async (page) => (await Promise.all(controls.map(async (c) => ((await page.locator(c).isEnabled()) ? c : "")))).filter(Boolean);

test("the form is locked from Send until the swap is sent", async () => {
  const { page, ledger, press, step, close } = await ready();
  const before = await enabled(page);
  assert.deepEqual(before, controls);
  const release = hold(ledger, "eth_sendTransaction");
  await press("Send this swap");
  await step("doing", "Waiting for the wallet");
  assert.deepEqual(await enabled(page), []);
  assert.match(await page.locator("#ask-hint").innerText(), /locked/);
  release();
  await step("done", "Send the swap");
  await page.locator("#ask:enabled").waitFor();
  assert.deepEqual(await enabled(page), before);
  assert.equal(await page.locator("#ask-hint").innerText(), "");
  assert.deepEqual(kinds(ledger), ["approve", "swap"]);
  await close();
});

test("the explorer does not change a locked form", async () => {
  const { page, ledger, press, step, close } = await ready();
  const release = hold(ledger, "eth_sendTransaction");
  await press("Send this swap");
  await step("doing", "Waiting for the wallet");
  await page.evaluate(() => (location.hash = "explorer"));
  await page.getByRole("button", { name: /^WETH on PulseChain/ }).click();
  await page.getByRole("link", { name: "ETH on Robinhood Chain" }).first().click();
  assert.deepEqual([await page.inputValue("#srcToken"), await page.inputValue("#dstChain")], ["USDC", "369"]);
  release();
  await step("done", "Send the swap");
  await close();
});

test("an answer that comes while a swap is sent does not take its place", async () => {
  const { page, ledger, press, step, close } = await ready();
  let answer;
  const held = new Promise((done) => (answer = done));
  await page.route("**/quote?*", async (r) => {
    await held;
    await r.continue().catch(() => {}); // the page gave up on it
  });
  const release = hold(ledger, "eth_sendTransaction");
  await press("Get quote");
  await press("Send this swap");
  await step("doing", "Waiting for the wallet");
  answer();
  release();
  await step("done", "Send the swap");
  assert.deepEqual(kinds(ledger), ["approve", "swap"]);
  await close();
});

// change puts another recipient into the form in spite of the lock.
const change = (page) => page.locator("#recipient").evaluate((field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input"));
}, bob);

test("a form that is changed in spite of the lock stops the next transaction, in view", async () => {
  const { page, ledger, press, step, close } = await ready();
  const release = hold(ledger, "eth_sendTransaction");
  await press("Send this swap");
  await step("doing", "Waiting for the wallet");
  await change(page);
  release();
  await step("failed", "no longer asks for this quote");
  assert.deepEqual(kinds(ledger), ["approve"]);
  assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
  await close();
});

test("what is no longer accepted stops the next transaction", async () => {
  const { page, ledger, press, step, close } = await ready({ ...links.public, integratorId: bob });
  const release = hold(ledger, "eth_sendTransaction");
  await press("Send this swap");
  await step("doing", "Waiting for the wallet");
  await page.getByRole("checkbox").uncheck();
  release();
  await step("failed", "no longer accepted");
  assert.deepEqual(kinds(ledger), ["approve"]);
  await close();
});

test("Stop ends the sequence at once while the wallet has nothing to sign", async () => {
  const { page, ledger, press, step, close } = await ready();
  const release = hold(ledger, "eth_call");
  await press("Send this swap");
  await step("doing", "Have enough");
  await press("Stop");
  await step("failed", "Stopped. Nothing was swapped.");
  await page.locator("#ask:enabled").waitFor();
  assert.deepEqual(await enabled(page), controls);
  release();
  await press("Try again");
  await step("done", "Send the swap");
  assert.deepEqual(kinds(ledger), ["approve", "swap"]);
  await close();
});

test("Stop does not take back what the wallet has, but sends nothing after it", async () => {
  const { page, ledger, press, step, close } = await ready();
  const release = hold(ledger, "eth_sendTransaction");
  await press("Send this swap");
  await step("doing", "Waiting for the wallet");
  await press("Stop");
  await page.getByRole("button", { name: /^Stopping/ }).waitFor();
  assert.deepEqual(await enabled(page), [], "the wallet may still sign");
  release();
  await step("failed", "Stopped. Nothing was swapped.");
  await page.locator("#ask:enabled").waitFor();
  assert.deepEqual(await enabled(page), controls);
  assert.deepEqual(kinds(ledger), ["approve"]);
  await close();
});

test("Stop behind the swap itself says that it was sent", async () => {
  const { ledger, press, step, close } = await ready({ ...links.native });
  ledger.fund(8453, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", account, 9n * 10n ** 18n);
  hold(ledger, "eth_getTransactionReceipt");
  await press("Send this swap");
  await step("doing", "Waiting for a block");
  await press("Stop");
  await step("failed", "The swap was sent and may still be carried out");
  assert.deepEqual(kinds(ledger), ["swap"]);
  await close();
});

// Trying again is sending: it must hold to the same rules.
test("Try again is gone while the form says something else", async () => {
  const { page, ledger, press, step, close } = await ready();
  ledger.declines = 1;
  await press("Send this swap");
  await step("failed", "Declined in the wallet");
  await page.route("**/quote?*", (r) => r.abort());
  const again = page.getByRole("button", { name: "Try again" });
  const pressed = await again.evaluateHandle((button) => button);
  await page.fill("#recipient", bob);
  assert.equal(await again.count(), 0);
  assert.match(await page.locator(".send").innerText(), /Out of date/);
  await pressed.evaluate((button) => button.click()); // a click that was already on its way
  await page.fill("#recipient", alice);
  await again.waitFor();
  assert.deepEqual(kinds(ledger), []);
  await again.click();
  await step("done", "Send the swap");
  assert.deepEqual(kinds(ledger), ["approve", "swap"]);
  await close();
});

test("Try again is gone while a doubt is not accepted", async () => {
  const { page, ledger, press, step, close } = await ready({ ...links.public, integratorId: bob });
  ledger.declines = 1;
  await press("Send this swap");
  await step("failed", "Declined in the wallet");
  await page.getByRole("checkbox").uncheck();
  assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  assert.deepEqual(kinds(ledger), []);
  await close();
});
