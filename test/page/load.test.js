// How much the page loads, how soon it shows a quote on a slow phone, and that it
// does not move under its reader.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deep, links, visit } from "./browser.js";

const phone = { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

// slow makes the network what browsers call Slow 4G.
async function slow(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 });
  return devtools;
}

// slowest makes the processor a quarter as fast, too. It does so by wasting the rest:
// only figures that people read are worth that.
const slowest = async (page) => (await slow(page)).send("Emulation.setCPUThrottlingRate", { rate: 4 });

// Figures of time are for people to read: a busy machine proves nothing.
for (const kind of ["public", "shielding"]) {
  test(`a deep link to a ${kind} swap loads little, in few requests`, async (t) => {
    const requests = [];
    const { page, go, shown, close } = await visit({ alone: true, ...phone, route: async (page) => {
      await slowest(page);
      page.on("requestfinished", (r) => requests.push(r));
    } });
    await go(deep(links[kind]));
    await shown();
    const drawn = await page.evaluate(() => performance.getEntriesByName("drawn")[0].startTime);
    await page.waitForLoadState("networkidle");
    const sizes = await Promise.all(requests.map(async (r) => (await r.sizes()).responseBodySize));
    const bytes = sizes.reduce((a, b) => a + b, 0);
    t.diagnostic(`Slow 4G, a quarter of the processor: a verified quote after ${Math.round(drawn)} ms; ${requests.length} requests, ${bytes} bytes`);
    assert.ok(requests.length <= 9, `${requests.length} requests, want at most 9: ${requests.map((r) => new URL(r.url()).pathname)}`);
    assert.ok(bytes > 0 && bytes < 93_000, `${bytes} bytes, want less than 93,000`);
    await close();
  });
}

test("nothing is asked for twice", async () => {
  const asked = [];
  const { page, go, shown, close } = await visit({ alone: true, route: (page) => page.on("request", (r) => asked.push(new URL(r.url()).pathname)) });
  await go(deep(links.public));
  await shown();
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked.filter((path, i) => asked.indexOf(path) !== i), []);
  await close();
});

const scenes = { home: ["/", ".example"], quote: [deep(links.cctp), ".summary"], explorer: ["/#explorer", ".contracts tbody tr"] };

// They wait for the network most of the time: so they wait together.
describe("nothing moves while it loads", { concurrency: true }, () => {
  const watch = () => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) if (!e.hadRecentInput) window.shift += e.value;
    }).observe({ type: "layout-shift", buffered: true });
  };
  for (const [device, options] of Object.entries({ desktop: { viewport: { width: 1280, height: 900 } }, phone })) {
    for (const [name, [path, until]] of Object.entries(scenes)) {
      test(`${name} on a ${device} does not move while it loads`, async (t) => {
        const { page, go, close } = await visit({ alone: true, ...options, init: [watch], route: slow });
        await go(path);
        await page.locator(until).first().waitFor();
        await page.waitForLoadState("networkidle");
        const shift = await page.evaluate(() => window.shift);
        t.diagnostic(`layout shift ${shift.toFixed(4)}`);
        assert.ok(shift <= 0.1, `the layout shifts by ${shift}, want at most 0.1`);
        await close();
      });
    }
  }
});
