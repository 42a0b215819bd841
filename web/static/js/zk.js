// Private recipients: the 0zk address and the checks the server makes of it.

import { integer } from "./bytes.js";
import { add, decompress, identity, multiply, order, same } from "./curve.js";
import { field } from "./poseidon.js";

const prefix = "0zk";
const length = 127;
const payloadLength = 73;
const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const bech32m = 0x2bc830a3;
const mask = [...new TextEncoder().encode("railgun"), 0];

const refuse = (code, error) => ({ code, error });

/** looksPrivate tells a 0zk address from an EVM address by its first letters. */
export const looksPrivate = (text) => /^0zk/i.test(text);

/**
 * parsePrivate reads a 0zk address for a note on one network. It returns
 * {master, viewing}, or {code, error} with the server's own code.
 */
export function parsePrivate(text, network) {
  const key = `${network} ${text}`;
  if (last.key !== key) last = { key, value: parse(text, network) };
  return last.value;
}

let last = {}; // a form asks about the same address again and again

function parse(text, network) {
  const payload = decode(text);
  if (payload.error) return payload;
  const [version, master, bound, viewing] = [payload[0], payload.slice(1, 33), payload.slice(33, 41), payload.slice(41)];
  if (version !== 1) return refuse("ZK_VERSION", "This version of 0zk address is not known.");
  const key = integer(master);
  if (key === 0n || key >= field) return refuse("ZK_MASTER_KEY_RANGE", "The master key in this address is out of range: nobody could spend the money.");
  const fault = viewingFault(viewing);
  if (fault) return fault;
  const place = integer(bound.map((b, i) => b ^ mask[i]));
  const everywhere = place === 2n ** 64n - 1n;
  if (!everywhere && place !== BigInt(network)) return refuse("ZK_CHAIN_MISMATCH", "This address is for another network than the one the money goes to.");
  return { master, viewing };
}

function decode(text) {
  if (/[^\x00-\x7f]/.test(text)) return refuse("ZK_NON_ASCII", "A 0zk address has plain letters and digits only.");
  if (text.length !== length) return refuse("ZK_LENGTH", `A 0zk address has exactly ${length} characters; this one has ${text.length}.`);
  if (/[a-z]/.test(text) && /[A-Z]/.test(text)) return refuse("ZK_MIXED_CASE", "A 0zk address is all in lower case or all in upper case.");
  const lower = text.toLowerCase();
  if (lower[3] !== "1") return refuse("ZK_BECH32", "A 0zk address has a 1 as its fourth character.");
  if (!lower.startsWith(prefix)) return refuse("ZK_PREFIX", "A private recipient begins with 0zk1.");
  const words = [...lower.slice(4)].map((c) => alphabet.indexOf(c));
  if (words.includes(-1)) return refuse("ZK_CHARSET", "This address has a character that no 0zk address has.");
  if (polymod([...expand(), ...words]) !== bech32m) return refuse("ZK_CHECKSUM", "The checksum does not match: some character is wrong.");
  return pack(words.slice(0, -6));
}

const expand = () => {
  const codes = [...prefix].map((c) => c.charCodeAt(0));
  return [...codes.map((c) => c >> 5), 0, ...codes.map((c) => c & 31)];
};

function polymod(words) {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  let sum = 1;
  for (const w of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ w;
    generator.forEach((g, i) => (sum ^= (top >> i) & 1 ? g : 0));
  }
  return sum >>> 0;
}

// pack joins words of five bits to bytes; the bit to spare must be zero, or an
// address would have two spellings.
function pack(words) {
  const n = words.reduce((sum, w) => (sum << 5n) | BigInt(w), 0n);
  if (n & 1n) return refuse("ZK_PADDING", "This address is not in its one valid form.");
  const digits = (n >> 1n).toString(16).padStart(2 * payloadLength, "0");
  return Uint8Array.from(digits.match(/../g), (byte) => parseInt(byte, 16));
}

function viewingFault(key) {
  const found = decompress(key);
  if (!found) return refuse("ZK_VIEWING_KEY_POINT", "The viewing key in this address is not a point of its curve: no wallet could find the money.");
  if (!found.canonical) return refuse("ZK_VIEWING_KEY_NONCANONICAL", "The viewing key in this address is not in its one valid form.");
  if (same(multiply(8n, found.point), identity)) return refuse("ZK_VIEWING_KEY_SMALL_ORDER", "Anybody could read what is encrypted to the viewing key in this address.");
  if (!same(add(multiply(order - 1n, found.point), found.point), identity)) {
    return refuse("ZK_VIEWING_KEY_TORSION", "The wallet could not read what is encrypted to the viewing key in this address.");
  }
  return null;
}
