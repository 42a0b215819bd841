// Sending: with a wallet that announces itself, and with a devnet's account.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deep, devnet as devnetServer, links, visit, zk } from "./browser.js";
import { devnet, Ledger, wallet } from "./ledger.js";

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const usdt = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

// ready opens a quote, connects the wallet and stands before the button.
async function ready(ledger, request, options) {
  const v = await visit({ route: (page) => wallet(page, ledger, account, options) });
  await v.go(deep(request));
  await v.shown();
  await v.page.getByRole("tab", { name: "Send" }).click();
  await v.page.getByRole("button", { name: "Test wallet" }).click();
  await v.page.getByText(account).waitFor();
  const quote = await v.page.evaluate((q) => fetch(`/v3/swap/quote${q}`).then((r) => r.json()), deep(request).slice(1));
  const send = () => v.page.getByRole("button", { name: "Send this swap" }).click();
  const step = (state, label) => v.page.locator(`.steps li.${state}`, { hasText: label }).waitFor();
  return { ...v, quote, send, step };
}

const kinds = (ledger) => ledger.sent.map((t) => (t.kind === "approve" ? `approve ${t.amount}` : "swap"));

test("a token is approved for exactly the amount, then swapped, on the right chain", async () => {
  const ledger = new Ledger();
  ledger.fund(1, usdc, account, 5_000_000_000n);
  const { page, send, step, quote, close } = await ready(ledger, links.public);
  await send();
  await step("done", "Send the swap");
  assert.deepEqual(kinds(ledger), ["approve 1000000000", "swap"]);
  const swap = ledger.sent[1];
  assert.deepEqual([swap.chain, swap.to, swap.data, swap.value], [1, quote.to, quote.methodParameters.calldata, "0x0"]);
  assert.match(await page.locator(".send").innerText(), new RegExp(swap.hash.slice(0, 8)));
  await page.getByRole("heading", { name: "Sent", exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Send this swap" }).count(), 0, "a swap that is sent cannot be sent again");
  await close();
});

test("USDT with an old allowance is reset first", async () => {
  const ledger = new Ledger();
  ledger.fund(1, usdt, account, 5_000_000_000n);
  ledger.tether.add(usdt.toLowerCase());
  const request = { ...links.public, srcToken: "USDT" };
  const { send, step, quote, close } = await ready(ledger, request);
  ledger.approve(1, usdt, account, quote.to, 7n);
  await send();
  await step("done", "Send the swap");
  assert.deepEqual(kinds(ledger), ["approve 0", "approve 1000000000", "swap"]);
  await close();
});

test("USDT without an allowance needs no reset, and enough allowance needs nothing", async () => {
  const request = { ...links.public, srcToken: "USDT" };
  for (const [allowed, want] of [[0n, ["approve 1000000000", "swap"]], [1_000_000_000n, ["swap"]]]) {
    const ledger = new Ledger();
    ledger.fund(1, usdt, account, 5_000_000_000n);
    ledger.tether.add(usdt.toLowerCase());
    const { send, step, quote, close } = await ready(ledger, request);
    ledger.approve(1, usdt, account, quote.to, allowed);
    await send();
    await step("skipped", "Set the old allowance to zero");
    await step("done", "Send the swap");
    assert.deepEqual(kinds(ledger), want);
    await close();
  }
});

test("native coin goes as value, without an approval", async () => {
  const ledger = new Ledger();
  ledger.fund(8453, native, account, 9n * 10n ** 18n);
  const { send, step, close } = await ready(ledger, links.native);
  await send();
  await step("done", "Send the swap");
  assert.deepEqual(ledger.sent.map((t) => [t.chain, t.value]), [[8453, "0x14d1120d7b160000"]]);
  await close();
});

test("no contract at the address: nothing is sent", async () => {
  const ledger = new Ledger();
  ledger.fund(8453, native, account, 9n * 10n ** 18n);
  const { send, step, quote, close } = await ready(ledger, links.native);
  ledger.empty.add(quote.to.toLowerCase());
  await send();
  await step("failed", "no contract at");
  assert.equal(ledger.sent.length, 0);
  await close();
});

test("too little money: nothing is sent", async () => {
  const ledger = new Ledger();
  ledger.fund(1, usdc, account, 999_999_999n);
  const { send, step, close } = await ready(ledger, links.public);
  await send();
  await step("failed", "999.999999 USDC");
  assert.equal(ledger.sent.length, 0);
  await close();
});

test("what is declined in the wallet can be tried again", async () => {
  const ledger = new Ledger();
  ledger.fund(1, usdc, account, 5_000_000_000n);
  ledger.declines = 1;
  const { page, send, step, close } = await ready(ledger, links.public);
  await send();
  await step("failed", "Declined in the wallet");
  await page.getByRole("button", { name: "Try again" }).click();
  await step("done", "Send the swap");
  assert.deepEqual(kinds(ledger), ["approve 1000000000", "swap"]);
  await close();
});

test("unshielding says that a privacy wallet is needed", async () => {
  const { page, close } = await ready(new Ledger(), links.unshielding);
  assert.match(await page.locator(".send .notice").innerText(), /privacy wallet/);
  await close();
});

test("on a devnet an account sends, and the order is followed until it lands", async () => {
  const ledger = new Ledger();
  const hub = "0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07";
  ledger.fund(1, usdc, account, 5_000_000_000n);
  const steps = [
    { label: "Deposited on Ethereum", chainId: 1, hash: `0x${"1".repeat(64)}` },
    { label: "Paid out on PulseChain", chainId: 369, hash: `0x${"2".repeat(64)}` },
  ];
  steps.received = "997000000";
  const land = () => {
    ledger.fund(1, usdc, account, 4_000_000_000n);
    ledger.fund(369, hub, account, 997_000_000n);
  };
  const { page, go, shown, close } = await visit({ server: devnetServer, route: (p) => devnet(p, ledger, { accounts: [{ name: "Alice", address: account }], zk, land, steps }) });
  await go("/");
  await page.locator("#recipient").waitFor();
  await page.waitForFunction(() => document.getElementById("recipient").value !== "");
  assert.equal(await page.inputValue("#recipient"), account, "the test account is the recipient to start with");
  assert.match(await page.locator("#banner").innerText(), /Devnet/);
  await page.getByRole("button", { name: "Get quote" }).click();
  await shown();
  await page.getByRole("tab", { name: "Send" }).click();
  await page.getByRole("button", { name: "Devnet: Alice" }).click();
  await page.getByRole("button", { name: "Send this swap" }).click();
  await page.getByRole("heading", { name: "Landed" }).waitFor();
  assert.deepEqual(kinds(ledger), ["approve 1000000000", "swap"]);
  assert.match(await page.locator(".landing").innerText(), /997 USDC, exactly as quoted/);
  assert.deepEqual(await page.locator(".balances td").allInnerTexts(), ["5,000 USDC", "4,000 USDC", "0 USDC", "997 USDC"]);
  await close();
});

test("the keyboard stays where it is while a wallet is chosen and a swap is sent", async () => {
  const ledger = new Ledger();
  ledger.fund(1, usdc, account, 5_000_000_000n);
  ledger.declines = 1;
  const { page, go, shown, close } = await visit({ route: (page) => wallet(page, ledger, account) });
  await go(deep(links.public));
  await shown();
  const focused = (text) => page.waitForFunction((text) => document.activeElement.innerText === text, text);
  await page.getByRole("tab", { name: "Verify" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab"); // the panel
  await page.keyboard.press("Tab");
  await focused("Test wallet");
  await page.keyboard.press("Enter");
  await page.getByText(account).waitFor();
  await focused("Test wallet");
  await page.keyboard.press("Tab");
  await focused("Send this swap");
  await page.keyboard.press("Enter");
  await page.locator(".steps li.failed").waitFor();
  await focused("Sending");
  await page.keyboard.press("Tab");
  await focused("Try again");
  await page.keyboard.press("Enter");
  await page.locator(".steps li.done", { hasText: "Send the swap" }).waitFor();
  await focused("Sent");
  await close();
});
