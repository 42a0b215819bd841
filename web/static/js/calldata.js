// The calls the service asks people to sign, field by field. A call is laid out
// from what it ought to say; every value has exactly one encoding, so bytes that
// differ anywhere say something else.

import { checksum } from "./address.js";
import { ascii, big, concat, hex, integer, left } from "./bytes.js";
import { keccak256 } from "./keccak.js";

export const signatures = {
  swap: "swap(uint256,uint256,bytes,uint8,address,bytes32)",
  depositForBurnWithHook: "depositForBurnWithHook(uint256,uint32,bytes32,address,bytes32,uint256,uint32,bytes)",
  approve: "approve(address,uint256)",
};

const selectors = new Map();

export function selector(signature) {
  if (!selectors.has(signature)) selectors.set(signature, keccak256(ascii(signature)).slice(0, 4));
  return selectors.get(signature);
}

// A field is {name, type, size, want, about}. Its want is null where the bytes
// cannot be known beforehand.
const field = (name, type, want, about) => ({ name, type, size: want.length, want, about });

const opening = (signature) => field("selector", "selector", selector(signature), "keccak256 of the signature, its first four bytes");
const uint = (name, n, about) => field(name, "uint", big(n), about);
const address = (name, bytes, about) => field(name, "address", left(bytes), about);
const word = (name, bytes, about) => field(name, "bytes", bytes, about);

// tail is a dynamic argument that comes last: its length, its fields, and zeros
// to a whole word.
function tail(name, fields) {
  const size = fields.reduce((n, f) => n + f.size, 0);
  const rest = (32 - (size % 32)) % 32;
  const zeros = rest ? [field("padding", "padding", new Uint8Array(rest), "zeros to a whole word")] : [];
  return [uint(`length of ${name}`, size, "in bytes"), ...fields, ...zeros];
}

/** swapCall is the call of a pool (D14). The recipient is a list of fields. */
export function swapCall({ dstChain, amount, recipient, type, dstToken, integrator }) {
  return [
    opening(signatures.swap),
    uint("dstChain", dstChain, "the destination as asked for"),
    uint("amount", amount, "in the source token's smallest units"),
    uint("offset of recipient", 192, "always 192"),
    uint("recipientType", type, type ? "an encrypted note for a privacy pool" : "an EVM address"),
    address("dstToken", dstToken, "on the destination's network"),
    word("integratorId", integrator, "zero when nobody is named"),
    ...tail("recipient", recipient),
  ];
}

/** burnCall is the call of the issuer's messenger (D17). The hook is a list. */
export function burnCall({ amount, domain, receiver, token, maxFee, finality, hook }) {
  return [
    opening(signatures.depositForBurnWithHook),
    uint("amount", amount, "in the source token's smallest units"),
    uint("destinationDomain", domain, "the issuer's number of the gateway, where the burn is minted"),
    address("mintRecipient", receiver, "the receiver, which reads the hook"),
    address("burnToken", token, "USDC on the source chain"),
    address("destinationCaller", receiver, "the only one who may mint: nobody can mint and skip the hook"),
    maxFee,
    uint("minFinalityThreshold", finality, "fast transfer"),
    uint("offset of hookData", 256, "always 256"),
    ...tail("hookData", hook),
  ];
}

/** hookData is what the receiver is told once the burn is attested (D18). */
export function hookData({ dstChain, dstToken, integrator, type, recipient }) {
  return [
    uint("hook.dstChain", dstChain, "the destination as asked for"),
    field("hook.dstToken", "address", dstToken, "on the destination's network"),
    word("hook.integratorId", integrator, "zero when nobody is named"),
    field("hook.recipientType", "uint", big(type, 1), "an EVM address"),
    ...recipient.map((f) => ({ ...f, name: `hook.${f.name}` })),
  ];
}

/** approveCall lets the spender take exactly the amount. */
export function approveCall(spender, amount) {
  return [opening(signatures.approve), address("spender", spender, "the contract that is called"), uint("amount", amount, "no more than the swap takes")];
}

/** publicRecipient is the recipient of type 0. */
export const publicRecipient = (bytes) => [field("recipient", "address", bytes, "who is paid, as asked for")];

/** unknown is a field whose bytes are judged by other means. */
export const unknown = (name, type, size, about) => ({ name, type, size, want: null, about });

/** encode joins what fields want, which must be known of all of them. */
export const encode = (fields) => concat(...fields.map((f) => f.want));

/** locate gives each field its place in the call and the bytes found there. */
export function locate(fields, bytes) {
  let at = 0;
  return fields.map((f) => {
    const start = at;
    at += f.size;
    return { ...f, start, end: at, got: bytes.slice(start, at) };
  });
}

/** show writes a field's bytes as people read them. */
export function show(type, bytes) {
  if (type === "uint") return String(integer(bytes));
  if (type === "address" && bytes.length >= 20) {
    const [above, low] = [bytes.slice(0, -20), bytes.slice(-20)];
    return above.some((b) => b !== 0) ? hex(bytes) : checksum(low);
  }
  if (bytes.length > 0 && bytes.every((b) => b === 0)) return `${bytes.length} zero bytes`;
  return hex(bytes);
}
