import { Refusal, type Fault } from './errors.js'
import { parsePrivate } from './note.js'
import { findRoute, type Pins } from './pins.js'
import type { Request } from './request.js'
import type { Problem, Quote } from './types.js'
import { read, verify } from './verify.js'

export type Options = {
  /** How many milliseconds one request may take; ten seconds unless told. */
  timeout?: number
  /**
   * How many seconds to wait altogether when the server says that it is busy
   * and when to come back; none unless told. Nothing else is asked twice.
   */
  patience?: number
  signal?: AbortSignal
  fetch?: typeof fetch
}

/** Many times the size of the largest honest answer. */
const maxAnswer = 64 * 1024

/**
 * Asks a server for a quote and verifies it. What it returns was made here from
 * the pins, and is equal in every field and byte to what the server answered.
 *
 * @param server its address, such as https://quotes.example
 */
export async function quote(server: string, request: Request, pins: Pins, options: Options = {}): Promise<Quote> {
  const route = findRoute(pins, request)
  const { recipient } = read(request, route) // what is hopeless is not sent
  if ('private' in recipient) parsePrivate(recipient.private, route.dst.chainId)
  const asked = route.shields ? { ...request, include: withProof(request.include) } : request
  const answer = await askPatiently(addressOf(server, asked), options)
  return verify(request, answer, pins)
}

const withProof = (include = '') => [...new Set([...include.split(','), 'proof'])].filter(Boolean).join(',')

function addressOf(server: string, request: Request): string {
  const base = server.replace(/\/$/, '').replace(/\/v3\/swap$/, '')
  const query = new URLSearchParams(Object.entries(request).filter(([, value]) => value !== undefined))
  return `${base}/v3/swap/quote?${query}`
}

async function askPatiently(address: string, options: Options): Promise<unknown> {
  for (let left = options.patience ?? 0; ; ) {
    try {
      return await ask(address, options)
    } catch (e) {
      const wait = e instanceof Refusal ? e.retryAfter : undefined
      if (!wait || wait > left) throw e
      left -= wait
      await new Promise((resolve) => setTimeout(resolve, wait * 1000))
      options.signal?.throwIfAborted()
    }
  }
}

async function ask(address: string, options: Options): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeout ?? 10_000)
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
  const response = await (options.fetch ?? fetch)(address, { redirect: 'error', signal })
  const text = await readText(response)
  if (response.status !== 200) throw refusalOf(response, text)
  return JSON.parse(text)
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; ; ) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done) return text + decoder.decode()
    size += value.length
    if (size > maxAnswer) {
      await reader?.cancel()
      throw new Error('the answer is larger than any honest one')
    }
    text += decoder.decode(value, { stream: true })
  }
}

function refusalOf(response: Response, text: string): Refusal {
  const seconds = response.headers.get('Retry-After') ?? ''
  const passes = response.status === 429 || response.status === 503
  const retryAfter = passes && /^[0-9]{1,9}$/.test(seconds) ? Number(seconds) : undefined
  return new Refusal(response.status, faultsOf(text), retryAfter, response.headers.get('X-Request-Id') ?? undefined)
}

function faultsOf(text: string): Fault[] {
  try {
    const problem = JSON.parse(text) as Problem
    return problem.code ? (problem.errors ?? [problem]) : []
  } catch {
    return []
  }
}
