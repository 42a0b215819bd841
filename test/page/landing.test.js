// Swaps on real local chains, in the page: sent with a devnet's account and
// followed until they land.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deep, devnet, links, visit } from "./browser.js";

for (const name of ["public", "outbound", "native", "cctp", "shielding"]) {
  test(`${name}: sent, followed, and landed exactly as quoted`, async () => {
    const { page, go, shown, close } = await visit({ server: devnet });
    const see = (what) => what.waitFor({ timeout: 120_000 }).catch(async (error) => assert.fail(`${error.message}\n${await page.locator("main").innerText()}`));
    await go(deep(links[name]));
    await shown();
    await page.getByRole("tab", { name: "Send" }).click();
    await page.getByRole("button", { name: /^Devnet: / }).first().click();
    await page.getByRole("button", { name: "Send this swap" }).click();
    await see(page.getByRole("heading", { name: "Landed" }));
    assert.match(await page.locator(".landing").innerText(), /exactly as quoted/);
    // The settler's own word about the same swap, beside the send and by its link.
    await see(page.locator('.send .progress [data-status="done"]'));
    await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/landed-${name}.png`, fullPage: true });
    await page.getByRole("link", { name: "Follow this swap" }).click();
    const card = page.locator('#track-result [data-status="done"]');
    await see(card);
    assert.equal(await card.locator(".steps li.done").count(), await card.locator(".steps li").count(), "every leg is final");
    assert.ok((await card.locator(".steps li").count()) >= 2);
    await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/followed-${name}.png`, fullPage: true });
    await close();
  });
}
