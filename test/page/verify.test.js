// The verifier accepts every published case and refuses every alteration of
// one.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { shields } from "../../web/static/js/world.js";
import { verify } from "../../web/static/js/verify.js";
import { cases, get, world as load } from "./corpus.js";

let world;

before(async () => {
  world = await load();
});

const judge = (request, quote, w = world) => verify(request, quote, w.find(request), w);
const bad = (report) => report.all().filter((c) => c.state === "bad").map((c) => c.name);

test("every published case passes", async () => {
  const all = cases();
  assert.equal(all.length, world.routes.length);
  for (const { name, request, quote } of all) {
    const report = await judge(request, quote);
    assert.deepEqual(bad(report), [], name);
    assert.equal(report.count("note"), shields(world.find(request)) ? 5 : 0, name);
  }
});

// kinds are one case of each kind of payload there is.
function kinds() {
  const found = new Map();
  for (const c of cases()) {
    const { type, recipientType, srcToken, destToken } = world.find(c.request);
    found.set([type, recipientType, Object.keys(c.quote.approval ?? {}), srcToken.decimals, destToken.decimals].join(), c);
  }
  return [...found.values()];
}

// leaves lists the paths of all values that are not objects.
function leaves(value, path = []) {
  if (typeof value !== "object") return [path];
  return Object.entries(value).flatMap(([k, v]) => leaves(v, [...path, k]));
}

function change(quote, path, edit) {
  const copy = structuredClone(quote);
  const holder = path.slice(0, -1).reduce((o, k) => o[k], copy);
  holder[path.at(-1)] = edit(holder[path.at(-1)]);
  return copy;
}

// flip changes one nibble of a hexadecimal text, or the last digit of a number.
const flip = (text, at) => text.slice(0, at) + (parseInt(text[at], 16) ^ 1).toString(16) + text.slice(at + 1);
const spoil = (v) => (typeof v === "number" ? v + 1 : /^0x/.test(v) ? flip(v, v.length - 1) : `${v}1`);

const isBytes = (path) => ["calldata", "resetCalldata"].includes(path.at(-1));

test("a value that differs anywhere is refused", async () => {
  for (const { name, request, quote } of kinds()) {
    for (const path of leaves(quote).filter((p) => !isBytes(p))) {
      const report = await judge(request, change(quote, path, spoil));
      assert.ok(!report.ok, `${name}: ${path.join(".")}`);
    }
  }
});

test("a byte that differs anywhere is refused, but for what is encrypted or a live fee", async () => {
  for (const { name, request, quote } of kinds()) {
    const honest = await judge(request, quote);
    for (const c of honest.all().filter((c) => c.part && c.state === "ok" && c.name !== "maxFee")) {
      const path = c.part.startsWith("approval") ? c.part.split(".") : ["methodParameters", "calldata"];
      for (const at of [c.start, c.end - 1]) {
        const report = await judge(request, change(quote, path, (t) => flip(t, 3 + 2 * at)));
        assert.ok(!report.ok, `${name}: ${c.part} ${c.name} byte ${at}`);
      }
    }
  }
});

test("calldata that goes on, or stops short, is refused", async () => {
  for (const { name, request, quote } of kinds()) {
    for (const edit of [(t) => `${t}00`, (t) => t.slice(0, -2), (t) => t.slice(2), () => "0x", () => undefined]) {
      assert.ok(!(await judge(request, change(quote, ["methodParameters", "calldata"], edit))).ok, name);
    }
  }
});

test("an answer of another shape is refused, whatever it is", async () => {
  const [{ request, quote }] = cases();
  for (const odd of [{}, [], { ...quote, fee: null }, { ...quote, extra: 1 }, { ...quote, approval: undefined }, { ...quote, methodParameters: {} }]) {
    assert.ok(!(await judge(request, odd)).ok);
  }
});

test("an honest quote for another request is refused", async () => {
  const [{ request, quote }] = cases().filter((c) => c.name === "usdc-1-to-usdc-369");
  for (const other of [{ amount: "10000001" }, { recipient: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" }, { srcChain: "8453" }, { integratorId: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" }]) {
    assert.ok(!(await judge({ ...request, ...other }, quote)).ok);
  }
});

test("a router the registry does not list for exactly this token is refused", async () => {
  const [{ request, quote }] = cases().filter((c) => c.name === "usdc-1-to-usdc-369");
  const swapped = Object.assign(Object.create(world), { routers: world.routers.map((r) => (r.chainId === 1 && r.symbol === "USDC" ? { ...r, router: world.routers.find((o) => o.symbol === "DAI").router } : r)) });
  assert.deepEqual(bad(await judge(request, quote, swapped)).slice(0, 1), ["to"]);
});

test("a newer fee of the issuer's is a remark, an absurd one is refused", async () => {
  const [{ request, quote }] = cases().filter((c) => c.name === "usdc-42161-to-usdc-369");
  const withRate = (rate) => Object.assign(Object.create(world), { facts: { ...world.facts, burns: { 42161: { ...world.facts.burns[42161], rate } } } });
  const newer = await judge(request, quote, withRate(1_400_000_000));
  assert.deepEqual([newer.ok, newer.count("note")], [true, 1]);
  const absurd = change(quote, ["methodParameters", "calldata"], (t) => t.slice(0, 2 + 2 * 164) + BigInt(request.amount - 1).toString(16).padStart(64, "0") + t.slice(2 + 2 * 196));
  assert.deepEqual(bad(await judge(request, absurd)), ["maxFee"]);
});

test("a shielded recipient is opened with the server's proof, and only its own opens", async () => {
  const [{ request }] = cases().filter((c) => c.name === "usdt-1-to-usdc-69696969");
  const fetched = (r) => get(`/v3/swap/quote?${new URLSearchParams({ ...r, include: "proof" })}`);
  const quote = await fetched(request);
  const report = await judge(request, quote);
  assert.deepEqual([bad(report), report.count("note")], [[], 0]);
  const other = await fetched(request);
  assert.deepEqual(bad(await judge(request, { ...quote, proof: other.proof })).length, 5);
  const noteStart = 2 + 2 * 228;
  for (let at = 0; at < 160; at += 5) {
    const altered = change(quote, ["methodParameters", "calldata"], (t) => flip(t, noteStart + 2 * at));
    assert.ok(!(await judge(request, altered)).ok, `byte ${at} of the note`);
  }
});
