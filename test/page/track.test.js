// Where a swap is: the page at /?tx=0x… for each status, with the examples of the
// OpenAPI document as answers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { accessible, alice, visit } from "./browser.js";
import { Ledger, wallet } from "./ledger.js";

const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url)));
const { examples } = document.paths["/v3/swap/status"].get.responses[200].content["application/json"];

const hashOf = (answer) => answer.orders[0]?.legs[0].txHash ?? `0x${"a1".repeat(32)}`;

const answering = (answer) => (page) => page.route("**/v3/swap/status?*", (route) => route.fulfill({ json: answer }));

for (const [status, { value: answer }] of Object.entries(examples)) {
  test(`${status} is shown with its legs`, async () => {
    const { page, go, close } = await visit({ route: answering(answer) });
    await go(`/?tx=${hashOf(answer)}`);
    const card = page.locator(`#track-result [data-status="${status}"]`);
    await card.waitFor();
    const [order] = answer.orders;
    assert.equal(await page.locator("#quote-view").isHidden(), true);
    for (const leg of order?.legs ?? []) {
      const link = card.locator(`a[href$="/tx/${leg.txHash}"]`);
      assert.match(await link.getAttribute("href"), /^https:\/\//, `the explorer of ${leg.chainId}`);
    }
    assert.equal(await card.locator("button.primary").count(), ["claimable", "delivering"].includes(status) ? 1 : 0);
    if (status === "refunded") assert.match(await card.innerText(), new RegExp(order.order.refundTo));
    await accessible(page);
    await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/track-${status}.png` });
    await close();
  });
}

test("a status that contradicts itself is not shown", async () => {
  const lie = structuredClone(examples.claimable.value);
  lie.orders[0].action.data = lie.orders[0].action.data.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const { page, go, close } = await visit({ route: answering(lie) });
  await go(`/?tx=${hashOf(lie)}`);
  await page.locator("#track-result [role=alert]").waitFor();
  assert.match(await page.locator("#track-result").innerText(), /not true/);
  assert.equal(await page.locator("#track-result button.primary").count(), 0);
  await close();
});

const altered = (alter) => {
  const answer = structuredClone(examples.claimable.value);
  alter(answer.orders[0]);
  return answer;
};

for (const [name, answer] of Object.entries({
  "of an answer without an order": altered((s) => ["order", "orderId", "amounts"].forEach((key) => delete s[key])),
  "of a kind that no order makes": altered((s) => (s.action.kind = "mint")),
})) {
  test(`a call ${name} is not offered`, async () => {
    const { page, go, close } = await visit({ route: answering(answer) });
    await go(`/?tx=${hashOf(answer)}`);
    await page.locator('#track-result [data-status="claimable"]').waitFor();
    assert.equal(await page.locator("#track-result button.primary").count(), 0);
    await close();
  });
}

test("the call is sent as it was derived", async () => {
  const answer = examples.claimable.value;
  const { action } = answer.orders[0];
  const ledger = new Ledger();
  const { page, go, close } = await visit({ route: async (page) => {
    await wallet(page, ledger, alice);
    await answering(answer)(page);
  } });
  await go(`/?tx=${hashOf(answer)}`);
  await page.locator("#track-result button.primary").click();
  await page.locator("#track-result .action [role=status]", { hasText: "Sent: 0x" }).waitFor();
  assert.deepEqual(ledger.sent.map(({ chain, to, data }) => ({ chain, to, data })), [{ chain: action.chainId, to: action.to, data: action.data }]);
  await close();
});

test("an answer that is malformed is not shown", async () => {
  const bad = altered((s) => (s.legs[0].txHash = "javascript:alert(1)"));
  const { page, go, close } = await visit({ route: answering(bad) });
  await go(`/?tx=${hashOf(examples.claimable.value)}`);
  await page.locator("#track-note", { hasText: "not one that this page can read" }).waitFor();
  assert.equal(await page.locator("#track-result").innerText(), "");
  await close();
});

test("a server without a settler says so", async () => {
  const { page, go, close } = await visit({ refused: [503] });
  await go(`/?tx=0x${"a1".repeat(32)}`);
  await page.locator("#track-note", { hasText: "it has no settler to ask" }).waitFor();
  await accessible(page);
  await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/track-unavailable.png` });
  await close();
});

test("a transaction that failed is not asked about for ever", async () => {
  let asked = 0;
  const answer = { ...examples.unknown.value, reason: "reverted" };
  const { page, go, close } = await visit({ route: (page) => page.route("**/v3/swap/status?*", (route) => (asked++, route.fulfill({ json: answer }))) });
  await go(`/?tx=0x${"a1".repeat(32)}`);
  await page.locator("#track-result", { hasText: "nothing was swapped" }).waitFor();
  assert.equal(asked, 1);
  await close();
});

test("news is shown when it comes", async () => {
  const answers = [examples.confirming.value, examples.paid.value, examples.done.value];
  let asked = 0;
  const { page, go, close } = await visit({ route: (page) => page.route("**/v3/swap/status?*", (route) => route.fulfill({ json: answers[Math.min(asked++, 2)] })) });
  await go(`/?tx=${hashOf(answers[0])}`);
  await page.locator('#track-result [data-status="done"]').waitFor();
  assert.equal(asked, 3);
  await close();
});

test("what is no hash is said", async () => {
  const { page, go, close } = await visit();
  await go("/?tx=0x12");
  await page.locator("#track-note [role=alert]").waitFor();
  assert.match(await page.locator("#track-note").innerText(), /0x and 64 digits/);
  await close();
});
