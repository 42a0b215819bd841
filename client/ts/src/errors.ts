import type { Code, Limits, Quote } from './types.js'

/**
 * A field of an answer that is not what the pins and the request make of it.
 * The transaction it belongs to must not be signed.
 */
export class Mismatch extends Error {
  override name = 'Mismatch'

  /**
   * @param field the path of the field in the answer, such as approval.spender;
   * an argument of a call is named behind the call, as in
   * methodParameters.calldata.recipient
   */
  constructor(
    readonly field: string,
    readonly want: string | undefined,
    readonly got: string | undefined,
  ) {
    const is = got === undefined ? 'is missing' : `is ${got}`
    const should = want === undefined ? 'should not be there' : `should be ${want}`
    super(`${field} ${is}, and ${should}: do not sign`)
  }
}

/**
 * A shielding swap whose answer has no proof that the encrypted recipient is
 * the one asked for. Everything else about the quote holds: whoever wants to
 * trust the server with it takes it from here.
 */
export class Unproven extends Error {
  override name = 'Unproven'

  constructor(readonly quote: Quote) {
    super('the answer has no proof that the encrypted recipient is yours, and only whoever encrypted it could know: ask with include=proof')
  }
}

/** A request that cannot be quoted, whoever is asked. */
export class Invalid extends Error {
  override name = 'Invalid'

  constructor(
    readonly code: Code,
    readonly param: string,
    message: string,
  ) {
    super(`${param}: ${message}`)
  }
}

/** One thing that is wrong with a request, as a server says it. */
export type Fault = { code: Code; detail: string; param?: string; limits?: Limits }

/** A server's answer that it has no quote to give. */
export class Refusal extends Error {
  override name = 'Refusal'

  /**
   * @param retryAfter how many seconds to wait before asking again, if the
   * server says so
   * @param requestId what to name when asking whoever runs the server
   */
  constructor(
    readonly status: number,
    readonly faults: Fault[],
    readonly retryAfter: number | undefined,
    readonly requestId: string | undefined,
  ) {
    const said = faults.map((f) => (f.param ? `${f.param}: ` : '') + `${f.code}: ${f.detail}`).join('; ')
    super(`the server answers ${status}: ${said || 'and gives no reason: is there a hubquote at this address?'}`)
  }

  /** The code of what is to be fixed first. */
  get code(): Code | undefined {
    return this.faults[0]?.code
  }
}
