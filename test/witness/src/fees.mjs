// Money, in integers only (spec 2.7, D10 to D13).

const million = 1_000_000n

const share = (amount, millionths) => amount * millionths / million

const ceilDiv = (a, b) => (a + b - 1n) / b

export function rescale(amount, from, to) {
  return from < to ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to)
}

export function split(pair, amount, partnerMillionths) {
  const gross = rescale(amount, pair.srcToken.decimals, pair.dstToken.decimals)
  const protocol = share(gross, pair.millionths)
  const integrator = share(gross, partnerMillionths)
  return { protocol, integrator, total: protocol + integrator, received: gross - protocol - integrator }
}

// The first version states its fee in the source token (spec 9.3).
export const inSource = (pair, amount) => share(amount, pair.millionths)

// A percentage has at most four decimals, so its double prints as it was meant.
export const percent = millionths => Number(millionths) / 10_000

// maxFee adds a fifth to the issuer's fee, both rounded up: a unit too little
// would lose the burn its fast lane. The rate is a decimal number of basis
// points, read digit by digit.
export function maxFee(amount, bps) {
  const [whole, fraction = ''] = bps.split('.')
  const fee = ceilDiv(amount * BigInt(whole + fraction), 10_000n * 10n ** BigInt(fraction.length))
  return ceilDiv(fee * 6n, 5n)
}
