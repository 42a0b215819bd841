// Where a swap is, on real local chains: one swap after the other is driven to each
// status by the server at HUBQUOTE_STATES_URL, and the page that follows it must show
// that, without being loaded again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, devnet, visit } from "./browser.js";

const patience = 60_000;

/** drive brings a swap to a step, and returns its hash and what the service says of it. */
async function drive(step) {
  const answer = await fetch(`${process.env.HUBQUOTE_STATES_URL}/${step}`);
  const body = await answer.text();
  assert.equal(answer.status, 200, body);
  return JSON.parse(body);
}

let visitors = 0;

/** follow opens the page at a step of a swap. Each page is a client of its own: status requests are limited. */
async function follow(step) {
  const swap = await drive(step);
  const visited = await visit({ server: devnet, extraHTTPHeaders: { "X-Forwarded-For": `10.200.0.${++visitors}` } });
  await visited.go(`/?tx=${swap.tx}`);
  return { ...visited, swap, shows: (what) => shows(visited.page, what) };
}

/**
 * shows waits until the page has a status with these words, then compares the legs and the button, and
 * keeps a picture.
 */
async function shows(page, { name, status, text, legs, button = null, absent }) {
  const card = page.locator(`#track-result [data-status="${status}"]`).filter({ hasText: text });
  await card.waitFor({ timeout: patience });
  const steps = await card.locator(".steps li").evaluateAll((list) => list.map((li) => `${li.className}: ${li.querySelector(".name").textContent}`));
  assert.deepEqual(steps, legs, name);
  const buttons = await card.locator("button.primary").allInnerTexts();
  assert.deepEqual(buttons, button ? [button] : [], name);
  const said = await card.innerText();
  if (absent) assert.doesNotMatch(said, absent, name);
  assert.doesNotMatch(said, /It waits: /, `${name}: every reason that occurs has a sentence`);
  await accessible(page, name);
  await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/state-${name}.png`, fullPage: true });
  return card;
}

test("a hash that no chain has is unknown", async () => {
  const { shows, close } = await follow("unknown");
  await shows({ name: "unknown", status: "unknown", text: "No chain that is read has this transaction", legs: [] });
  await close();
});

test("a swap is confirmed, paid and done, and the page follows", async () => {
  const { swap, shows, close } = await follow("confirming");
  await shows({ name: "confirming", status: "confirming", text: "Usually done at", legs: ["doing: Deposited on Base", "todo: Pay the recipient"], absent: /longer than usual/ });
  await drive("paid");
  await shows({ name: "paid", status: "paid", text: "not final", legs: ["done: Deposited on Base", "doing: Paid on PulseChain", "todo: Wait until the payment is final"] });
  const { orders } = await drive("done");
  const card = await shows({ name: "done", status: "done", text: "Done", legs: ["done: Deposited on Base", "done: Paid on PulseChain"], absent: /Usually done/ });
  for (const { txHash } of orders[0].legs) assert.equal(await card.locator(`code[title="${txHash}"]`).count(), 1, "each leg has its hash");
  assert.equal(await card.locator(`a[href="https://basescan.org/tx/${swap.tx}"]`).count(), 1, "and a link to the explorer of its chain");
  await close();
});

test("a burn waits for its signature, and its order is opened from the page", async () => {
  const { page, shows, close } = await follow("attesting");
  const waiting = ["done: Burned on Arbitrum One", "todo: Open the order"];
  await shows({ name: "attesting", status: "attesting", text: "The issuer has not signed yet", legs: ["doing: Burned on Arbitrum One", "todo: Open the order"] });
  await drive("relayable");
  const card = await shows({ name: "attesting-signed", status: "attesting", text: /Signed, and becoming an order.*A transaction of the settler is under way/s, legs: waiting, button: "Open the order with the issuer’s signature" });
  await card.locator("button.primary").click();
  await page.locator("#track-result [data-status]:not([data-status=attesting])").waitFor({ timeout: patience });
  await drive("relayed");
  await shows({ name: "done-burn", status: "done", text: "Done", legs: ["done: Burned on Arbitrum One", "done: Deposited on Base", "done: Paid on PulseChain"] });
  await close();
});

test("a payment that waits, is parked by an operator, and goes back", async () => {
  const { shows, close } = await follow("paying");
  const waiting = ["done: Deposited on Base", "todo: Pay the recipient"];
  await shows({ name: "paying", status: "paying", text: "The paying pool is paused", legs: waiting });
  await drive("parked");
  await shows({ name: "parked", status: "paying", text: "An operator of the service holds this payment back", legs: waiting });
  await drive("refunding");
  await shows({ name: "refunding", status: "refunding", text: "on its way back", legs: ["done: Deposited on Base", "doing: Cancelled on PulseChain", "todo: Return the deposit"] });
  const { accounts } = await drive("refunded");
  await shows({ name: "refunded", status: "refunded", text: `The deposit went to ${accounts.sender}`, legs: ["done: Deposited on Base", "done: Cancelled on PulseChain", "done: Refunded on Base"] });
  await close();
});

test("a payment by burn is minted from the page", async () => {
  const { shows, close } = await follow("delivering");
  const paid = ["done: Deposited on PulseChain", "done: Paid on Base", "todo: Mint at the destination"];
  await shows({ name: "delivering", status: "delivering", text: "The issuer has not signed yet", legs: paid });
  await drive("mintable");
  const card = await shows({ name: "delivering-signed", status: "delivering", text: "A transaction of the settler is under way", legs: paid, button: "Mint with the issuer’s signature" });
  await card.locator("button.primary").click();
  await shows({ name: "done-minted", status: "done", text: "Done", legs: ["done: Deposited on PulseChain", "done: Paid on Base", "done: Minted on Arbitrum One"] });
  await drive("minted");
  await close();
});

test("a claim is sent to its owner from the page", async () => {
  const { shows, close } = await follow("claimable");
  const owed = { name: "claimable", status: "claimable", text: "The money is there for its owner", legs: ["done: Deposited on PulseChain", "done: Paid on Base"], button: "Send the money to its owner" };
  await shows(owed);
  await drive("unblocked");
  const card = await shows(owed);
  await card.locator("button.primary").click();
  await shows({ name: "done-claimed", status: "done", text: "Done", legs: ["done: Deposited on PulseChain", "done: Paid on Base", "done: Claimed on Base"] });
  await drive("claimed");
  await close();
});
