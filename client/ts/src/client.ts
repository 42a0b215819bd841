import { Invalid, Mismatch, Refusal, Unproven, type Fault } from './errors.js'
import { judge, maxAnswer, type JudgeOptions } from './judge.js'
import type { Pins } from './pins.js'
import { readRequest, type Request } from './request.js'
import { sleep } from './sleep.js'
import { printable } from './text.js'
import type { Limits, Quote } from './types.js'

export type Options = Pick<JudgeOptions, 'accept'> & {
  /** How many milliseconds one request may take. The default is ten seconds. */
  timeout?: number
  /**
   * How many seconds to wait altogether when the server is busy and says when
   * to retry. The default is none. Nothing else is retried.
   */
  patience?: number
  signal?: AbortSignal
  fetch?: typeof fetch
}

/**
 * {@link judge}, for callers that want the quote or an error: {@link Mismatch}
 * for an answer that is refused, and {@link Unproven} for one with a reason that
 * was not accepted. Sign what it returns.
 */
export async function verify(request: Request, body: string | Uint8Array, pins: Pins, options?: JudgeOptions): Promise<Quote> {
  const verdict = judge(request, body, pins, options)
  if (verdict.verdict === 'refused') throw new Mismatch(verdict)
  if (verdict.verdict === 'unproven' && !verdict.accepted) throw new Unproven(verdict.quote, verdict.reasons)
  return verdict.quote
}

/**
 * Requests a quote from a server and verifies it. The quote it returns was derived
 * here from the pins, and is equal in every field and byte to the server's answer.
 * For a shielding swap it requests the proof too.
 *
 * @param server its address, such as https://quotes.example
 */
export async function quote(server: string, request: Request, pins: Pins, options: Options = {}): Promise<Quote> {
  const { route } = readRequest(request, pins) // an invalid request is not sent
  const asked = route.shields ? { ...request, include: withProof(request.include) } : request
  const { status, body } = await askPatiently(addressOf(server, asked), options)
  return verify(asked, body, pins, { ...options, status })
}

const withProof = (include = '') => [...new Set([...include.split(','), 'proof'])].filter(Boolean).join(',')

/** The server's address without the path of the API. */
export function baseOf(server: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(server)) throw new Invalid('PARAM_INVALID', 'server', 'write the address of the server like https://quotes.example')
  return server.replace(/\/$/, '').replace(/\/v3\/swap$/, '')
}

function addressOf(server: string, request: Request): string {
  const base = baseOf(server)
  const query = new URLSearchParams(Object.entries(request).filter(([, value]) => value))
  return `${base}/v3/swap/quote?${query}`
}

/** An answer, and the seconds of its Retry-After. */
type Received = { status: number; body: Uint8Array; wait: number | undefined; refusal: Refusal | undefined }

/** Asks, and again while patience lasts. A longer body than max is cut behind it. */
export async function askPatiently(address: string, options: Options, max = maxAnswer): Promise<Received> {
  for (let left = options.patience ?? 0; ; ) {
    const received = await ask(address, options, max)
    const { wait, refusal } = received
    if (!wait || wait > left) {
      if (refusal) throw refusal
      return received
    }
    left -= wait
    await sleep(wait, options.signal)
  }
}

/** Redirects are not followed: a request names the recipient, and is sent to one server only. */
async function ask(address: string, options: Options, max: number): Promise<Received> {
  const timeout = AbortSignal.timeout(options.timeout ?? 10_000)
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
  const response = await (options.fetch ?? fetch)(address, { redirect: 'manual', signal })
  const body = await readBody(response, max)
  const wait = waitOf(response)
  return { status: response.status, body, wait, refusal: refusalOf(response, body, wait) }
}

/** Reads up to the size of the largest honest answer, and one chunk more. */
async function readBody(response: Response, max: number): Promise<Uint8Array> {
  const body = new Uint8Array(max + 1)
  const reader = response.body?.getReader()
  for (let size = 0; ; ) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done) return body.subarray(0, size)
    body.set(value.subarray(0, body.length - size), size)
    size += value.length
    if (size < body.length) continue
    await reader?.cancel()
    return body
  }
}

function waitOf(response: Response): number | undefined {
  const seconds = response.headers.get('Retry-After') ?? ''
  const passes = response.status === 429 || response.status === 503
  return passes && /^[0-9]{1,9}$/.test(seconds) ? Number(seconds) : undefined
}

/** An error status is a refusal only with a problem document: any proxy can answer 502. */
function refusalOf({ status, headers }: Response, body: Uint8Array, retryAfter: number | undefined): Refusal | undefined {
  const faults = status >= 400 ? faultsOf(body) : []
  const requestId = headers.get('X-Request-Id')
  return faults.length === 0 ? undefined : new Refusal(status, faults, retryAfter, requestId === null ? undefined : printable(requestId))
}

/** More than a request has parameters. */
const maxFaults = 32

/** The faults of a problem document (RFC 9457) with a code; none for any other body. */
function faultsOf(body: Uint8Array): Fault[] {
  try {
    const problem = JSON.parse(new TextDecoder().decode(body))
    const first = faultOf(problem)
    const listed = Array.isArray(problem.errors) ? problem.errors.slice(0, maxFaults).flatMap(faultOf) : []
    return first.length > 0 && listed.length > 0 ? listed : first
  } catch {
    return []
  }
}

function faultOf(said: Record<string, unknown> | null): Fault[] {
  const { code, detail, param, limits } = said ?? {}
  if (typeof code !== 'string' || !code) return []
  return [{
    code: printable(code),
    detail: typeof detail === 'string' ? printable(detail) : '',
    ...(typeof param === 'string' && param && { param: printable(param) }),
    ...limitsOf(limits),
  }]
}

function limitsOf(said: unknown): { limits?: Limits } {
  const { token, decimals, min, max, minHuman, maxHuman } = (said ?? {}) as Limits
  const texts = [token, min, max, minHuman, maxHuman].every((t) => typeof t === 'string')
  if (!texts || !/^\d+ \d+$/.test(`${min} ${max}`) || !Number.isInteger(decimals)) return {}
  return { limits: { token: printable(token), decimals, min, max, minHuman: printable(minHuman), maxHuman: printable(maxHuman) } }
}
