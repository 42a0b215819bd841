// Every altered answer of the table, and every honest one, in the page: it must
// come to the verdict that the table gives, and show its code and field.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deep, launch, visit } from "./browser.js";
import { answerOf, mutations, published } from "./corpus.js";

const requestOf = (row) => ({ include: "", ...published.vectors.find((v) => v.name === row.base).request, ...(row.include !== undefined && { include: row.include }), ...row.request });

function pinsOf(row) {
  const known = Object.entries(row.integrators ?? {}).map(([wallet, millionths]) => ({ id: `0x${wallet.slice(2).toLowerCase().padStart(64, "0")}`, millionths }));
  const { pins } = published;
  return { ...pins, integrators: { ...pins.integrators, known: [...pins.integrators.known, ...known] } };
}

// Rows that ask the same are judged in one page, one after the other.
const pages = new Map();
for (const row of mutations()) {
  const key = JSON.stringify([requestOf(row), pinsOf(row).integrators]);
  pages.set(key, [...(pages.get(key) ?? []), row]);
}

// outcome is what the page shows of an answer; open is what could be taken from it.
function outcome() {
  const why = document.querySelector("#console .why");
  const fault = document.getElementById("fault") ?? document.querySelector(".doubt");
  const held = document.querySelector("#result .verdict");
  const open = document.querySelectorAll("#result .copy, #result .snippet, #result .hex, #result .wallet, #result .primary").length;
  if (why) return { verdict: "refused", code: why.textContent, field: why.closest("[id$=-hint]").id.replace("-hint", ""), shown: why.textContent, open: held ? open : 0 };
  return { verdict: held?.dataset.verdict, code: fault?.dataset.code, field: fault?.dataset.field, shown: document.getElementById("result").innerText, open };
}

// again presses the button and waits for the next answer.
async function again() {
  document.getElementById("ask").click();
  const result = document.getElementById("result");
  while (result.getAttribute("aria-busy") === "true") {
    await new Promise((done) => new MutationObserver((_, watch) => (watch.disconnect(), done())).observe(result, { attributeFilter: ["aria-busy"] }));
  }
}

// What is left to press: nothing of a refused answer, and of an unproven one the
// link to its request.
const left = { refused: 0, unproven: 1 };

function fault(row, { shown, open, ...got }) {
  const want = { verdict: row.verdict, code: row.code, field: row.verdict === "proved" ? undefined : (row.field ?? "") };
  if (["verdict", "code", "field"].some((k) => got[k] !== want[k])) return `got ${Object.values(got).join(" ")}, want ${Object.values(want).join(" ")}`;
  if (row.verdict === "refused" && !shown.includes(row.code)) return `${row.code} is not shown`;
  if (row.verdict !== "proved" && open !== left[row.verdict]) return `${open} ways to send or copy, want ${left[row.verdict]}`;
  return null;
}

// answer gives the row's pins and answer to the page. Playwright's own routes would
// turn the browser's cache off, and pass every file of the page through here.
async function answer(page) {
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Fetch.requestPaused", ({ requestId, request }) => {
    const quote = request.url.includes("/v3/swap/quote?");
    if (quote) asked++;
    const [status, body] = quote ? [row.status ?? 200, answerOf(row)] : [200, Buffer.from(JSON.stringify(pinsOf(row)))];
    devtools.send("Fetch.fulfillRequest", { requestId, responseCode: status, responsePhrase: "as the row says", responseHeaders: [{ name: "Content-Type", value: "application/json" }], body: body.toString("base64") });
  });
  await devtools.send("Fetch.enable", { patterns: [{ urlPattern: "*/page/pins.json" }, { urlPattern: "*/v3/swap/quote?*" }] });
}

let browser, visitor, row;
let asked = 0; // how many requests for quotes were answered

before(async () => {
  browser = await launch();
  // A small window is drawn in less time. What is read of it is there all the same.
  visitor = await visit(browser, { refused: [/Failed to load resource/], viewport: { width: 320, height: 240 }, route: answer });
});
after(async () => {
  await visitor.close();
  await browser.close();
});

for (const rows of pages.values()) {
  test(`${rows.length} answers for ${rows[0].base}: ${rows[0].name}${rows.length > 1 ? ", …" : ""}`, async () => {
    const { page, go } = visitor;
    const faults = [];
    for (row of rows) {
      const before = asked;
      const fresh = row === rows[0] || (await page.locator("#console .why").count()) > 0; // the form does not ask again for what it knows to be wrong
      if (fresh) await go(deep(requestOf(row))).then(() => page.locator("#result[aria-busy=false] .verdict, #console .why").first().waitFor());
      else await page.evaluate(again);
      const found = fault(row, await page.evaluate(outcome));
      if (asked !== before + 1) faults.push(`${row.group}: ${row.name}: ${asked - before} requests were sent, want 1`);
      if (found) faults.push(`${row.group}: ${row.name}: ${found}`);
    }
    assert.deepEqual(faults, []);
  });
}
