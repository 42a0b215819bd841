// Answers that are no quotes: a portal's page, a broken proxy, an error of
// another shape. Each is something people can read, and none is a script error.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deep, links, visit } from "./browser.js";

const html = "<!doctype html><title>Log in</title><script>alert(1)</script>";

const bodies = {
  "a portal's login page": { body: html, contentType: "text/html", code: "ANSWER_NOT_JSON", says: /login page/ },
  "an empty body": { body: "", code: "ANSWER_NOT_JSON", says: /not a quote/ },
  "null": { body: "null", code: "ANSWER_NOT_JSON", says: /not a quote/ },
  "an empty object": { body: "{}", code: "FIELD_MISSING", says: /to is missing/ },
  "a quote of an older version": { body: '{"toAmount":"1","calldata":"0x"}', code: "FIELD_MISSING", says: /to is missing/ },
  "a status of 201": { status: 201, body: "{}", code: "ANSWER_STATUS", says: /did not answer with a quote/ },
  "a redirection": { status: 302, body: "", headers: { Location: "/elsewhere" }, code: "ANSWER_STATUS", says: /did not answer with a quote/ },
  "a gateway's error page": { status: 502, body: html, contentType: "text/html", code: "ANSWER_STATUS", says: /did not answer with a quote/ },
};

for (const [name, { code, says, ...answer }] of Object.entries(bodies)) {
  test(`${name} is refused in words`, async () => {
    const { page, go, shown, verdict, close } = await visit({ refused: [/Failed to load/], route: (p) => p.route("**/v3/swap/quote?*", (r) => r.fulfill({ contentType: "application/json", ...answer })) });
    await go(deep(links.public));
    await shown();
    assert.match(await verdict(), says);
    assert.equal(await page.locator("#fault").getAttribute("data-code"), code);
    await close();
  });
}

test("a body without an end is read no further than 64 KiB", async () => {
  const { page, go, shown, close } = await visit({
    init: [() => {
      const real = window.fetch;
      window.pulled = 0;
      window.fetch = (path, options) => {
        if (!String(path).includes("/quote?")) return real(path, options);
        const chunk = new Uint8Array(8192).fill(32);
        return Promise.resolve(new Response(new ReadableStream({ pull: (c) => (window.pulled++, c.enqueue(chunk)) }, { highWaterMark: 0 })));
      };
    }],
  });
  await go(deep(links.public));
  await shown();
  assert.equal(await page.locator("#fault").getAttribute("data-code"), "ANSWER_TOO_LARGE");
  assert.equal(await page.evaluate(() => window.pulled), 9, "chunks of 8 KiB");
  await close();
});

const problem = { code: "RATE_LIMITED", detail: "too many requests", status: 429 };

const problems = {
  "a problem": { body: problem, says: /too many requests/i },
  "errors that are an object": { body: { ...problem, errors: {} }, says: /too many requests/i },
  "errors that are text": { body: { ...problem, errors: "abc" }, says: /too many requests/i },
  "errors that hold null": { body: { ...problem, errors: [null] }, says: /too many requests/i },
  "no detail": { body: { code: "X" }, says: /gives no reason/ },
  "a detail that is a number": { body: { code: "X", detail: 7 }, says: /gives no reason/ },
  "null": { body: null, says: /did not answer with a quote/ },
  "a parameter that is no field": { body: { ...problem, param: "constructor" }, says: /too many requests/i },
  "waiting less than nothing": { body: problem, headers: { "Retry-After": "-1" }, says: /too many requests/i, not: /-1|again in/ },
  "waiting until a date": { body: problem, headers: { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" }, says: /too many requests/i, not: /again in/ },
  "waiting a while": { body: problem, headers: { "Retry-After": "7" }, says: /again in 7 s/ },
};

for (const [name, { body, headers = {}, says, not }] of Object.entries(problems)) {
  test(`an error with ${name} is said in words`, async () => {
    const { page, go, close } = await visit({ refused: [/Failed to load/], route: (p) => p.route("**/v3/swap/quote?*", (r) => r.fulfill({ status: 429, body: JSON.stringify(body), headers: { "Content-Type": "application/problem+json", ...headers } })) });
    await go(deep(links.public));
    const place = page.locator("#form-error p, #result .verdict").first();
    await place.waitFor();
    const said = await place.innerText();
    assert.match(said, says);
    if (not) assert.doesNotMatch(said, not);
    await close();
  });
}

const lists = {
  "routes of a portal": ["/v3/app/routes", { body: html, contentType: "text/html" }],
  "routes that are null": ["/v3/app/routes", { body: "null" }],
  "routes without a list": ["/v3/app/routes", { body: "{}" }],
  "routes that are empty": ["/v3/app/routes", { body: '{"data":[]}' }],
  "routes of another shape": ["/v3/app/routes", { body: '{"data":[1]}' }],
  "no pins": ["/page/pins.json", { status: 404, body: "" }],
  "pins of a portal": ["/page/pins.json", { body: html, contentType: "text/html" }],
};

for (const [name, [path, answer]] of Object.entries(lists)) {
  test(`${name}: the page says that it cannot start`, async () => {
    const { page, go, close } = await visit({ refused: [/Failed to load/, /preload/], route: (p) => p.route(`**${path}`, (r) => r.fulfill({ contentType: "application/json", ...answer })) });
    await go(deep(links.public));
    await page.locator("#form-error p").waitFor();
    assert.match(await page.locator("#form-error").innerText(), /Reload the page/);
    await close();
  });
}

test("pins of another shape: no quote is shown", async () => {
  const { page, go, close } = await visit({ route: (p) => p.route("**/page/pins.json", (r) => r.fulfill({ json: { format: "hubquote-pins/1" } })) });
  await go(deep(links.public));
  await page.locator("#form-error p").waitFor();
  assert.match(await page.locator("#form-error").innerText(), /Reload the page/);
  assert.equal(await page.locator("#result .verdict").count(), 0);
  await close();
});

// JSON.parse reads these as the pins that they are not.
const spellings = {
  "a repeated key": (text) => text.replace('"decimals":6', '"decimals":18,"decimals":6'),
  "a number in another spelling": (text) => text.replace('"decimals":6', '"decimals":6.0'),
};

for (const [name, alter] of Object.entries(spellings)) {
  test(`pins with ${name}: the page says that it cannot start`, async () => {
    const { page, go, close } = await visit({ route: (p) => p.route("**/page/pins.json", async (r) => {
      const response = await r.fetch();
      const text = await response.text();
      assert.notEqual(alter(text), text);
      await r.fulfill({ response, body: alter(text) });
    }) });
    await go(deep(links.public));
    await page.locator("#form-error p").waitFor();
    assert.match(await page.locator("#form-error").innerText(), /Reload the page/);
    await close();
  });
}

test("contracts of another shape: the explorer says so", async () => {
  const { page, go, close } = await visit({ route: (p) => p.route("**/v3/app/routers", (r) => r.fulfill({ json: { data: 1 } })) });
  await go("/#explorer");
  await page.getByText("list of contracts").waitFor();
  await close();
});
