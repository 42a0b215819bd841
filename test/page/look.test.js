// How the page looks: in both colours, on a telephone and on a desk, to people
// who see it and to those who do not. The screenshots are for people to judge.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, alice, deep, launch, links, tamper, visit } from "./browser.js";

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser.close());

const scenes = {
  home: { path: "/", until: ".example" },
  private: { path: deep(links.shielding), until: ".summary" },
  errors: { path: deep(links.public, { srcChain: 2, amount: "1" }), until: ".why", refused: [400] },
  explorer: { path: "/#explorer", until: ".cell" },
  reference: { path: "/docs", until: ".operation" },
  codes: { path: "/errors#amount-too-low", until: ".code:target" },
};

for (const width of [360, 1440]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, { path, until, refused }] of Object.entries(scenes)) {
      test(`${name} at ${width} pixels, ${colorScheme}`, async () => {
        const { page, go, close } = await visit(browser, { viewport: { width, height: width < 600 ? 740 : 900 }, colorScheme, refused, reducedMotion: "reduce" });
        await go(path);
        await page.locator(until).first().waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `the page is ${wide} pixels wide`);
        await accessible(page, `${name} ${width} ${colorScheme}`);
        await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/${name}-${width}-${colorScheme}.png` });
        await close();
      });
    }
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
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, { path, route }] of Object.entries(verdicts)) {
      test(`${name} at ${width} pixels, ${colorScheme}`, async () => {
        const { page, go, shown, close } = await visit(browser, { viewport: { width, height: width < 600 ? 740 : 900 }, colorScheme, route, reducedMotion: "reduce" });
        await go(path);
        await shown();
        await accessible(page, `${name} ${width} ${colorScheme}`);
        await page.screenshot({ path: `${process.env.HUBQUOTE_OUT}/${name}-${width}-${colorScheme}.png`, fullPage: true });
        await close();
      });
    }
  }
}

// These are in docs/img.
for (const [name, kind, colorScheme, field, top] of [["verify", "cctp", "light", "mintRecipient", "console"], ["shielding", "shielding", "dark", "recipient", "details"]]) {
  test(`the picture of ${name}`, async () => {
    const { page, go, shown, close } = await visit(browser, { viewport: { width: 1360, height: 1060 }, colorScheme });
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
  const { page, go, shown, close } = await visit(browser);
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
  const { page, go, close } = await visit(browser);
  await go("/#explorer");
  await page.getByRole("button", { name: /^WETH on PulseChain/ }).click();
  await page.getByRole("link", { name: "ETH on Robinhood Chain" }).first().click();
  assert.ok(await page.locator("#quote-view").isVisible());
  assert.deepEqual([await page.inputValue("#srcToken"), await page.inputValue("#dstChain")], ["WETH", "4663"]);
  await close();
});

test("every token's column is in view at 1280 pixels", async () => {
  const { page, go, close } = await visit(browser, { viewport: { width: 1280, height: 900 } });
  await go("/#explorer");
  await page.locator(".cell").first().waitFor();
  const cut = await page.locator("#matrix").evaluate((m) => m.scrollWidth - m.clientWidth);
  assert.equal(cut, 0, "pixels of the table that are cut off");
  await close();
});
