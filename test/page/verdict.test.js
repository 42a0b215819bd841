// What each verdict lets people do: all of it once it is proved, nothing when it
// is refused, and what is not proved only after a box is ticked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { alice, base, deep, links, tamper, visit } from "./browser.js";
import { Ledger, wallet } from "./ledger.js";

const stranger = "90f79bf6eb2c4f870365e785982e1f101e93b906";
const strangersZk = "0zk1qyjlxtnpgteuwyyl6x0zye9tgwfnwpf5y3pgw87z8vhz3377gnc4mrv7j6fe3z53llcm7gpglzhqge0flm0swwzjq77hk42q7v4feqteqq094ey3200jk5zxt8k";
const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const integrator = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

// closed fails if anything of an answer is left on the page to send or to copy.
async function closed(page, quote) {
  assert.equal(await page.getByRole("tab").count(), 0, "tabs");
  assert.equal(await page.locator("#result").getByRole("button").count(), 0, "buttons in the answer");
  const html = await page.content();
  for (const bytes of [quote.methodParameters.calldata, quote.approval?.calldata].filter(Boolean)) {
    assert.ok(!html.includes(bytes.slice(2, 100)), "the bytes to sign are on the page");
  }
}

// refused opens an altered answer with a wallet at hand, and checks that it is red.
async function refused(kind, alter, want) {
  const ledger = new Ledger();
  let quote;
  const v = await visit({
    route: async (page) => {
      await wallet(page, ledger, account);
      await tamper(async (q) => (quote = (await alter(q)) ?? q))(page);
    },
  });
  await v.go(deep(links[kind]));
  await v.shown();
  assert.equal(await v.page.locator(".verdict").getAttribute("class"), "verdict bad");
  const said = await v.verdict();
  for (const part of ["Refused", "Do not sign", want.field]) assert.ok(said.includes(part), `${part} is not in: ${said}`);
  assert.equal(await v.page.locator("#fault").getAttribute("data-code"), want.code);
  assert.equal(await v.page.evaluate(() => document.activeElement.id), "fault", "the keyboard is at what is wrong");
  assert.ok(await v.page.locator("#fault").evaluate((e) => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().bottom <= innerHeight), "what is wrong is in view");
  await closed(v.page, quote);
  assert.deepEqual(ledger.sent, []);
  await v.close();
}

const recipient = "methodParameters.calldata.recipient";
const noteStart = 2 + 2 * 228;
const exchanged = (call, note) => call.slice(0, noteStart) + note + call.slice(noteStart + 320);
const noteOf = (q) => q.methodParameters.calldata.slice(noteStart, noteStart + 320);

// another is an honest answer for the same swap to a stranger's 0zk address.
const another = async () => (await fetch(`${base}/v3/swap/quote?${new URLSearchParams({ ...links.shielding, recipient: strangersZk, include: "proof" })}`)).json();

const attacks = {
  "a shielded recipient replaced, and the proof dropped": [async (q) => {
    q.methodParameters.calldata = exchanged(q.methodParameters.calldata, noteOf(await another()));
    delete q.proof;
  }, { code: "FIELD_MISSING", field: "proof" }],
  "a shielded recipient replaced, and the proof null": [async (q) => {
    q.methodParameters.calldata = exchanged(q.methodParameters.calldata, noteOf(await another()));
    q.proof = null;
  }, { code: "FIELD_DIFFERS", field: "proof" }],
  "a shielded recipient replaced, and its own proof kept": [async (q) => {
    q.methodParameters.calldata = exchanged(q.methodParameters.calldata, noteOf(await another()));
  }, { code: "NOTE_DIFFERS", field: recipient }],
  "a shielded recipient replaced together with its proof": [async (q) => {
    const { methodParameters, proof } = await another();
    assert.notEqual(methodParameters.calldata, q.methodParameters.calldata);
    Object.assign(q, { methodParameters, proof });
  }, { code: "NOTE_DIFFERS", field: recipient }],
  "the proof of another note": [async (q) => void (q.proof = (await another()).proof), { code: "NOTE_DIFFERS", field: recipient }],
  "no proof, and an honest note": [(q) => void delete q.proof, { code: "FIELD_MISSING", field: "proof" }],
};

for (const [name, [alter, want]] of Object.entries(attacks)) {
  test(`${name}: red, and closed`, () => refused("shielding", alter, want));
}

const alterations = {
  "another recipient": [(q) => void (q.methodParameters.calldata = q.methodParameters.calldata.replace(alice.slice(2).toLowerCase(), stranger)), { code: "FIELD_DIFFERS", field: recipient }],
  "another contract": [(q) => void (q.to = q.approval.spender = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"), { code: "FIELD_DIFFERS", field: "to" }],
  "a larger approval": [(q) => void (q.approval.calldata = q.approval.calldata.slice(0, 74) + "f".repeat(64)), { code: "FIELD_DIFFERS", field: "approval.calldata.amount" }],
  "a field inside a field": [(q) => void (q.methodParameters.gas = "0x1"), { code: "FIELD_EXTRA", field: "methodParameters.gas" }],
  "decimals as text": [(q) => void (q.srcToken.decimals = "6"), { code: "FIELD_DIFFERS", field: "srcToken.decimals" }],
};

for (const [name, [alter, want]] of Object.entries(alterations)) {
  test(`${name}: red, and closed`, () => refused("public", alter, want));
}

test("a field with control characters in its name is shown as text", async () => {
  const { page, go, shown, verdict, close } = await visit({ route: tamper((q) => void (q["\u001b[2J\u202e" + "x".repeat(500)] = 1)) });
  await go(deep(links.public));
  await shown();
  const said = await verdict();
  assert.ok(said.includes("\\u001b[2J\\u202e") && said.includes("…"), said);
  assert.ok(!/[\u001b\u202e]/.test(await page.locator("#result").innerText()), "raw control characters");
  await close();
});

test("a refusal while typing leaves the keyboard in its field", async () => {
  const { page, go, shown, close } = await visit({ route: tamper((q) => void (q.srcAmount === "77000000" && (q.to = alice))) });
  await go(deep(links.public));
  await shown();
  await page.fill("#amount", "77");
  await page.locator("#fault").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "amount");
  await close();
});

const doubts = {
  INTEGRATOR_RATE_UNPINNED: { link: deep(links.public, { integratorId: integrator }), says: /integrator’s rate/ },
  NOTE_UNPROVEN: { link: deep(links.shielding, { include: "" }), says: /who can spend the money is not known/i },
};

for (const [code, { link, says }] of Object.entries(doubts)) {
  test(`${code}: amber, and closed until a box says so`, async () => {
    const { page, go, shown, verdict, close } = await visit({ route: (page) => wallet(page, new Ledger(), account) });
    await go(link);
    await shown();
    assert.equal(await page.locator(".verdict").getAttribute("class"), "verdict note");
    assert.match(await verdict(), says);
    assert.equal(await page.locator(`.doubt[data-code=${code}]`).count(), 1);
    const box = page.getByRole("checkbox");
    const open = async (want) => {
      for (const [tab, inside] of [["Verify", ".hex"], ["Send", ".wallet"], ["Integrate", ".snippet"]]) {
        await page.getByRole("tab", { name: tab, exact: true }).click();
        assert.equal((await page.locator(`#details ${inside}`).count()) > 0, want, `${tab} is open`);
        assert.equal((await page.locator("#details .copy").count()) > 0, want, `${tab} can be copied`);
      }
    };
    assert.equal(await box.isChecked(), false);
    await open(false);
    await box.check();
    await open(true);
    await box.uncheck();
    await open(false);
    await box.check();
    await page.getByRole("button", { name: "Get quote" }).click();
    await page.waitForFunction(() => !document.querySelector("#result [type=checkbox]").checked);
    await open(false);
    await close();
  });
}

test("two things that are not known are accepted one by one", async () => {
  const { page, go, shown, close } = await visit();
  await go(deep(links.shielding, { include: "", integratorId: integrator }));
  await shown();
  const boxes = page.getByRole("checkbox");
  assert.equal(await boxes.count(), 2);
  await boxes.nth(0).check();
  assert.equal(await page.locator("#details .hex").count(), 0);
  await boxes.nth(1).check();
  assert.ok((await page.locator("#details .hex").count()) > 0);
  await close();
});

test("an edited form asks for the proof again, whatever the link left out", async () => {
  const { page, go, shown, verdict, close } = await visit();
  await go(deep(links.shielding, { include: "" }));
  await shown();
  await page.fill("#amount", "499");
  await page.locator(".verdict.ok").waitFor();
  assert.match(await verdict(), /^Proved/);
  await close();
});
