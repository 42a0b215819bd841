// The curve of ed25519, as far as a viewing key needs it. Nothing here is
// secret from the page, so nothing here is constant-time.

import { big, integerLE } from "./bytes.js";

const p = 2n ** 255n - 19n;
const mod = (n) => ((n % p) + p) % p;

function power(base, exponent) {
  let out = 1n;
  for (base = mod(base); exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) out = (out * base) % p;
    base = (base * base) % p;
  }
  return out;
}

const invert = (n) => power(n, p - 2n);
const d = mod(-121665n * invert(121666n));
const rootOfMinusOne = power(2n, (p - 1n) / 4n);

/** order of the base point. */
export const order = 2n ** 252n + 27742317777372353535851937790883648493n;

const point = (x, y) => ({ x, y, z: 1n, t: mod(x * y) });
export const identity = point(0n, 1n);
export const base = decompress(big(mod(4n * invert(5n))).reverse()).point;

export function add(a, b) {
  const A = mod((a.y - a.x) * (b.y - b.x));
  const B = mod((a.y + a.x) * (b.y + b.x));
  const C = mod(2n * d * a.t * b.t);
  const D = mod(2n * a.z * b.z);
  const [E, F, G, H] = [B - A, D - C, D + C, B + A];
  return { x: mod(E * F), y: mod(G * H), z: mod(F * G), t: mod(E * H) };
}

export function multiply(scalar, a) {
  let out = identity;
  for (; scalar > 0n; scalar >>= 1n) {
    if (scalar & 1n) out = add(out, a);
    a = add(a, a);
  }
  return out;
}

export function same(a, b) {
  return mod(a.x * b.z - b.x * a.z) === 0n && mod(a.y * b.z - b.y * a.z) === 0n;
}

export function compress(a) {
  const z = invert(a.z);
  const y = mod(a.y * z) | ((mod(a.x * z) & 1n) << 255n);
  return big(y).reverse();
}

/**
 * decompress reads 32 bytes. It returns {point, canonical}, where canonical says
 * that compressing gives the same bytes, or null when there is no such point.
 */
export function decompress(bytes) {
  const encoded = integerLE(bytes);
  const sign = encoded >> 255n;
  const y = mod(encoded & (2n ** 255n - 1n));
  const u = mod(y * y - 1n);
  const v = mod(d * y * y + 1n);
  let x = mod(u * power(v, 3n) * power(u * power(v, 7n), (p - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * rootOfMinusOne);
  if (mod(v * x * x) !== u) return null;
  if ((x & 1n) !== sign) x = mod(-x);
  const found = point(x, y);
  return { point: found, canonical: integerLE(compress(found)) === encoded };
}
