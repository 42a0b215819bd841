import { Unreadable } from './errors.js'
import { join, Literal, readAnswer, show, type Json } from './json.js'
import type { Tracking } from './types.js'

/** The longest answer that is read. One of a hundred orders has about 200 kB. */
export const maxTracking = 1 << 20

/** Reads a value at a path, or throws. */
type Read = (value: Json, path: string) => unknown

const refuse = (path: string, want: string, got: Json): never => {
  throw new Unreadable(path, `is ${show(got)}, and should be ${want}`)
}

const text = (pattern: RegExp, want: string): Read => (v, path) => (typeof v === 'string' && pattern.test(v) ? v : refuse(path, want, v))

const hash = text(/^0x[0-9a-f]{64}$/, '32 bytes in hexadecimal')
const address = text(/^0x[0-9a-fA-F]{40}$/, 'an address')
const bytes = text(/^0x([0-9a-f]{2})*$/, 'bytes in hexadecimal')
const integer = text(/^(0|[1-9][0-9]{0,77})$/, 'an integer')
const word = text(/^[a-z_]{1,40}$/, 'a word') // of a list that may grow

const count: Read = (v, path) => {
  const n = v instanceof Literal && /^(0|[1-9][0-9]{0,15})$/.test(v.text) ? Number(v.text) : NaN
  return Number.isSafeInteger(n) ? n : refuse(path, 'a whole number', v)
}

const flag: Read = (v, path) => (v instanceof Literal && /^(true|false)$/.test(v.text) ? v.text === 'true' : refuse(path, 'true or false', v))

const time: Read = (v, path) => {
  const ok = typeof v === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(v) && Number.isFinite(Date.parse(v))
  return ok ? v : refuse(path, 'a time in UTC', v)
}

const list = (item: Read): Read => (v, path) => (Array.isArray(v) ? v.map((x, i) => item(x, `${path}[${i}]`)) : refuse(path, 'a list', v))

/** Fields that are not named are left out, since the list of fields grows. */
const object = (required: Record<string, Read>, optional: Record<string, Read> = {}): Read => (v, path) => {
  if (!(v instanceof Map)) return refuse(path, 'an object', v)
  const out: Record<string, unknown> = {}
  for (const [key, read] of Object.entries({ ...required, ...optional })) {
    const value = v.get(key)
    if (value !== undefined) out[key] = read(value, join(path, key))
    else if (key in required) throw new Unreadable(join(path, key), 'is missing')
  }
  return out
}

const stages = ['unknown', 'confirming', 'attesting', 'paying', 'paid', 'delivering', 'claimable', 'refunding', 'done', 'refunded']

const order = object({
  srcPlace: integer, srcPool: address, refundTo: address, nonce: integer, srcDecimals: count, amount: integer, dstPlace: integer, dstPool: address,
  dstToken: address, rate: count, integratorId: hash, recipientType: count, recipient: bytes, deadline: count,
})

const status = object(
  { status: text(new RegExp(`^(${stages.join('|')})$`), 'a known status'), revision: count, step: count, delayed: flag,
    legs: list(object({ kind: word, chainId: count, txHash: hash, final: flag }, { block: count, blockHash: hash, time })) },
  { orderId: hash, reason: word, since: time, eta: time, amounts: object({ deposited: integer, pays: integer }), order,
    action: object({ kind: word, chainId: count, to: address, data: bytes }, { after: time }) },
)

const answer = object({ asOf: time, revision: count, step: count, orders: list(status) }, {
  reason: word, stale: flag, omitted: count, chains: list(object({ chainId: count, head: count, final: count })),
})

/** Reads the answer about a transaction. What a server of this edition would not write is refused. */
export function readTracking(body: string | Uint8Array): Tracking {
  if (body.length > maxTracking) throw new Unreadable('', 'is longer than 1 MiB')
  const read = readAnswer(body)
  if (!read) throw new Unreadable('', 'is not one JSON object in UTF-8')
  if (read.repeated !== undefined) throw new Unreadable(read.repeated, 'is there twice')
  const t = answer(read.value, '') as Tracking
  t.orders.forEach((s, i) => {
    const parts = [s.orderId, s.order, s.amounts].filter((part) => part !== undefined).length
    if (parts % 3 !== 0) throw new Unreadable(`orders[${i}]`, 'has not all of orderId, order and amounts')
  })
  for (const field of ['revision', 'step'] as const) {
    const sum = t.orders.reduce((n, s) => n + s[field], 0)
    if (t[field] !== sum) throw new Unreadable(field, `is ${t[field]}, and the orders' come to ${sum}`)
  }
  return t
}
