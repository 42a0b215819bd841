// What is copied with one press. A browser has one clipboard for all of its pages, so
// the tests that read it are in this file, one after the other.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { base, deep, links, visit } from "./browser.js";

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

test("what programs need can be copied, and a proof is not kept", async () => {
  const { page, go, shown, close } = await visit(clipboard);
  await go(deep(links.shielding));
  await shown();
  await page.getByRole("tab", { name: "Integrate" }).click();
  const copied = async (name) => {
    await page.getByRole("tab", { name, exact: true }).click();
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.locator("[role=tabpanel]:visible .snippet").getByRole("button").click();
    return (await page.waitForFunction(() => navigator.clipboard.readText())).jsonValue(); // once it is not empty
  };
  const quote = JSON.parse(await copied("JSON"));
  assert.equal(quote.proof, undefined);
  assert.equal(quote.destAmount, "497500000");
  const again = await (await fetch(/'(.+)'/.exec(await copied("curl"))[1])).json();
  assert.equal(again.to, quote.to);
  assert.ok(again.proof, "curl asks for the proof, as the page did");
  writeFileSync(`${process.env.HUBQUOTE_OUT}/pins.json`, await (await fetch(`${base}/page/pins.json`)).text());
  for (const [name, file] of [["Go", "snippet.go"], ["TypeScript", "snippet.mts"]]) writeFileSync(`${process.env.HUBQUOTE_OUT}/${file}`, await copied(name)); // page_test.go runs them
  assert.equal(JSON.parse(await copied("Calls")).calls.length, 3);
  await close();
});

test("a request is copied as a command for this server, and its answer as it is", async () => {
  const { page, go, close } = await visit(clipboard);
  await go("/docs");
  const example = page.locator("#quote .exchange").first();
  await example.locator("summary").click();
  await example.getByRole("button", { name: "Copy as curl" }).click();
  await example.getByRole("button", { name: "Copied" }).waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const [, url] = (await copied()).match(/^curl -s '([^']+)'$/);
  assert.ok(url.startsWith(`${base}/v3/swap/quote?`), url);
  const answer = await (await fetch(url)).json();
  await example.getByRole("button", { name: "Copy", exact: true }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("{")); // no longer the command
  assert.deepEqual(JSON.parse(await copied()), answer);
  assert.deepEqual(JSON.parse(await page.locator("#quote .exchange code").nth(1).innerText()), answer);
  await close();
});
