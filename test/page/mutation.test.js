// Every altered answer of the table, and every honest one, in the page: it must
// come to the verdict that the table gives, and show its code and field.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { deep, visit } from "./browser.js";
import { answerOf, mutations, published } from "./corpus.js";

const { pins } = published;

const vectorOf = (row) => published.vectors.find((v) => v.name === row.base);
const requestOf = (row) => ({ include: "", ...vectorOf(row).request, ...(row.include !== undefined && { include: row.include }), ...row.request });

function pinsOf(row) {
  const known = Object.entries(row.integrators ?? {}).map(([wallet, millionths]) => ({ id: `0x${wallet.slice(2).toLowerCase().padStart(64, "0")}`, millionths }));
  return { ...pins, integrators: { ...pins.integrators, known: [...pins.integrators.known, ...known] } };
}

// Rows that ask the same are judged one after the other, first those that share
// their pins: a page reads them once.
const groups = new Map();
for (const row of mutations().sort((a, b) => integrators(a).localeCompare(integrators(b)))) {
  const key = JSON.stringify([requestOf(row), integrators(row)]);
  groups.set(key, [...(groups.get(key) ?? []), row]);
}

function integrators(row) {
  return JSON.stringify(pinsOf(row).integrators);
}

// typed is the request with its amount as people type it, in whole tokens; or null if
// it includes something else than the form asks for.
function typed(row) {
  const { include, ...request } = requestOf(row);
  if (include !== (request.dstChain in pins.privacy ? "proof" : "")) return null;
  const { decimals } = vectorOf(row).quote.srcToken;
  const digits = request.amount.padStart(decimals + 1, "0");
  return { amount: `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`, request };
}

// helpers are what the page is given to be asked with: to ask in a page that is open
// costs about a fifth of loading one.
function helpers() {
  const $ = (id) => document.getElementById(id);
  const asked = []; // the requests for quotes since the last outcome
  const { fetch } = window;
  window.fetch = (path, ...rest) => {
    if (path.startsWith("/v3/swap/quote?")) asked.push(path);
    return fetch(path, ...rest);
  };

  // outcome is what the page shows of an answer; open is what could be taken from it.
  const outcome = () => ({ asked: asked.splice(0), ...shown() });
  function shown() {
    const why = document.querySelector("#console .why");
    const fault = $("fault") ?? document.querySelector(".doubt");
    const held = document.querySelector("#result .verdict");
    const open = document.querySelectorAll("#result .copy, #result .snippet, #result .hex, #result .wallet, #result .primary").length;
    if (why) return { verdict: "refused", code: why.textContent, field: why.closest("[id$=-hint]").id.replace("-hint", ""), shown: why.textContent, open: held ? open : 0, blamed: true };
    return { verdict: held?.dataset.verdict, code: fault?.dataset.code, field: fault?.dataset.field, shown: $("result").innerText, open };
  }

  // until waits while done() is false, from one change of what is watched to the next.
  async function until(done, watched, changes) {
    while (!done()) await new Promise((next) => new MutationObserver((_, watch) => (watch.disconnect(), next())).observe(watched, changes));
  }
  const idle = () => $("result")?.getAttribute("aria-busy") === "false";

  // again presses the button and waits for the next answer, which is drawn anew.
  async function again() {
    const before = $("result").firstElementChild;
    $("ask").click();
    await until(idle, $("result"), { attributeFilter: ["aria-busy"] });
    return { ...outcome(), old: before !== null && before === $("result").firstElementChild };
  }

  // opened waits for the answer to the link that was opened. (Playwright's own waiting
  // would have every page load its scripts first.)
  async function opened() {
    await until(() => idle() && document.querySelector("#result .verdict, #console .why"), document, { subtree: true, attributeFilter: ["aria-busy"] });
    return outcome();
  }

  // press has the outcomes of so many answers, or fewer: the form does not ask again
  // for what it knows to be wrong.
  async function press(times) {
    const outcomes = [];
    while (outcomes.length < times && !outcomes.at(-1)?.blamed) outcomes.push(await again());
    return outcomes;
  }

  // type puts a request into the form, and reports whether the form asks for it: it
  // does not for what is wrong, nor in another spelling than its own. Then the form is
  // left without an amount: it would ask for what it has after a pause.
  function type({ amount, request }) {
    const put = (event, name, value = "") => {
      $(name).value = value;
      $(name).dispatchEvent(new Event(event));
    };
    for (const name of ["srcChain", "srcToken", "dstChain", "dstToken"]) put("change", name, request[name]);
    for (const name of ["recipient", "refundTo", "integratorId"]) put("input", name, request[name]);
    put("input", "amount", amount);
    const link = Object.fromEntries(new URLSearchParams(location.search));
    const same = Object.keys({ ...request, ...link }).every((name) => link[name] === request[name]);
    const asks = same && request.recipient !== "" && !document.querySelector("#console [aria-invalid=true]");
    if (!asks) put("input", "amount");
    return asks;
  }

  window.helpers = { opened, press, type };
}

// What is left to press: nothing of a refused answer, and of an unproven one the
// link to its request.
const left = { refused: 0, unproven: 1 };

function fault(row, { shown, open, asked, old, blamed, ...got }) {
  const want = { verdict: row.verdict, code: row.code, field: row.verdict === "proved" ? undefined : (row.field ?? "") };
  if (asked.length !== 1) return `${asked.length} requests were sent, want 1`;
  const params = Object.fromEntries(new URLSearchParams(asked[0].split("?")[1]));
  if (!sameRequest({ include: "", ...params }, requestOf(row))) return `${asked[0]} was asked`;
  if (old) return "the answer before it is still shown";
  if (["verdict", "code", "field"].some((k) => got[k] !== want[k])) return `got ${Object.values(got).join(" ")}, want ${Object.values(want).join(" ")}`;
  if (row.verdict === "refused" && !shown.includes(row.code)) return `${row.code} is not shown`;
  if (row.verdict !== "proved" && open !== left[row.verdict]) return `${open} ways to send or copy, want ${left[row.verdict]}`;
  return null;
}

const sameRequest = (a, b) => Object.keys({ ...a, ...b }).every((k) => (a[k] ?? "") === (b[k] ?? ""));

// answer gives the pins and the rows' answers to the page, in their order. Playwright's
// own routes would turn the browser's cache off, and pass every file of the page
// through here.
async function answer(page) {
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Fetch.requestPaused", ({ requestId, request }) => {
    const quote = request.url.includes("/v3/swap/quote?");
    const row = rows[Math.min(answered, rows.length - 1)];
    if (quote) answered++;
    const [status, body] = quote ? [row.status ?? 200, answerOf(row)] : [200, Buffer.from(JSON.stringify(pinsOf(row)))];
    devtools.send("Fetch.fulfillRequest", { requestId, responseCode: status, responsePhrase: "as the row says", responseHeaders: [{ name: "Content-Type", value: "application/json" }], body: body.toString("base64") });
  });
  await devtools.send("Fetch.enable", { patterns: [{ urlPattern: "*/page/pins.json" }, { urlPattern: "*/v3/swap/quote?*" }] });
}

let visitor;
let rows; // those that are judged now
let answered = 0; // how many of them
let pinned; // the integrators in the pins that the page was loaded with

// inForm has the outcomes of rows whose request the form asks for, in the page as it
// is; none if it does not.
async function inForm({ page }) {
  const request = pinned === integrators(rows[0]) ? typed(rows[0]) : null;
  return request ? page.evaluate(([request, times]) => (window.helpers.type(request) ? window.helpers.press(times) : []), [request, rows.length]) : [];
}

// byLink has the outcomes of a row whose request is opened as a link, and of those
// that the form then asks for again.
async function byLink({ page, go }, row, times) {
  pinned = integrators(row);
  await go(deep(requestOf(row)), { waitUntil: "commit" });
  return page.evaluate(async (times) => {
    const first = await window.helpers.opened();
    return [first, ...(first.blamed ? [] : await window.helpers.press(times - 1))];
  }, times);
}

const timeout = 300_000; // milliseconds: an answer that is never drawn is not waited for without end

describe("altered answers", () => {
  before(async () => {
    // A small window is drawn in less time. What is read of it is there all the same.
    visitor = await visit({ alone: true, refused: [/Failed to load resource/], viewport: { width: 320, height: 240 }, init: [helpers], route: answer });
  });
  after(() => visitor.close());

  for (const group of groups.values()) {
    test(`${group.length} answers for ${group[0].base}: ${group[0].name}${group.length > 1 ? ", …" : ""}`, { timeout }, async () => {
      [rows, answered] = [group, 0];
      const outcomes = await inForm(visitor);
      while (outcomes.length < rows.length) outcomes.push(...(await byLink(visitor, rows[outcomes.length], rows.length - outcomes.length)));
      const faults = rows.map((row, i) => [`${row.group}: ${row.name}`, fault(row, outcomes[i])]).filter(([, found]) => found);
      assert.deepEqual(faults, []);
      assert.equal(answered, rows.length, "requests that were answered");
    });
  }
});
