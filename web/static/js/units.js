// Amounts: between what people write and a token's smallest units, and the
// service's own arithmetic. There is no floating point here.

/**
 * parseUnits reads an amount as people write it to smallest units. It returns
 * null for anything else: nothing is rounded, so a decimal too many is an error.
 */
export function parseUnits(text, decimals) {
  const m = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const frac = m?.[2] ?? "";
  if (!m || frac.length > decimals) return null;
  return BigInt(m[1] + frac.padEnd(decimals, "0"));
}

/** formatUnits is the inverse of parseUnits, in its shortest spelling. */
export function formatUnits(amount, decimals) {
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const frac = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return frac ? `${whole}.${frac}` : whole;
}

/** human is formatUnits with a comma between thousands. */
export function human(amount, decimals) {
  const [whole, frac] = formatUnits(amount, decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return frac ? `${grouped}.${frac}` : grouped;
}

/** rescale converts between tokens of equal worth; it rounds down, once. */
export function rescale(amount, from, to) {
  return from >= to ? amount / 10n ** BigInt(from - to) : amount * 10n ** BigInt(to - from);
}

/** share is what a rate in millionths takes of an amount, rounded down. */
export function share(millionths, amount) {
  return (amount * BigInt(millionths)) / 1_000_000n;
}

/** millionths reads a percentage as JSON has it; null if it is finer than that. */
export function millionths(percentage) {
  return parseUnits(String(percentage), 4);
}

const issuerUnit = 10_000n * 1_000_000_000n;
const ceilDiv = (a, b) => (a + b - 1n) / b;

/**
 * maxBurnFee is the issuer's fee at a rate in billionths of a basis point, and a
 * fifth of that fee for safety; rounded up twice.
 */
export function maxBurnFee(amount, rate) {
  return ceilDiv(ceilDiv(amount * BigInt(rate), issuerUnit) * 6n, 5n);
}

/** mostBurnFee is what no honest maxFee exceeds: that of a rate of 100 bps. */
export const mostBurnFee = (amount) => maxBurnFee(amount, 100_000_000_000n);
