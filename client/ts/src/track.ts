import { askPatiently, baseOf, type Options } from './client.js'
import { Invalid, Mismatch, Refusal } from './errors.js'
import { readAnswer } from './json.js'
import type { Hex, Status, Tracking } from './types.js'

export type TrackOptions = Omit<Options, 'accept'> & {
  /** The chain of the transaction, if it is known: a hash that is not known yet is looked up there. */
  srcChain?: string
}

/** How long a request may wait for news, in seconds; less than a request may take. */
const longWait = 8

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
  const { status, body } = await askPatiently(`${baseOf(server)}/v3/swap/status?${query}`, options)
  if (status !== 200) throw new Mismatch({ code: 'ANSWER_STATUS', field: '', want: '200', got: String(status) })
  return readTracking(body)
}

const stages = ['unknown', 'confirming', 'attesting', 'paying', 'paid', 'delivering', 'claimable', 'refunding', 'done', 'refunded']

/** Reads an answer: one object without a repeated key, whose marks are sums of the orders'. */
export function readTracking(body: string | Uint8Array): Tracking {
  const read = readAnswer(body)
  if (!read) throw new Mismatch({ code: 'ANSWER_NOT_JSON', field: '' })
  if (read.repeated !== undefined) throw new Mismatch({ code: 'FIELD_REPEATED', field: read.repeated })
  const t = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Tracking
  if (!Array.isArray(t.orders)) throw new Mismatch({ code: 'FIELD_MISSING', field: 'orders', want: 'a list' })
  t.orders.forEach((s, i) => {
    if (!stages.includes(s.status)) throw new Mismatch({ code: 'FIELD_DIFFERS', field: `orders.${i}.status`, want: stages.join(', '), got: String(s.status) })
    if (!Array.isArray(s.legs)) throw new Mismatch({ code: 'FIELD_MISSING', field: `orders.${i}.legs`, want: 'a list' })
  })
  for (const field of ['revision', 'step'] as const) {
    const sum = t.orders.reduce((n, s) => n + s[field], 0)
    if (t[field] !== sum) throw new Mismatch({ code: 'FIELD_DIFFERS', field, want: String(sum), got: String(t[field]) })
  }
  return t
}

/** Whether a status is the end. */
export const isFinal = ({ status }: Status) => status === 'done' || status === 'refunded'

/** Whether an answer is less far than another: (revision, step) never falls. */
const before = (a: Tracking, b: Tracking) => a.revision < b.revision || (a.revision === b.revision && a.step < b.step)

export type WaitOptions = TrackOptions & {
  /** Is given every answer that says more than the one before, and says whether to stop; by default at the end of all orders. */
  until?: (t: Tracking) => boolean
}

/**
 * Asks until an answer is the one to wait for. It waits as long as the server
 * asks for that, sends no more than a request a second, and stops when the
 * signal is aborted.
 */
export async function waitFor(server: string, txHash: string, options: WaitOptions = {}): Promise<Tracking> {
  const until = options.until ?? ((t) => t.orders.length > 0 && t.orders.every(isFinal))
  let last: Tracking | undefined
  for (;;) {
    const more: Record<string, string> = last ? { wait: `${longWait}s`, after: `${last.revision}.${last.step}` } : {}
    const { answer, pause } = await politely(() => ask(server, txHash, options, more))
    if (answer && !(last && before(answer, last))) {
      last = answer
      if (until(answer)) return answer
    }
    await sleep(pause, options.signal)
  }
}

/** A server that says when to come back is asked again then; every other error is the caller's. */
async function politely(ask: () => Promise<Tracking>): Promise<{ answer?: Tracking; pause: number }> {
  try {
    return { answer: await ask(), pause: 1 }
  } catch (e) {
    if (e instanceof Refusal && e.retryAfter) return { pause: e.retryAfter }
    throw e
  }
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
