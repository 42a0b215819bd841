// Verification: everything in a quote is derived again from what was asked, the
// list of routes and the router registry, and compared. Nothing in the quote is
// used to judge the quote.

import { checksum, native, parseAddress, parseIntegrator, sameAddress } from "./address.js";
import { big, equal, hex, integer, unhex } from "./bytes.js";
import * as calldata from "./calldata.js";
import * as note from "./note.js";
import { human, maxBurnFee, millionths, mostBurnFee, rescale, share } from "./units.js";
import { parsePrivate } from "./zk.js";

/**
 * A Report is the outcome: groups of checks, and the byte strings they point
 * into. A check is {name, state, shows, wants, about, part, start, end}; its
 * state is "ok", "bad", or "note" for what a browser cannot know.
 */
class Report {
  groups = [];
  parts = [];

  group(title, about) {
    this.groups.push({ title, about, checks: [] });
  }

  add(check) {
    this.groups.at(-1).checks.push({ id: this.all().length, ...check });
  }

  /** expect adds a check that two texts are the same. */
  expect(name, shows, wants, about, more = {}) {
    const [got, want] = [String(shows ?? "absent"), String(wants)];
    this.add({ name, state: got === want ? "ok" : "bad", shows: got, wants: want, about, ...more });
  }

  all() {
    return this.groups.flatMap((g) => g.checks);
  }

  count(state) {
    return this.all().filter((c) => c.state === state).length;
  }

  get ok() {
    return this.count("bad") === 0 && this.count("ok") > 0;
  }
}

/**
 * verify judges a quote. A world is {routers, facts}: the router registry as
 * served, and what the page was told about burns and tokens. The request is as
 * it was sent, and the route is the one it names.
 */
export async function verify(request, quote, route, world) {
  const report = new Report();
  try {
    const subject = { request, quote, route, world, amount: BigInt(request.amount) };
    subject.integrator = request.integratorId ? parseIntegrator(request.integratorId).bytes : new Uint8Array(32);
    contract(report, subject);
    await call(report, subject);
    approval(report, subject);
    tokens(report, subject);
    fees(report, subject);
    nothingElse(report, subject);
  } catch (error) {
    report.group("The answer");
    report.add({ name: "shape", state: "bad", shows: "unreadable", wants: "a quote", about: String(error.message ?? error) });
  }
  return report;
}

function contract(report, { quote, route, world }) {
  report.group("Contract", "The registry and the quote come from the same server: this finds drift, not a dishonest operator. Pin reviewed addresses in your own configuration for that.");
  const listed = world.routers.filter((r) => r.chainId === route.srcChain && sameAddress(r.srcToken, route.srcToken.address));
  const where = `the registry's only entry for ${route.srcToken.symbol} on ${route.srcChain}`;
  report.expect("to", quote.to, listed.length === 1 ? listed[0].router : `${listed.length} entries`, where);
  report.expect("route.type", quote.route.type, listed[0]?.type, "the registry's kind of this contract");
  report.expect("chain to send on", quote.srcToken.chainId, listed[0]?.network, "the network under the source");
}

function tokens(report, { quote, route, amount, request }) {
  report.group("Tokens and amounts");
  for (const [name, got, want] of [["srcToken", quote.srcToken, route.srcToken], ["destToken", quote.destToken, route.destToken]]) {
    const text = (t) => `${t.symbol} ${t.address}, ${t.decimals} decimals, chain ${t.chainId}`;
    report.expect(name, text(got), text(want), "as in the list of routes");
  }
  const src = route.srcToken;
  report.expect("srcAmount", quote.srcAmount, request.amount, `${human(amount, src.decimals)} ${src.symbol}, as asked for`);
  const inside = amount >= BigInt(route.limits.min) && amount <= BigInt(route.limits.max);
  report.add({
    name: "limits", state: inside ? "ok" : "bad", shows: `${human(amount, src.decimals)} ${src.symbol}`,
    wants: `${route.limits.minHuman} to ${route.limits.maxHuman}`, about: "per transaction, both inclusive",
  });
  const value = isNative(route) ? amount : 0n;
  report.expect("value", quote.methodParameters.value, `0x${value.toString(16)}`, value ? "the amount itself, in the chain's own coin" : "no native coin goes with an ERC-20 swap");
}

const isNative = (route) => sameAddress(route.srcToken.address, native);

function fees(report, { quote, route, amount, request, integrator }) {
  const { fee } = quote;
  const dst = route.destToken;
  const gross = rescale(amount, route.srcToken.decimals, dst.decimals);
  const named = Boolean(request.integratorId);
  const rate = named ? millionths(fee.integrator.percentage) : 0n;
  const protocol = share(route.fee.millionths, gross);
  const partner = rate === null ? 0n : share(rate, gross);
  const units = (n) => `${human(n, dst.decimals)} ${dst.symbol}`;

  report.group("Fees and what arrives", `${units(gross)} before fees: the amount rescaled from ${route.srcToken.decimals} to ${dst.decimals} decimals, rounded down once.`);
  report.expect("fee.protocol.percentage", millionths(fee.protocol.percentage), route.fee.millionths, "in millionths, as in the list of routes");
  report.expect("fee.protocol.amount", fee.protocol.amount, protocol, `${route.fee.percentage} % of it, rounded down: ${units(protocol)}`);
  integratorFee(report, { fee, named, integrator, partner, units });
  report.expect("fee.total.amount", fee.total.amount, protocol + partner, `the sum: ${units(protocol + partner)}`);
  report.expect("destAmount", quote.destAmount, gross - protocol - partner, `what the fees leave: ${units(gross - protocol - partner)}`);
  report.expect("fee.chainId", fee.chainId, route.fee.chainId, "where the pool that pays out is");
  report.expect("fee.token", fee.token, "destination", "fees are counted in the destination token");
}

function integratorFee(report, { fee, named, integrator, partner, units }) {
  if (!named) {
    const empty = fee.integrator.id === undefined && fee.integrator.address === undefined && fee.integrator.percentage === 0;
    report.expect("fee.integrator.amount", empty ? fee.integrator.amount : "somebody is named", "0", "nobody was named");
    return;
  }
  report.expect("fee.integrator.id", fee.integrator.id, hex(integrator), "the partner that was named, as 32 bytes");
  report.expect("fee.integrator.amount", fee.integrator.amount, partner, `${fee.integrator.percentage} % of it, rounded down: ${units(partner)}`);
  report.expect("fee.integrator.address", fee.integrator.address, checksum(integrator.slice(12)), "a partner is paid at the wallet it is named by");
  const rate = millionths(fee.integrator.percentage);
  const sound = rate !== null && rate <= maxPartner;
  report.add({
    name: "fee.integrator.percentage", state: sound ? "note" : "bad", shows: `${fee.integrator.percentage} %`, wants: "at most 1 %",
    about: "The server read the rate from the registry on chain; a browser without a node cannot repeat that. The contract allows no partner more than 1 %.",
  });
}

const maxPartner = 10_000n; // in millionths

function approval(report, { quote, route, amount, world }) {
  const given = quote.approval;
  if (isNative(route)) {
    report.group("Approval");
    report.expect("approval", given === undefined ? "absent" : "present", "absent", "the chain's own coin needs none");
    return;
  }
  const router = parseAddress(routerOf(world, route)).bytes;
  report.group("Approval", calldata.signatures.approve);
  report.expect("approval.token", given?.token, route.srcToken.address, "the source token");
  report.expect("approval.spender", given?.spender, routerOf(world, route), "the registry's contract, and nobody else");
  report.expect("approval.amount", given?.amount, amount, "exactly what the swap takes, never more");
  bytesOf(report, "approval.calldata", given?.calldata, calldata.approveCall(router, amount));

  const wanted = world.facts.reset.some((t) => t.chainId === route.srcToken.chainId && sameAddress(t.address, route.srcToken.address));
  const about = wanted ? "this token refuses to change an allowance that is not zero" : "this token needs no reset";
  report.expect("approval.resetCalldata", given?.resetCalldata === undefined ? "absent" : "present", wanted ? "present" : "absent", about);
  if (wanted) bytesOf(report, "approval.resetCalldata", given?.resetCalldata, calldata.approveCall(router, 0n));
}

const routerOf = (world, route) => world.routers.find((r) => r.chainId === route.srcChain && sameAddress(r.srcToken, route.srcToken.address))?.router ?? "";

async function call(report, subject) {
  const { request, quote, route } = subject;
  const burns = route.type === "CCTP_INBOUND";
  report.group("Call", burns ? calldata.signatures.depositForBurnWithHook : calldata.signatures.swap);
  const shields = route.recipientType === 2;
  const payee = shields ? parsePrivate(request.recipient, route.destToken.chainId) : parseAddress(request.recipient);
  if (payee.error) throw new Error(payee.error);
  const recipient = shields ? noteFields() : calldata.publicRecipient(payee.bytes);
  const args = {
    dstChain: route.dstChain, amount: subject.amount, recipient, type: route.recipientType,
    dstToken: parseAddress(route.destToken.address).bytes, integrator: subject.integrator,
  };
  const located = bytesOf(report, "calldata", quote.methodParameters.calldata, burns ? burn(subject, args) : calldata.swapCall(args));
  if (shields) await judgeNote(report, located, payee, quote.proof);
}

function burn({ world, route, amount }, args) {
  const facts = world.facts.burns[route.srcChain];
  const maxFee = calldata.unknown("maxFee", "uint", 32, "");
  maxFee.judge = (bytes) => judgeMaxFee(bytes, amount, facts.rate, route.srcToken);
  return calldata.burnCall({
    amount, domain: facts.domain, receiver: parseAddress(facts.receiver).bytes, finality: facts.finality,
    token: parseAddress(route.srcToken.address).bytes, maxFee, hook: calldata.hookData(args),
  });
}

// A live fee may differ from the published one, so that is no fault; but no
// fee is as high as the bound.
function judgeMaxFee(bytes, amount, rate, token) {
  const got = integer(bytes);
  const want = maxBurnFee(amount, rate);
  const units = (n) => `${human(n, token.decimals)} ${token.symbol}`;
  if (equal(bytes, big(want))) return { state: "ok", wants: String(want), about: `the issuer's published fee and a fifth of it: ${units(want)}; the service bears it` };
  if (got >= amount || got > mostBurnFee(amount)) return { state: "bad", wants: `about ${want}`, about: `${units(got)} is more than any fee of the issuer's` };
  return { state: "note", about: `${units(got)}; the published fee would make it ${units(want)}. The server may know a newer fee. It is a ceiling, and the service bears it.` };
}

const noteFields = () => note.parts.map(([name, start, end]) => {
  const f = calldata.unknown(`recipient.${name}`, "bytes", end - start, "");
  f.judge = () => ({ state: "note", about: "" });
  return f;
});

/**
 * bytesOf compares one byte string with its layout: a check for each field, and
 * one for the length. It returns the checks that wait for another judgement.
 */
function bytesOf(report, part, text, fields) {
  const bytes = unhex(text);
  const size = fields.reduce((n, f) => n + f.size, 0);
  report.expect(`length of ${part}`, bytes ? `${bytes.length} bytes` : "not hexadecimal", `${size} bytes`, "nothing follows the last argument");
  if (!bytes) return null;
  const checks = calldata.locate(fields, bytes).map((f) => {
    const shows = calldata.show(f.type, f.got);
    const place = { name: f.name, part, start: f.start, end: f.end, shows, about: f.about };
    const whole = f.got.length === f.size;
    if (f.judge && whole) return { ...place, ...f.judge(f.got) };
    const good = whole && f.want !== null && equal(f.got, f.want);
    return { ...place, state: good ? "ok" : "bad", wants: f.want ? calldata.show(f.type, f.want) : "more bytes" };
  });
  checks.forEach((c) => report.add(c));
  report.parts.push({ name: part, bytes });
  return { bytes, checks: report.groups.at(-1).checks };
}

const without = "It is encrypted, and the server was not asked for the key that opens it: the browser cannot tell whom it pays.";

async function judgeNote(report, located, payee, proof) {
  const start = located?.checks.find((c) => c.name === "recipient.npk")?.start;
  const bytes = located?.bytes.slice(start, start + note.noteLength);
  if (bytes?.length !== note.noteLength) return;
  const named = (name) => located.checks.find((c) => c.name === `recipient.${name}`);
  if (!proof || !note.canOpen()) {
    for (const [name] of note.parts) named(name).about = without;
    return;
  }
  const result = await note.open(bytes, payee, proof);
  const judge = (name, good, about, wants) => Object.assign(named(name), { state: good ? "ok" : "bad", about, wants });
  judge("npk", result.npk, "Poseidon of the address's master key and the random below: only its owner can spend the note", "the recipient's key");
  judge("encryptedBundle[0]", result.sealed, "IV and tag: the note opens with the address's viewing key, so its wallet will find it", "a tag that fits");
  judge("encryptedBundle[1]", result.sealed, "the encrypted random, and the IV of the next field", "the random");
  judge("encryptedBundle[2]", result.record, "the viewing key, encrypted for the sender's own record", "the viewing key");
  judge("shieldKey", result.key, "the public half of a key made for this note alone", "the ephemeral key");
}

const known = new Set(["to", "srcToken", "destToken", "srcAmount", "destAmount", "fee", "approval", "methodParameters", "route", "proof"]);

function nothingElse(report, { quote }) {
  report.group("Nothing else");
  const extra = Object.keys(quote).filter((k) => !known.has(k));
  report.expect("other fields", extra.join(", ") || "none", "none", "no field that this page does not know");
  const fine = [quote.to, quote.srcToken.address, quote.destToken.address].every(spelled);
  report.expect("spelling of addresses", fine ? "EIP-55" : "not EIP-55", "EIP-55", "a digit that was changed does not go unnoticed");
}

function spelled(text) {
  const bytes = unhex(text);
  return bytes !== null && bytes.length === 20 && checksum(bytes) === text;
}
