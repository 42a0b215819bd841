// The form and the answer beside it: an answer is shown, copied and sent only
// while the form says what it was asked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, alice, deep, links, visit } from "./browser.js";
import { Ledger, wallet } from "./ledger.js";

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const wrong = "0x12";

const paramsOf = (url) => Object.fromEntries(new URL(url).searchParams);

test("an example that is clicked before typing rests is the only request", async () => {
  const asked = [];
  const { page, go, shown, close } = await visit({ alone: true, route: (page) => page.on("request", (r) => r.url().includes("/quote?") && asked.push(paramsOf(r.url()))) });
  await page.clock.install();
  await go("/");
  await page.locator(".example").first().waitFor();
  await page.fill("#recipient", bob);
  await page.evaluate(() => {
    const amount = document.getElementById("amount");
    amount.value = "123";
    amount.dispatchEvent(new Event("input"));
    [...document.querySelectorAll(".example")].find((e) => e.textContent.includes("Native")).click();
  }); // in one go: a busy machine must not look like a person who rests
  await shown();
  await page.clock.runFor(2_000);
  await shown();
  assert.deepEqual(asked.map((q) => [q.srcChain, q.recipient]), [["8453", alice]]);
  assert.match(await page.locator(".flow").innerText(), /1\.5 ETH/);
  await close();
});

test("an answer is not shown when the form says something else by then", async () => {
  let release;
  const held = new Promise((done) => (release = done));
  const { page, go, close } = await visit({ route: (page) => page.route("**/quote?*", async (r) => {
    await held;
    await r.continue();
  }) });
  await go(deep(links.public));
  await page.locator("#result[aria-busy=true]").waitFor();
  await page.locator("#recipient").evaluate((field, text) => (field.value = text), bob); // as a browser does that fills in forms
  release();
  await page.locator("#result[aria-busy=false]").waitFor();
  assert.equal(await page.locator("#result .verdict").count(), 0);
  await close();
});

// open is what an answer offers in each of its panels.
const openIn = async (page) => {
  const found = {};
  for (const [tab, inside] of [["Verify", ".hex"], ["Send", ".wallet"], ["Integrate", ".snippet"]]) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    found[tab] = (await page.locator(`#details ${inside}`).count()) > 0;
  }
  return found;
};
const nothing = { Verify: false, Send: false, Integrate: false };
const everything = { Verify: true, Send: true, Integrate: true };

const edits = {
  "another recipient": ["#recipient", bob],
  "a recipient that is wrong": ["#recipient", wrong],
  "no recipient": ["#recipient", ""],
  "another amount": ["#amount", "77"],
};

for (const [name, [field, text]] of Object.entries(edits)) {
  test(`${name} closes the answer at once, and going back opens it`, async () => {
    const { page, go, shown, verdict, close } = await visit({ refused: [/Failed to load/], route: (page) => wallet(page, new Ledger(), account) });
    await go(deep(links.public));
    await shown();
    await page.route("**/quote?*", (r) => r.abort());
    const first = await page.inputValue(field);
    const state = await page.locator(field).evaluate((input, text) => {
      input.value = text;
      input.dispatchEvent(new Event("input"));
      const line = document.querySelector("#result .verdict");
      return { line: line.className, bytes: document.querySelectorAll("#result .hex, #result .snippet, #result .wallet, #result .check").length, copies: document.querySelectorAll("#result .copy:enabled").length };
    }, text);
    assert.deepEqual(state, { line: "verdict stale", bytes: 0, copies: 0 });
    assert.match(await verdict(), /^Out of date/);
    assert.ok(!(await page.locator("#result").innerText()).includes("Proved"));
    assert.deepEqual(await openIn(page), nothing);
    await page.fill(field, first);
    await shown();
    assert.match(await verdict(), /^Proved/);
    assert.deepEqual(await openIn(page), everything);
    await close();
  });
}

test("an answer that is out of date can be read by everyone", async () => {
  const { page, go, shown, close } = await visit({ reducedMotion: "reduce" });
  await go(deep(links.public));
  await shown();
  await page.fill("#recipient", wrong);
  await page.locator(".summary").evaluate((e) => e.remove()); // dimmed on purpose: it is not what counts now
  await accessible(page, "stale");
  await close();
});

test("what was accepted stays so when the form goes back", async () => {
  const { page, go, shown, close } = await visit();
  await go(deep(links.public, { integratorId: bob }));
  await shown();
  await page.getByRole("checkbox").check();
  await page.fill("#recipient", wrong);
  assert.equal(await page.getByRole("checkbox").count(), 0);
  assert.equal(await page.locator("#details .hex").count(), 0);
  await page.fill("#recipient", alice);
  await shown();
  assert.ok(await page.getByRole("checkbox").isChecked());
  assert.ok((await page.locator("#details .hex").count()) > 0);
  await close();
});

test("an error closes the answer before it too", async () => {
  const { page, go, shown, verdict, close } = await visit({ refused: [/Failed to load/] });
  await go(deep(links.public));
  await shown();
  await page.route("**/quote?*", (r) => r.abort());
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.getByText("cannot be reached").waitFor();
  assert.match(await verdict(), /^Out of date/);
  assert.deepEqual(await openIn(page), nothing);
  await close();
});
