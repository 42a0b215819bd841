// EVM addresses and integrator IDs, read as strictly as the server reads them.

import { ascii, equal, hex, left, unhex } from "./bytes.js";
import { keccak256 } from "./keccak.js";

/** native stands for a chain's own coin where a token address is expected. */
export const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** checksum writes 20 bytes as EIP-55 does. */
export function checksum(bytes) {
  const digits = hex(bytes).slice(2);
  const sum = hex(keccak256(ascii(digits))).slice(2);
  return "0x" + [...digits].map((c, i) => (parseInt(sum[i], 16) >= 8 ? c.toUpperCase() : c)).join("");
}

/**
 * parseAddress reads an address in lower, upper or correct mixed case. It
 * returns {bytes, mixed}, or {error} in words for the field it was typed into.
 */
export function parseAddress(text) {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { error: "An address is 0x and 40 hexadecimal digits." };
  const bytes = unhex(text);
  const mixed = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text.slice(2));
  if (mixed && checksum(bytes) !== text) {
    return { error: "The capital letters do not match the EIP-55 checksum: a digit is probably wrong." };
  }
  return { bytes, mixed };
}

export const isZero = (bytes) => bytes.every((b) => b === 0);

/** parseIntegrator reads a wallet address or its 32-byte form to 32 bytes. */
export function parseIntegrator(text) {
  const padded = /^0x0{24}([0-9a-fA-F]{40})$/.exec(text);
  const { bytes, error } = parseAddress(padded ? "0x" + padded[1] : text);
  if (error) return { error: error.replace("An address", "An integrator ID") };
  if (isZero(bytes)) return { error: "The zero address is nobody's." };
  return { bytes: left(bytes) };
}

/** sameAddress compares two spellings of addresses. */
export function sameAddress(a, b) {
  const [x, y] = [unhex(a), unhex(b)];
  return x !== null && y !== null && x.length === 20 && equal(x, y);
}
