// How the page looks: in both colours, on a telephone and on a desk, to people
// who see it and to those who do not. The screenshots are for people to judge.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, alice, colours, deep, links, tamper, visit } from "./browser.js";

const scenes = {
  home: { path: "/", until: ".example" },
  private: { path: deep(links.shielding), until: ".summary" },
  errors: { path: deep(links.public, { srcChain: 2, amount: "1" }), until: ".why", refused: [400] },
  explorer: { path: "/#explorer", until: ".cell" },
  reference: { path: "/docs", until: ".operation" },
  codes: { path: "/errors#amount-too-low", until: ".code:target" },
};

// inBoth judges what a page shows in light and in dark, and keeps a picture of each.
// What axe finds is the same in both, except for contrast.
async function inBoth(page, name, options = {}) {
  const shoot = (scheme) => page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/${name}-${scheme}.png`, ...options });
  await accessible(page, `${name} light`);
  await shoot("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible(page, `${name} dark`, colours);
  await shoot("dark");
}

async function fits(page, width) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= width, `the page is ${wide} pixels wide`);
}

const phoneOrDesk = (width) => ({ viewport: { width, height: width < 600 ? 740 : 900 }, colorScheme: "light", reducedMotion: "reduce" });

for (const width of [360, 1440]) {
  for (const [name, { path, until, refused }] of Object.entries(scenes)) {
    test(`${name} at ${width} pixels, light and dark`, async () => {
      const { page, go, close } = await visit({ ...phoneOrDesk(width), refused });
      await go(path);
      await page.locator(until).first().waitFor();
      await fits(page, width);
      await inBoth(page, `${name}-${width}`);
      await fits(page, width);
      await close();
    });
  }
}

// The three verdicts, as people meet them, and a quote with an address for
// refunds.
const verdicts = {
  proved: { path: deep(links.public) },
  unproven: { path: deep(links.public, { integratorId: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" }) },
  refund: { path: deep(links.refund) },
  refused: { path: deep(links.public), route: tamper((q) => void (q.methodParameters.calldata = q.methodParameters.calldata.replace(alice.slice(2).toLowerCase(), "90f79bf6eb2c4f870365e785982e1f101e93b906"))) },
};

for (const width of [375, 1280]) {
  for (const [name, { path, route }] of Object.entries(verdicts)) {
    test(`${name} at ${width} pixels, light and dark`, async () => {
      const { page, go, shown, close } = await visit({ ...phoneOrDesk(width), route });
      await go(path);
      await shown();
      await inBoth(page, `${name}-${width}`, { fullPage: true });
      await close();
    });
  }
}

// These are in docs/img.
for (const [name, kind, colorScheme, field, top] of [["verify", "cctp", "light", "mintRecipient", "console"], ["shielding", "shielding", "dark", "recipient", "details"]]) {
  test(`the picture of ${name}`, async () => {
    const { page, go, shown, close } = await visit({ viewport: { width: 1360, height: 1060 }, colorScheme });
    await go(deep(links[kind]));
    await shown();
    await page.locator("button.check", { has: page.getByText(field, { exact: true }) }).last().evaluate((b, top) => {
      b.click();
      scrollBy(0, document.getElementById(top).getBoundingClientRect().top - 16);
    }, top);
    await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/${name}.png` });
    await close();
  });
}

test("every panel of an answer is accessible", async () => {
  const { page, go, shown, close } = await visit();
  await go(deep(links.shielding));
  await shown();
  await page.locator(".group").evaluateAll((groups) => groups.forEach((g) => (g.open = true)));
  await accessible(page, "verify, unfolded");
  for (const name of ["Send", "Integrate"]) {
    await page.getByRole("tab", { name }).click();
    await accessible(page, name);
  }
  await close();
});

test("the explorer leads from a cell to its quote", async () => {
  const { page, go, close } = await visit();
  await go("/#explorer");
  await page.getByRole("button", { name: /^WETH on PulseChain/ }).click();
  await page.getByRole("link", { name: "ETH on Robinhood Chain" }).first().click();
  await page.locator("#quote-view").waitFor();
  assert.deepEqual([await page.inputValue("#srcToken"), await page.inputValue("#dstChain")], ["WETH", "4663"]);
  await close();
});

test("every token's column is in view at 1280 pixels", async () => {
  const { page, go, close } = await visit({ viewport: { width: 1280, height: 900 } });
  await go("/#explorer");
  await page.locator(".cell").first().waitFor();
  const cut = await page.locator("#matrix").evaluate((m) => m.scrollWidth - m.clientWidth);
  assert.equal(cut, 0, "pixels of the table that are cut off");
  await close();
});
