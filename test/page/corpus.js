// The published cases, and the lists of the server under test.

import { readdirSync, readFileSync } from "node:fs";
import { World } from "../../web/static/js/world.js";

const root = new URL("../../", import.meta.url);

export const base = process.env.HUBQUOTE_URL;

export const read = (path) => readFileSync(new URL(path, root), "utf8");

/** cases are {name, request, quote}, one for each supported pair. */
export function cases() {
  const names = readdirSync(new URL("test/quotes/", root)).filter((n) => n.endsWith(".txtar"));
  return names.map((name) => {
    const parts = read(`test/quotes/${name}`).split(/^-- (.+) --$/m);
    const part = (want) => parts[parts.indexOf(want) + 1];
    const request = Object.fromEntries(new URLSearchParams(part("request").replace(/\s/g, "")));
    return { name: name.replace(".txtar", ""), request, quote: JSON.parse(part("v3.json")) };
  });
}

export const get = async (path) => (await fetch(base + path)).json();

export async function world() {
  return new World(await get("/v3/app/routes"), await get("/v3/app/routers"), await get("/page/facts.json"));
}
