// The curve that private recipients' keys are on: enough of it to check a note.
// It is for public data and keys that are thrown away; it does not hide what it
// computes with from someone who can measure time.

const p = 2n ** 255n - 19n

/** The order of the base point. */
export const order = 2n ** 252n + 27742317777372353535851937790883648493n

function mod(a: bigint): bigint {
  const rest = a % p
  return rest < 0n ? rest + p : rest
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = mod(b * b)) {
    if (e & 1n) result = mod(result * b)
  }
  return result
}

const inverse = (a: bigint) => power(a, p - 2n)

const d = mod(-121665n * inverse(121666n))
const rootOfMinusOne = power(2n, (p - 1n) / 4n)

/** A point in extended coordinates: x = X/Z, y = Y/Z, T = XY/Z. */
export type Point = readonly [X: bigint, Y: bigint, Z: bigint, T: bigint]

const identity: Point = [0n, 1n, 1n, 0n]

function add(a: Point, b: Point): Point {
  const A = mod((a[1] - a[0]) * (b[1] - b[0]))
  const B = mod((a[1] + a[0]) * (b[1] + b[0]))
  const C = mod(2n * a[3] * b[3] * d)
  const D = mod(2n * a[2] * b[2])
  const [E, F, G, H] = [B - A, D - C, D + C, B + A]
  return [mod(E * F), mod(G * H), mod(F * G), mod(E * H)]
}

function double(a: Point): Point {
  const [A, B] = [mod(a[0] * a[0]), mod(a[1] * a[1])]
  const [G, H] = [B - A, -A - B]
  const [E, F] = [(a[0] + a[1]) ** 2n + H, G - 2n * a[2] * a[2]]
  return [mod(E * F), mod(G * H), mod(F * G), mod(E * H)]
}

export function multiply(scalar: bigint, point: Point): Point {
  let result = identity
  for (let q = point, s = scalar; s > 0n; s >>= 1n, q = double(q)) {
    if (s & 1n) result = add(result, q)
  }
  return result
}

export const isIdentity = (a: Point) => a[0] === 0n && a[1] === a[2]

/** 32 bytes: y, and the lowest bit of x on top. */
export function encode(a: Point): Uint8Array {
  const z = inverse(a[2])
  const x = mod(a[0] * z)
  return toBytes(mod(a[1] * z) | ((x & 1n) << 255n))
}

/** The point with that encoding, or undefined if there is none or it is not the only one. */
export function decode(bytes: Uint8Array): Point | undefined {
  const number = fromBytes(bytes)
  const y = number & (2n ** 255n - 1n)
  if (y >= p) return undefined
  const x = rootOfRatio(mod(y * y - 1n), mod(d * y * y + 1n))
  const odd = number >> 255n
  if (x === undefined || (x === 0n && odd === 1n)) return undefined
  const signed = (x & 1n) === odd ? x : p - x
  return [signed, y, 1n, mod(signed * y)]
}

/** The square root of u/v, if it has one. */
function rootOfRatio(u: bigint, v: bigint): bigint | undefined {
  const candidate = mod(u * v ** 3n * power(u * v ** 7n, (p - 5n) / 8n))
  const check = mod(v * candidate * candidate)
  if (check === u) return candidate
  return check === mod(-u) ? mod(candidate * rootOfMinusOne) : undefined
}

export const base = decode(toBytes(mod(4n * inverse(5n)))) as Point

/** Little-endian. */
export function fromBytes(bytes: Uint8Array): bigint {
  let n = 0n
  for (const b of Array.from(bytes).reverse()) n = (n << 8n) | BigInt(b)
  return n
}

function toBytes(n: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((n >> BigInt(8 * i)) & 255n))
}
