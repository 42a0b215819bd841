import { printable } from './text.js'
import type { Code, Limits, Quote } from './types.js'

/** Why an answer is refused, in the order in which it is judged. */
export type AnswerCode =
  | 'ANSWER_STATUS' // a status other than 200
  | 'ANSWER_TOO_LARGE' // more than 64 KiB
  | 'ANSWER_NOT_JSON' // not one JSON object in UTF-8
  | 'FIELD_REPEATED' // the same key twice in one object
  | 'INTEGRATOR_RATE_DIFFERS' // not the pinned rate, or more than any partner may take
  | 'FIELD_MISSING'
  | 'FIELD_DIFFERS' // in value, in type, or in how a number is spelled
  | 'FIELD_EXTRA'
  | 'MAX_FEE_DIFFERS' // not what a rate in the pins comes to
  | 'NOTE_DIFFERS' // the proof does not make the encrypted recipient

/** Why an answer in which everything else holds is not proved. */
export type Reason =
  | 'NOTE_UNPROVEN' // a shielding swap that was asked for without its proof
  | 'INTEGRATOR_RATE_UNPINNED' // a partner whose rate is bounded, but not pinned

/**
 * Something about one field. A field is named by its path in the answer, such
 * as approval.spender; an argument of a call is named behind the call, as in
 * methodParameters.calldata.recipient. Keys and values may be a server's:
 * show them through {@link printable}.
 */
export type Finding<C = AnswerCode | Reason> = { code: C; field: string; want?: string; got?: string }

/** A message about the finding that is safe to show. */
export function messageOf({ code, field, want, got }: Finding): string {
  switch (code) {
    case 'ANSWER_STATUS': return `the answer has the status ${printable(got ?? '')}, and a quote has 200: do not sign`
    case 'ANSWER_TOO_LARGE': return 'the answer is larger than 64 KiB, and no honest one is: do not sign'
    case 'ANSWER_NOT_JSON': return 'the answer is not one JSON object in UTF-8: do not sign'
    case 'FIELD_REPEATED': return `${printable(field)} is there twice: do not sign`
    case 'NOTE_UNPROVEN': return 'the answer has no proof that the encrypted recipient is yours: ask with include=proof, or accept NOTE_UNPROVEN'
    case 'INTEGRATOR_RATE_UNPINNED': return `no pin says what this integrator may take, and it takes ${printable(got ?? '')} %: pin its rate, or accept INTEGRATOR_RATE_UNPINNED`
  }
  const is = got === undefined ? 'is missing' : `is ${printable(got)}`
  const should = want === undefined ? 'should not be there' : `should be ${printable(want)}`
  return `${printable(field)} ${is}, and ${should}: do not sign`
}

/**
 * An answer that differs from the quote derived from the pins. Its transaction
 * must not be signed.
 */
export class Mismatch extends Error {
  override name = 'Mismatch'
  readonly code: AnswerCode
  readonly field: string
  readonly want: string | undefined
  readonly got: string | undefined

  constructor(finding: Finding<AnswerCode>) {
    super(messageOf(finding))
    this.code = finding.code
    this.field = finding.field
    this.want = finding.want
    this.got = finding.got
  }
}

/**
 * An answer that could be checked except for its reasons. To use it nevertheless,
 * accept every reason by its code.
 */
export class Unproven extends Error {
  override name = 'Unproven'

  constructor(readonly quote: Quote, readonly reasons: Finding<Reason>[]) {
    super(reasons.map(messageOf).join('; '))
  }
}

/** An answer that is not a status. Ask again, or tell the server's operator. */
export class Unreadable extends Error {
  override name = 'Unreadable'

  /**
   * @param field where in the answer; empty for all of it
   * @param status the HTTP status, if it is not 200
   */
  constructor(readonly field: string, why: string, readonly status?: number) {
    super(`the answer is not a status: ${field ? printable(field) : 'it'} ${printable(why)}`)
  }
}

/** A request that no server can quote. */
export class Invalid extends Error {
  override name = 'Invalid'

  constructor(readonly code: Code, readonly param: string, message: string) {
    super(`${param}: ${code}: ${message}`)
  }
}

/** One thing that is wrong with a request, as a server says it; safe to show. */
export type Fault = { code: string; detail: string; param?: string; limits?: Limits }

/** A server's answer that it has no quote to give, with at least one fault. */
export class Refusal extends Error {
  override name = 'Refusal'

  /**
   * @param retryAfter how many seconds to wait before asking again, if the
   * server says so
   * @param requestId to be named when asking the server's operator
   */
  constructor(
    readonly status: number,
    readonly faults: Fault[],
    readonly retryAfter: number | undefined,
    readonly requestId: string | undefined,
  ) {
    const said = faults.map((f) => (f.param ? `${f.param}: ` : '') + `${f.code}: ${f.detail}`).join('; ')
    super(`the server answers ${status}: ${said}`)
  }

  /** The code of the first fault. */
  get code(): string | undefined {
    return this.faults[0]?.code
  }
}
