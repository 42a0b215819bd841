// The reference and the page of errors: their examples are read, and copied with
// one press.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { base, launch, visit } from "./browser.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

test("a request is copied as a command for this server, and its answer as it is", async () => {
  const { page, go, close } = await visit(browser, clipboard);
  await go("/docs");
  const example = page.locator("#quote .exchange").first();
  await example.locator("summary").click();
  await example.getByRole("button", { name: "Copy as curl" }).click();
  await example.getByRole("button", { name: "Copied" }).waitFor();
  const [, url] = (await copied(page)).match(/^curl -s '([^']+)'$/);
  assert.ok(url.startsWith(`${base}/v3/swap/quote?`), url);
  const answer = await (await fetch(url)).json();
  await example.getByRole("button", { name: "Copy", exact: true }).click();
  await example.getByRole("button", { name: "Copied" }).last().waitFor();
  assert.deepEqual(JSON.parse(await page.locator("#quote .exchange code").nth(1).innerText()), answer);
  await close();
});

for (const width of [375, 1280]) {
  test(`an open example does not widen the page at ${width} pixels`, async () => {
    const { page, go, close } = await visit(browser, { viewport: { width, height: 800 } });
    for (const path of ["/docs", "/errors"]) {
      await go(path);
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${path} is ${wide} pixels wide, want at most ${width}`);
    }
    await close();
  });
}

test("every code has something to do and an example", async () => {
  const { page, go, close } = await visit(browser);
  await go("/errors");
  const codes = await page.locator(".code").count();
  assert.ok(codes > 50, `${codes} codes`);
  assert.equal(await page.locator(".code .exchange").count(), codes);
  await close();
});
