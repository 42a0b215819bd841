// Bytes and their two spellings: hexadecimal text and big-endian integers.

/** hex writes bytes as 0x and lower-case digits. */
export function hex(bytes) {
  let text = "0x";
  for (const b of bytes) text += b.toString(16).padStart(2, "0");
  return text;
}

/** unhex reads what hex writes, in any letter case. Anything else is null. */
export function unhex(text) {
  if (typeof text !== "string" || !/^0x([0-9a-fA-F]{2})*$/.test(text)) return null;
  const out = new Uint8Array(text.length / 2 - 1);
  for (let i = 0; i < out.length; i++) out[i] = parseInt(text.slice(2 + 2 * i, 4 + 2 * i), 16);
  return out;
}

export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

export function equal(a, b) {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

/** integer reads bytes as a big-endian number. */
export function integer(bytes) {
  return bytes.length ? BigInt(hex(bytes)) : 0n;
}

/** integerLE reads bytes as a little-endian number. */
export function integerLE(bytes) {
  return integer(Uint8Array.from(bytes).reverse());
}

/** big writes a number as size bytes, big-endian. */
export function big(n, size = 32) {
  return unhex("0x" + BigInt(n).toString(16).padStart(2 * size, "0"));
}

/** left pads bytes with zeros on the left to a whole word. */
export function left(bytes) {
  return concat(new Uint8Array(32 - bytes.length), bytes);
}

export function ascii(text) {
  return new TextEncoder().encode(text);
}
