import { offsets, poolName, slice } from './calldata.js'
import { compare } from './compare.js'
import { derive, type Claims } from './derive.js'
import { messageOf, type AnswerCode, type Finding, type Reason } from './errors.js'
import { at, Literal, readAnswer, show, textAt, type Json } from './json.js'
import { makesNote } from './note.js'
import type { Pins } from './pins.js'
import { parseIntegrator, readRequest, zeroId, type Asked, type Request } from './request.js'
import { formatUnits, parseUnits } from './text.js'
import type { Hex, Quote } from './types.js'

/**
 * The result of checking an answer. Proved: every field and byte is equal to the
 * quote derived from the pins. Unproven: the same except for the reasons, and
 * accepted is whether the caller accepts each of them. Refused: do not sign. The
 * quote was derived here and is equal to the answer.
 */
export type Verdict =
  | { verdict: 'proved'; quote: Quote }
  | { verdict: 'unproven'; quote: Quote; reasons: Finding<Reason>[]; accepted: boolean }
  | ({ verdict: 'refused'; message: string } & Finding<AnswerCode>)

/** The reasons to accept, and the status of the answer. */
export type JudgeOptions = { accept?: readonly Reason[]; status?: number }

/** Many times the size of the largest honest answer, in bytes. */
export const maxAnswer = 64 * 1024

/**
 * Derives the quote for a request from the pins and compares it with the body of an
 * answer, as it was received. It needs no network and trusts no server.
 *
 * Three parts of an honest answer cannot be known beforehand, and are bounded
 * instead: the issuer's fee, by the range in the pins; an integrator's
 * rate, by its pin or else the registry's limit; and the encrypted recipient of
 * a shielding swap, by its proof.
 *
 * It throws {@link Invalid} for a request that cannot be quoted, and nothing for
 * an answer, whatever it is.
 */
export function judge(request: Request, body: string | Uint8Array, pins: Pins, options: JudgeOptions = {}): Verdict {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('pass the answer as the text or the bytes that were received: a parsed object has lost its spelling')
  }
  const asked = readRequest(request, pins)
  const answer = open(body, options.status ?? 200)
  if ('code' in answer) return refused(answer)
  const claims = claimsOf(answer.value, asked)
  const quote = derive(asked, pins, claims)
  const wrong =
    checkIntegrator(asked, answer.value, pins) ??
    compare('', readAnswer(JSON.stringify(quote))?.value as Json, answer.value) ??
    checkMaxFee(asked, claims) ??
    checkNote(asked, claims)
  if (wrong) return refused(wrong)
  const reasons = reasonsOf(asked, quote, pins)
  if (reasons.length === 0) return { verdict: 'proved', quote }
  return { verdict: 'unproven', quote, reasons, accepted: reasons.every((r) => options.accept?.includes(r.code)) }
}

type Wrong = Finding<AnswerCode> | undefined

const refused = (finding: Finding<AnswerCode>): Verdict => ({ verdict: 'refused', ...finding, message: messageOf(finding) })

/** The checks that do not depend on the request. */
function open(body: string | Uint8Array, status: number): Finding<AnswerCode> | { value: Json } {
  if (status !== 200) return { code: 'ANSWER_STATUS', field: '', want: '200', got: String(status) }
  if (sizeOf(body) > maxAnswer) return { code: 'ANSWER_TOO_LARGE', field: '' }
  const answer = readAnswer(body)
  if (!answer) return { code: 'ANSWER_NOT_JSON', field: '' }
  return answer.repeated === undefined ? answer : { code: 'FIELD_REPEATED', field: answer.repeated }
}

function sizeOf(body: string | Uint8Array): number {
  const long = body.length > maxAnswer // in any encoding
  return typeof body === 'string' && !long ? new TextEncoder().encode(body).length : body.length
}

/**
 * Reads the claims of an answer from their places in an honest one. In another
 * answer these may be any values, which is harmless: the quote derived with them
 * is not equal to the answer.
 */
function claimsOf(answer: Json, asked: Asked): Claims {
  const call = textAt(answer, 'methodParameters', 'calldata')
  const secret = (key: string, n: number): Hex => slice(textAt(answer, 'proof', key), 0, n)
  return {
    rate: (asked.integratorId !== zeroId && millionths(rateAt(answer))) || 0n,
    maxFee: BigInt(slice(call, offsets.burn.maxFee, 32)),
    note: slice(call, offsets[poolName(asked.refundTo)].recipient, 160),
    proof: { random: secret('random', 16), shieldPrivateKey: secret('shieldPrivateKey', 32) },
  }
}

const percentDecimals = 4

/** A percentage in its one spelling as an integer; undefined for anything else. */
function millionths(percentage: Json | undefined): bigint | undefined {
  if (!(percentage instanceof Literal)) return undefined
  const rate = parseUnits(percentage.text, percentDecimals)
  return rate !== undefined && formatUnits(rate, percentDecimals) === percentage.text ? rate : undefined
}

const pinOf = (id: Hex, pins: Pins) => pins.integrators.known.find((k) => parseIntegrator(k.id) === id)

const rateAt = (answer: Json) => at(answer, 'fee', 'integrator', 'percentage')

/** Checks a partner's rate against its pin, or the registry's limit. */
function checkIntegrator({ integratorId }: Asked, answer: Json, pins: Pins): Wrong {
  if (integratorId === zeroId) return undefined
  if (at(answer, 'fee', 'integrator', 'id') === undefined) return { code: 'FIELD_MISSING', field: 'fee.integrator.id', want: integratorId }
  const pin = pinOf(integratorId, pins)
  const limit = BigInt(pin ? pin.millionths : pins.integrators.maxMillionths)
  const found = rateAt(answer)
  const rate = millionths(found)
  if (rate !== undefined && (pin ? rate === limit : rate <= limit)) return undefined
  const want = `${pin ? '' : 'at most '}${formatUnits(limit, percentDecimals)}`
  return { code: 'INTEGRATOR_RATE_DIFFERS', field: 'fee.integrator.percentage', want, ...(found !== undefined && { got: show(found) }) }
}

/** A billionth of a basis point, ten thousand of which are the whole. */
const issuerUnit = 10_000n * 1_000_000_000n

const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b

/** The fee that a burn offers the issuer: its fee and a fifth of that, rounded up twice. */
export const maxBurnFee = (amount: bigint, rate: bigint) => ceilDiv(ceilDiv(amount * rate, issuerUnit) * 6n, 5n)

/** Checks that a burn's offer follows from a rate within the pins. */
function checkMaxFee({ route, amount }: Asked, { maxFee }: Claims): Wrong {
  if (route.type !== 'CCTP_INBOUND') return undefined
  const [low, high] = [maxBurnFee(amount, route.issuer[0]), maxBurnFee(amount, route.issuer[1])]
  if (maxFee >= low && maxFee <= high) return undefined
  const want = low === high ? String(low) : `between ${low} and ${high}`
  return { code: 'MAX_FEE_DIFFERS', field: 'methodParameters.calldata.maxFee', want, got: String(maxFee) }
}

const noteField = 'methodParameters.calldata.recipient'

/** The last check, because it takes longer than all the others. */
function checkNote({ recipient, include }: Asked, { note, proof }: Claims): Wrong {
  if (!('private' in recipient) || !include.proof || makesNote(note, recipient.private, proof)) return undefined
  return { code: 'NOTE_DIFFERS', field: noteField, want: 'the note that the proof makes for your 0zk address', got: note }
}

/** The reasons for which an answer is unproven. */
function reasonsOf({ route, include, integratorId }: Asked, quote: Quote, pins: Pins): Finding<Reason>[] {
  const reasons: Finding<Reason>[] = []
  if (route.shields && !include.proof) reasons.push({ code: 'NOTE_UNPROVEN', field: noteField })
  if (integratorId !== zeroId && !pinOf(integratorId, pins)) {
    reasons.push({ code: 'INTEGRATOR_RATE_UNPINNED', field: 'fee.integrator.percentage', got: String(quote.fee.integrator.percentage) })
  }
  return reasons
}
