// The reference and the page of errors, as they are read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { visit } from "./browser.js";

for (const width of [375, 1280]) {
  test(`an open example does not widen the page at ${width} pixels`, async () => {
    const { page, go, close } = await visit({ viewport: { width, height: 800 } });
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
  const { page, go, close } = await visit();
  await go("/errors");
  const codes = await page.locator(".code").count();
  assert.ok(codes > 50, `${codes} codes`);
  assert.equal(await page.locator(".code .exchange").count(), codes);
  await close();
});
