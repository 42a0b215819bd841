import { askPatiently, baseOf, type Options } from './client.js'
import { Invalid, Refusal, Unreadable } from './errors.js'
import { sleep } from './sleep.js'
import { maxTracking, readTracking } from './tracking.js'
import type { Hex, Status, Tracking } from './types.js'

export type TrackOptions = Omit<Options, 'accept'> & {
  /** The chain of the transaction, if it is known: a hash that is not known yet is looked up there. */
  srcChain?: string
}

/** Reads the hash of a transaction. */
export function parseHash(text: string): Hex {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Invalid('HASH_INVALID', 'txHash', 'not a hash: write 0x and 64 hexadecimal digits')
  return text.toLowerCase() as Hex
}

/**
 * Asks once where a swap is, by the hash of any of its transactions. It returns
 * what the server says; {@link prove} compares that with chains.
 *
 * @param server its address, such as https://quotes.example
 */
export async function track(server: string, txHash: string, options: TrackOptions = {}): Promise<Tracking> {
  return ask(server, txHash, options, {})
}

async function ask(server: string, txHash: string, options: TrackOptions, more: Record<string, string>): Promise<Tracking> {
  const query = new URLSearchParams({ txHash: parseHash(txHash), ...(options.srcChain && { srcChain: options.srcChain }), ...more })
  const { status, body } = await askPatiently(`${baseOf(server)}/v3/swap/status?${query}`, options, maxTracking)
  if (status !== 200) throw new Unreadable('', `has the HTTP status ${status}`, status)
  return readTracking(body)
}

/** Whether a status is the end. */
export const isFinal = ({ status }: Status) => status === 'done' || status === 'refunded'

/** Whether nothing more will come: all orders are at their end, or the transaction made none. */
export function isOver({ orders, reason }: Tracking): boolean {
  return orders.length > 0 ? orders.every((s) => isFinal(s) || s.reason === 'no_order') : reason === 'reverted' || reason === 'no_order'
}

/** Whether an answer is less far than another: (revision, step) never falls. */
const before = (a: Tracking, b: Tracking) => a.revision < b.revision || (a.revision === b.revision && a.step < b.step)

export type WaitOptions = Omit<TrackOptions, 'patience'> & {
  /** Is given every answer that is no older than the one before, and says whether to stop; by default {@link isOver} does. */
  until?: (t: Tracking) => boolean
  /** Is told why a request failed that will be sent again in some seconds. */
  onRetry?: (error: unknown, seconds: number) => void
}

/**
 * Asks until an answer is the one to wait for. It sends no more than a request a
 * second, lets the server hold each until there is news, comes back when the server
 * says, and throws the signal's reason once that is aborted. After a request that is
 * lost on the way, or that the server cannot answer now, it asks again, up to five
 * times in a row.
 */
export async function waitFor(server: string, txHash: string, options: WaitOptions = {}): Promise<Tracking> {
  const { until = isOver, onRetry, signal } = options
  let last: Tracking | undefined
  for (let failures = 0; ; ) {
    let answer: Tracking | undefined
    let pause = 1
    try {
      answer = await ask(server, txHash, { ...options, patience: 0 }, last ? newsAfter(last, options.timeout) : {})
      failures = 0
    } catch (error) {
      signal?.throwIfAborted()
      pause = pauseAfter(error, failures++)
      onRetry?.(error, pause)
    }
    if (answer && !(last && before(answer, last))) {
      last = answer
      if (until(answer)) return answer
    }
    await sleep(pause, signal)
  }
}

/** The server may hold the request for a little less than it may take. */
function newsAfter({ revision, step }: Tracking, timeout = 10_000): Record<string, string> {
  const wait = Math.max(0, Math.min(25, Math.floor(timeout / 1000) - 2))
  return { wait: `${wait}s`, after: `${revision}.${step}` }
}

/** How many requests in a row may fail: a server without a settler says 503 for ever. */
const patience = 5

/** The seconds until the next request. An error that another request would not change is thrown. */
function pauseAfter(error: unknown, failures: number): number {
  if (error instanceof Refusal && error.status === 429 && error.retryAfter) return error.retryAfter
  const lost = error instanceof TypeError || (error as Error)?.name === 'TimeoutError' // how fetch fails without an answer
  const busy = error instanceof Refusal && error.retryAfter !== undefined
  const proxy = error instanceof Unreadable && error.status !== undefined && error.status >= 500
  if (!(lost || busy || proxy) || failures >= patience) throw error
  return (busy && error.retryAfter) || 2 ** failures
}
