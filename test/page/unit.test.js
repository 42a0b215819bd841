// The page's own arithmetic and cryptography, against literals from elsewhere.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checksum, parseAddress, parseIntegrator } from "../../web/static/js/address.js";
import { ascii, hex, unhex } from "../../web/static/js/bytes.js";
import * as calldata from "../../web/static/js/calldata.js";
import { keccak256 } from "../../web/static/js/keccak.js";
import { open } from "../../web/static/js/note.js";
import { poseidon } from "../../web/static/js/poseidon.js";
import * as units from "../../web/static/js/units.js";
import { parsePrivate } from "../../web/static/js/zk.js";
import { read } from "./corpus.js";

test("keccak256 agrees with other implementations on both sides of a block", () => {
  const counting = (n) => Uint8Array.from({ length: n }, (_, i) => i);
  const vectors = [
    [ascii(""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
    [ascii("abc"), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
    [counting(135), "cbdfd9dee5faad3818d6b06f95a219fd290b0e1706f6a82e5a595b9ce9faca62"],
    [counting(136), "7ce759f1ab7f9ce437719970c26b0a66ff11fe3e38e17df89cf5d29c7d7f807e"],
    [counting(137), "ac73d4fae68b8453f764007c1a20ce95994187861f0c3227a3a8e99a73a3b1db"],
    [counting(300), "a679e749a6af300c36e7ff2255d220864eab27b382f9cfdc5aa4d13563ba36ff"],
  ];
  for (const [data, want] of vectors) assert.equal(hex(keccak256(data)), `0x${want}`);
});

test("addresses are read as EIP-55 says", () => {
  for (const good of [
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ]) {
    assert.equal(checksum(unhex(good)), good);
    assert.deepEqual(parseAddress(good), { bytes: unhex(good), mixed: true });
    assert.equal(parseAddress(good.toLowerCase()).mixed, false);
    assert.equal(parseAddress(`0x${good.slice(2).toUpperCase()}`).mixed, false);
    const digit = good.search(/[A-F]/);
    assert.match(parseAddress(good.slice(0, digit) + good[digit].toLowerCase() + good.slice(digit + 1)).error, /EIP-55/);
  }
  for (const bad of ["", "0x", "0x12", "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "alice.eth"]) assert.ok(parseAddress(bad).error);
});

test("an integrator ID is an address, or one padded on the left", () => {
  const a = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const want = unhex(`0x${"0".repeat(24)}${a.slice(2)}`);
  assert.deepEqual(parseIntegrator(a).bytes, want);
  assert.deepEqual(parseIntegrator(hex(want)).bytes, want);
  for (const bad of [a + "0".repeat(24), `0x1${"0".repeat(23)}${a.slice(2)}`, `0x${"0".repeat(64)}`]) assert.ok(parseIntegrator(bad).error, bad);
});

test("amounts are converted without rounding", () => {
  assert.equal(units.parseUnits("25.5", 6), 25_500_000n);
  assert.equal(units.parseUnits("0.000001", 6), 1n);
  for (const bad of ["", ".5", "5.", "1e3", "-1", "0.0000001", "1,000", " 1"]) assert.equal(units.parseUnits(bad, 6), null, bad);
  assert.equal(units.formatUnits(25_500_000n, 6), "25.5");
  assert.equal(units.formatUnits(1n, 18), "0.000000000000000001");
  assert.equal(units.human(1_234_567_890_000n, 6), "1,234,567.89");
});

test("rescaling rounds down, and fees leave the odd unit with the user", () => {
  assert.equal(units.rescale(1_999_999_999_999n, 18, 6), 1n);
  assert.equal(units.rescale(1n, 6, 18), 1_000_000_000_000n);
  assert.equal(units.share(3_000, 333n), 0n);
  assert.equal(units.share(3_000, 100_000_000n), 300_000n);
  assert.equal(units.millionths(0.3), 3_000n);
  assert.equal(units.millionths(0.00001), null);
});

test("the ceiling of the issuer's fee rounds up twice", () => {
  assert.equal(units.maxBurnFee(50_123_456n, 1_300_000_000n), 7_821n);
  assert.equal(units.maxBurnFee(50_123_456n, 0n), 0n);
  assert.equal(units.maxBurnFee(1n, 1n), 2n);
});

test("selectors are those the contracts have", () => {
  const want = { swap: "0x095ff22d", depositForBurnWithHook: "0x779b432d", approve: "0x095ea7b3" };
  for (const [name, signature] of Object.entries(calldata.signatures)) assert.equal(hex(calldata.selector(signature)), want[name]);
});

test("a burn is laid out as another encoder lays it out", () => {
  const known = unhex(read("internal/calldata/testdata/burn.hex").trim());
  const maxFee = { ...calldata.unknown("maxFee", "uint", 32, ""), want: known.slice(164, 196) };
  const hook = [{ name: "hook", type: "bytes", size: 4, want: unhex("0xdeadbeef") }];
  const call = (receiver) =>
    calldata.encode(calldata.burnCall({ amount: 1_000_000_000n, domain: 0, receiver: unhex(receiver), token: unhex("0xaf88d065e77c8cC2239327C5EDb3A432268e5831"), maxFee, finality: 1000, hook }));
  const [minted, caller] = [call(`0x${"11".repeat(20)}`), call(`0x${"22".repeat(20)}`)];
  minted.set(caller.slice(132, 164), 132); // the other encoder names two receivers
  assert.equal(hex(minted), hex(known));
});

test("0zk addresses are refused for the server's reasons", () => {
  const codes = { EMPTY: "LENGTH", MPK_RANGE: "MASTER_KEY_RANGE", VPK_POINT: "VIEWING_KEY_POINT", VPK_NONCANONICAL: "VIEWING_KEY_NONCANONICAL", VPK_SMALL_ORDER: "VIEWING_KEY_SMALL_ORDER", VPK_TORSION: "VIEWING_KEY_TORSION" };
  for (const { id, address, code } of JSON.parse(read("internal/shield/testdata/shield-invalid.json")).vectors) {
    const network = id === "ok-chain-56" ? 56 : 1;
    const want = code === "OK" ? undefined : `ZK_${codes[code] ?? code}`;
    assert.equal(parsePrivate(address, network).code, want, id);
  }
});

test("poseidon has the constants everybody has", () => {
  assert.equal(BigInt(hex(poseidon(1n, 2n))), 7853200120776062878684798364095072458815029376092732009249414926327459813530n);
});

test("notes that the wallet engine made open, and altered ones do not", async () => {
  const { vectors } = JSON.parse(read("internal/shield/testdata/shield.json"));
  for (const v of vectors.filter((v) => v.chain === null || v.chain.type === 0)) {
    const note = unhex(`0x${v.note}`);
    const keys = parsePrivate(v.address, v.chain?.id ?? 1);
    const proof = { random: `0x${v.random}`, shieldPrivateKey: `0x${v.shieldPrivateKey}` };
    assert.deepEqual(await open(note, keys, proof), { npk: true, sealed: true, record: true, key: true }, v.label);
  }
  const [v] = vectors;
  const keys = parsePrivate(v.address, 1);
  for (let i = 0; i < 160; i += 3) {
    const altered = unhex(`0x${v.note}`);
    altered[i] ^= 1;
    const result = await open(altered, keys, { random: `0x${v.random}`, shieldPrivateKey: `0x${v.shieldPrivateKey}` });
    assert.ok(Object.values(result).includes(false), `byte ${i}`);
  }
});
