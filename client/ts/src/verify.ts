import { offsets, slice } from './calldata.js'
import { compare } from './compare.js'
import { derive, type Asked, type Claims } from './derive.js'
import { Invalid, Mismatch, Unproven } from './errors.js'
import { makesNote, parsePrivate } from './note.js'
import { findRoute, parseUnits, type PinnedRoute, type Pins } from './pins.js'
import { parseAmount, parseIntegrator, parseRecipient, zeroId, type Request } from './request.js'
import type { Hex, Proof, Quote } from './types.js'

/**
 * Makes the quote for a request anew from the pins, compares it with a server's
 * answer, and returns it: sign what it returns. It needs no network and
 * believes nobody.
 *
 * It throws a {@link Mismatch} for the first field that differs, and
 * {@link Unproven} for a shielding swap that came without its proof.
 *
 * Three things an honest answer holds cannot be known beforehand, and are
 * bounded instead: the issuer's fee, by the range in the pins; an integrator's
 * rate, by its pin or else the registry's limit; and the encrypted recipient of
 * a shielding swap, by its proof.
 */
export async function verify(request: Request, answer: unknown, pins: Pins): Promise<Quote> {
  const route = findRoute(pins, request)
  const asked = read(request, route)
  const claims = claimsOf(answer)
  checkIntegrator(asked.integratorId, answer, claims, pins)
  const quote = derive(asked, route, pins, claims)
  compare('', quote, answer)
  checkMaxFee(route, asked.amount, claims)
  if ('private' in asked.recipient) await prove(asked.recipient.private, route, claims, quote)
  return quote
}

/** The last check, because it costs more than all the others. */
async function prove(recipient: string, route: PinnedRoute, claims: Claims, quote: Quote): Promise<void> {
  const to = parsePrivate(recipient, route.dst.chainId)
  if (!claims.proof) throw new Unproven(quote)
  if (!(await makesNote(claims.note, to, claims.proof))) {
    throw new Mismatch('methodParameters.calldata.recipient', 'the note that the proof makes for your 0zk address', claims.note)
  }
}

/** Reads a request that is to be sent over a pinned route. */
export function read(request: Request, route: PinnedRoute): Asked {
  const amount = parseAmount(request.amount)
  if (amount < route.min || amount > route.max) {
    const code = amount < route.min ? 'AMOUNT_TOO_LOW' : 'AMOUNT_TOO_HIGH'
    throw new Invalid(code, 'amount', `a swap takes from ${route.min} to ${route.max} of the token's smallest unit`)
  }
  return { amount, recipient: parseRecipient(request.recipient, route.shields), integratorId: parseIntegrator(request.integratorId) }
}

/**
 * Reads what an answer claims from where an honest one has it. One that is not
 * honest gives nonsense here, which does no harm: the quote that is made with
 * it will not compare equal.
 */
function claimsOf(answer: unknown): Claims {
  const call = textAt(answer, 'methodParameters', 'calldata')
  const proof = at(answer, 'proof')
  return {
    rate: 0n,
    maxFee: BigInt(slice(call, offsets.burn.maxFee, 32)),
    note: slice(call, offsets.pool.recipient, 160),
    proof: proof === undefined ? undefined : proofOf(answer),
    decoded: at(answer, 'decoded') !== undefined,
    calls: at(answer, 'calls') !== undefined,
  }
}

function proofOf(answer: unknown): Proof {
  const bytes = (key: string, n: number): Hex => slice(textAt(answer, 'proof', key), 0, n)
  return { random: bytes('random', 16), shieldPrivateKey: bytes('shieldPrivateKey', 32) }
}

/** The value behind keys, or undefined where there is nothing. */
function at(v: unknown, ...keys: string[]): unknown {
  for (const key of keys) {
    if (typeof v !== 'object' || v === null || !Object.hasOwn(v, key)) return undefined
    v = (v as Record<string, unknown>)[key]
  }
  return v
}

function textAt(v: unknown, ...keys: string[]): string {
  const found = at(v, ...keys)
  return typeof found === 'string' ? found : ''
}

/** Makes sure that a partner takes no more than it may. */
function checkIntegrator(id: Hex, answer: unknown, claims: Claims, pins: Pins): void {
  if (id === zeroId) return
  if (at(answer, 'fee', 'integrator', 'id') === undefined) throw new Mismatch('fee.integrator.id', id, undefined)
  const percentage = at(answer, 'fee', 'integrator', 'percentage')
  claims.rate = typeof percentage === 'number' ? millionths(percentage) : 0n
  const known = pins.integrators.known.find((k) => parseIntegrator(k.id) === id)
  const limit = BigInt(known ? known.millionths : pins.integrators.maxMillionths)
  if (known ? claims.rate !== limit : claims.rate > limit) {
    const want = `${known ? '' : 'at most '}${Number(limit) / 10_000}`
    throw new Mismatch('fee.integrator.percentage', want, String(percentage))
  }
}

/** A percentage as an integer; what is no such number is none. */
function millionths(percentage: number): bigint {
  const text = String(percentage)
  return /^\d+(\.\d{1,4})?$/.test(text) ? parseUnits(text, 4) : 0n
}

/** A billionth of a basis point, ten thousand of which are the whole. */
const issuerUnit = 10_000n * 1_000_000_000n

const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b

/** What a burn offers the issuer: its fee and a fifth of that, rounded up twice. */
export const maxBurnFee = (amount: bigint, rate: bigint) => ceilDiv(ceilDiv(amount * rate, issuerUnit) * 6n, 5n)

/** Makes sure that a burn offers what some rate in the pins comes to. */
function checkMaxFee(route: PinnedRoute, amount: bigint, claims: Claims): void {
  if (route.type !== 'CCTP_INBOUND') return
  const low = maxBurnFee(amount, route.issuer[0])
  const high = maxBurnFee(amount, route.issuer[1])
  if (claims.maxFee >= low && claims.maxFee <= high) return
  const want = low === high ? String(low) : `between ${low} and ${high}`
  throw new Mismatch('methodParameters.calldata.maxFee', want, String(claims.maxFee))
}
