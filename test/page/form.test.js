// The console: what can be chosen, what is checked while typing, and where each
// refusal of the server's is shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { alice, base, carol, deep, limited, links, visit, zk } from "./browser.js";

const ready = (page) => page.locator("#srcChain option").nth(1).waitFor({ state: "attached" });

test("exactly the supported pairs can be chosen", async () => {
  const { page, go, close } = await visit();
  await go("/");
  await ready(page);
  const offered = await page.evaluate(() => {
    const select = (id, value) => {
      const e = document.getElementById(id);
      e.value = value;
      e.dispatchEvent(new Event("change"));
    };
    const values = (id) => [...document.querySelectorAll(`#${id} option`)].map((o) => o.value);
    const out = [];
    for (const from of values("srcChain")) {
      select("srcChain", from);
      for (const give of values("srcToken")) {
        select("srcToken", give);
        for (const to of values("dstChain")) {
          select("dstChain", to);
          for (const take of values("dstToken")) out.push([from, give, to, take].join());
        }
      }
    }
    return out.sort();
  });
  const { data } = await (await fetch(`${base}/v3/app/routes`)).json();
  assert.deepEqual(offered, data.map((r) => [r.srcChain, r.srcToken.symbol, r.dstChain, r.destToken.symbol].join()).sort());
  await close();
});

test("privacy pools are a group of their own, and say what they do", async () => {
  const { page, go, hint, close } = await visit();
  await go("/");
  await ready(page);
  assert.deepEqual(await page.locator("#dstChain optgroup").evaluateAll((g) => g.map((e) => e.label)), ["Hub", "Privacy pools"]);
  await page.selectOption("#dstChain", "69696969");
  assert.match(await hint("dstChain"), /^Shielding/);
  assert.match(await hint("recipient"), /0zk address/);
  await close();
});

test("a swap is turned around, and each side keeps its recipient", async () => {
  const { page, go, shown, close } = await visit();
  await go(deep(links.public));
  await shown();
  await page.selectOption("#dstChain", "69696969");
  assert.equal(await page.inputValue("#recipient"), "");
  await page.fill("#recipient", zk);
  await shown();
  await page.getByRole("button", { name: "Swap direction" }).click();
  assert.deepEqual([await page.inputValue("#srcChain"), await page.inputValue("#dstChain"), await page.inputValue("#recipient")], ["69696969", "1", alice]);
  await shown();
  await page.selectOption("#srcChain", "56");
  await page.selectOption("#srcToken", "USD1");
  assert.ok(await page.locator("#flip").isDisabled());
  assert.match(await page.locator("#flip-hint").innerText(), /USD1 only goes this way/);
  await close();
});

test("typing asks once it rests, and the address is a link to what is shown", async () => {
  const { page, go, shown, close } = await visit();
  const asked = [];
  page.on("request", (r) => r.url().includes("/quote?") && asked.push(r.url()));
  await go("/");
  await ready(page);
  await page.fill("#amount", "");
  await page.fill("#recipient", alice);
  await page.locator("#amount").evaluate((amount, text) => {
    for (let n = 1; n <= text.length; n++) {
      amount.value = text.slice(0, n);
      amount.dispatchEvent(new Event("input"));
    }
  }, "123.456"); // keys in one go: a busy machine must not look like a person who rests
  await shown();
  assert.equal(asked.length, 1);
  assert.equal(new URL(page.url()).searchParams.get("amount"), "123456000");
  const stale = await page.locator("#amount").evaluate((amount) => {
    const type = (text) => {
      amount.value = text;
      amount.dispatchEvent(new Event("input"));
      return document.querySelector("#result").classList.contains("stale");
    };
    return [type("124"), type("123.456")];
  }); // in one go, for the same reason
  assert.deepEqual(stale, [true, false]);
  await shown();
  assert.equal(asked.length, 1, "an answer that is still shown is not asked for again");
  await close();
});

const typed = {
  "below the limit": { amount: "9.99", at: "amount", says: /least is 10 USDC/ },
  "above the limit": { amount: "25000.01", at: "amount", says: /most is 25,000 USDC/ },
  "too many decimals": { amount: "10.1234567", at: "amount", says: /6 decimals/ },
  "no amount at all": { amount: "ten", at: "amount", says: /digits/ },
  "a wrong capital": { recipient: alice.replace("C51812", "c51812"), at: "recipient", says: /EIP-55/ },
  "a digit too few": { recipient: alice.slice(0, -1), at: "recipient", says: /40 hexadecimal/ },
  "the zero address": { recipient: `0x${"0".repeat(40)}`, at: "recipient", says: /zero address/ },
  "a private recipient of a public swap": { recipient: zk, at: "recipient", says: /EVM address/ },
};

for (const [name, { at, says, ...fields }] of Object.entries(typed)) {
  test(`${name} is refused at its field, and the server is not asked`, async () => {
    const { page, go, hint, close } = await visit();
    const asked = [];
    page.on("request", (r) => r.url().includes("/quote?") && asked.push(r.url()));
    await go("/");
    await ready(page);
    for (const [param, value] of Object.entries({ ...fields, recipient: fields.recipient ?? alice })) await page.fill(`#${param}`, value);
    await page.getByRole("button", { name: "Get quote" }).click();
    assert.match(await hint(at), says);
    assert.equal(await page.getAttribute(`#${at}`, "aria-invalid"), "true");
    assert.equal(asked.length, 0);
    await close();
  });
}

test("a private recipient is checked to its keys", async () => {
  const { page, go, hint, close } = await visit({ refused: [400] });
  await go(deep(links.shielding, { recipient: "" }));
  await ready(page);
  await page.fill("#recipient", zk.slice(0, -1) + "q");
  assert.match(await hint("recipient"), /checksum/i);
  await page.fill("#recipient", alice);
  assert.match(await hint("recipient"), /0zk address/);
  await page.fill("#recipient", "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48t7unpd9kxwatw8pma02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw50c4jtz");
  assert.match(await hint("recipient"), /another network/);
  await close();
});

test("an address for refunds is offered where a swap takes one", async () => {
  const { page, go, shown, hint, close } = await visit();
  await go(deep(links.public));
  await shown();
  assert.equal(await page.locator("#refundTo").isVisible(), false);
  await page.getByText("More", { exact: true }).click();
  assert.match(await hint("refundTo"), /Ethereum .* back if the swap cannot be paid; without it, the sender does\.$/);
  await page.fill("#refundTo", carol);
  await page.locator(".summary", { hasText: carol }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("refundTo"), carol);
  await page.fill("#refundTo", carol.toLowerCase());
  assert.match(await hint("refundTo"), /No checksum/);
  await page.fill("#refundTo", "");
  await page.selectOption("#srcChain", "42161");
  assert.equal(await page.locator("#refundTo").isVisible(), false);
  await page.selectOption("#srcChain", "69696969");
  assert.match(await hint("refundTo"), /anyone can link it with this swap\. Without it, the recipient does\.$/);
  await close();
});

test("an address for refunds does not vanish unseen when the route takes none", async () => {
  const { page, go, shown, hint, close } = await visit();
  await go(deep(links.refund));
  await shown();
  assert.equal(await page.inputValue("#refundTo"), carol);
  await page.selectOption("#srcChain", "42161");
  assert.match(await hint("refundTo"), /starts with a burn/);
  assert.ok(await page.locator("#result.stale").count());
  await page.fill("#refundTo", "");
  await shown();
  await close();
});

const refused = {
  CHAIN_UNSUPPORTED: { change: { srcChain: 2 }, at: "srcChain" },
  CHAIN_INVALID: { change: { dstChain: "0x171" }, at: "dstChain" },
  TOKEN_UNSUPPORTED: { change: { srcToken: "USD1" }, at: "srcToken" },
  PAIR_UNSUPPORTED: { change: { dstChain: 8453 }, at: "dstToken" },
  AMOUNT_INVALID: { change: { amount: "1e3" }, at: "amount" },
  AMOUNT_TOO_LOW: { change: { amount: "1" }, at: "amount" },
  AMOUNT_TOO_HIGH: { change: { amount: "25000000001" }, at: "amount" },
  ADDRESS_CHECKSUM_MISMATCH: { change: { recipient: alice.replace("C51812", "c51812") }, at: "recipient" },
  RECIPIENT_IS_CONTRACT: { change: { recipient: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }, at: "recipient" },
  RECIPIENT_TYPE_MISMATCH: { change: { recipient: zk }, at: "recipient" },
  REFUND_TO_INVALID: { change: { refundTo: "0x12" }, at: "refundTo" },
  REFUND_TO_ZERO: { change: { refundTo: `0x${"0".repeat(40)}` }, at: "refundTo" },
  REFUND_TO_IS_CONTRACT: { change: { refundTo: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }, at: "refundTo" },
  REFUND_TO_UNSUPPORTED: { change: { srcChain: 42161, refundTo: carol }, at: "refundTo" },
  PARAM_MISSING: { change: { recipient: "" }, at: "recipient" },
  INTEGRATOR_INVALID: { change: { integratorId: "0x12" }, at: "integratorId" },
  INTEGRATOR_NOT_REGISTERED: { change: { integratorId: alice }, at: "integratorId" },
  REGISTRY_UNAVAILABLE: { change: { integratorId: "0x90F79bf6EB2c4f870365E785982E1f101E93b906" }, at: "integratorId", status: 503 },
};

for (const [code, { change, at, status = 400 }] of Object.entries(refused)) {
  test(`${code} is shown at ${at}`, async () => {
    const { page, go, close } = await visit({ refused: [status] });
    await go(deep(links.public, change));
    const why = page.locator(`#${at}-hint .why`);
    await why.waitFor();
    assert.equal(await why.innerText(), code);
    assert.equal(await page.getAttribute(`#${at}`, "aria-invalid"), "true");
    assert.equal(await page.locator(".why").count(), 1);
    await why.click();
    const row = page.locator(":target");
    assert.match(await row.innerText(), new RegExp(code));
    await close();
  });
}

test("several faults are shown together, each at its field", async () => {
  const { page, go, close } = await visit({ refused: [400] });
  await go(deep(links.public, { srcChain: 2, dstToken: "DAI", recipient: "0x12" }));
  await page.locator("#recipient-hint .why").waitFor();
  assert.deepEqual(await page.locator(".why").allInnerTexts(), ["CHAIN_UNSUPPORTED", "TOKEN_UNSUPPORTED", "RECIPIENT_INVALID"]);
  await close();
});

test("the budget is shown, typing leaves some of it, and its end is explained", async () => {
  const asked = [];
  const { page, go, shown, close } = await visit({ server: limited, refused: [429], alone: true });
  page.on("request", (r) => r.url().includes("/quote?") && asked.push(new URL(r.url()).searchParams.get("amount")));
  await page.clock.install();
  await go(deep(links.public));
  await shown();
  assert.match(await page.locator("#budget").innerText(), /^28\/30 requests left$/);
  await page.evaluate(() => Promise.all(Array.from({ length: 23 }, () => fetch("/v3/app/routers"))));
  await page.fill("#amount", "20");
  await shown();
  assert.match(await page.locator("#budget").innerText(), /^4\/30/);
  await page.fill("#amount", "30");
  await page.clock.runFor(2_000);
  assert.ok(await page.locator("#result.stale").count(), "typing does not spend the rest");
  assert.deepEqual(asked, ["1000000000", "20000000"]);
  for (let amount = 31; amount < 36; amount++) {
    await page.fill("#amount", String(amount));
    await page.getByRole("button", { name: "Get quote" }).click();
    await page.locator("#result[aria-busy=false]").waitFor();
  }
  assert.match(await page.locator("#form-error").innerText(), /try again in \d+ s/i);
  await close();
});

test("a server that is gone is said so, and the form can be used again", async () => {
  const { page, go, shown, close } = await visit({ refused: ["ERR_"] });
  await go(deep(links.public));
  await shown();
  await page.route("**/quote?*", (r) => r.abort());
  await page.fill("#amount", "77");
  await page.getByText("cannot be reached").waitFor();
  await page.unroute("**/quote?*");
  await page.getByRole("button", { name: "Get quote" }).click();
  await shown();
  await close();
});
