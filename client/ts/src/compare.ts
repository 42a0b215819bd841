import { hexToBigInt, toFunctionSelector, type Hex } from 'viem'
import { functions } from './calldata.js'
import { Mismatch } from './errors.js'
import { parseAddress } from './pins.js'

/**
 * Throws for the first difference between two values, in the order of want.
 * What got has and want has not comes after that.
 */
export function compare(field: string, want: unknown, got: unknown): void {
  if (isObject(want) && isObject(got)) return compareObjects(field, want, got)
  if (Array.isArray(want) && Array.isArray(got)) return compareArrays(field, want, got)
  if (want === got) return
  if (typeof want === 'string' && typeof got === 'string') {
    const d = differingArgument(want, got)
    if (d) throw new Mismatch(join(field, d.name), d.want, d.got)
  }
  throw new Mismatch(field, show(want), show(got))
}

function isObject(v: unknown): v is Record<string, unknown> {
  return typeof v === 'object' && v !== null && !Array.isArray(v)
}

function compareObjects(field: string, want: Record<string, unknown>, got: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(want)) {
    if (!Object.hasOwn(got, key)) throw new Mismatch(join(field, key), show(value), undefined)
    compare(join(field, key), value, got[key])
  }
  for (const key of Object.keys(got)) {
    if (!Object.hasOwn(want, key)) throw new Mismatch(join(field, key), undefined, show(got[key]))
  }
}

function compareArrays(field: string, want: unknown[], got: unknown[]): void {
  for (const [i, value] of want.entries()) {
    if (i >= got.length) throw new Mismatch(`${field}[${i}]`, show(value), undefined)
    compare(`${field}[${i}]`, value, got[i])
  }
  if (got.length > want.length) throw new Mismatch(`${field}[${want.length}]`, undefined, show(got[want.length]))
}

const join = (path: string, key: string) => (path ? `${path}.${key}` : key)

/** For people; short, because a server chose what got is. */
const show = (v: unknown) => (typeof v === 'string' ? v : (JSON.stringify(v) ?? 'nothing')).slice(0, 2000)

/** An argument of a call, or a part of one, and which bytes of the call it takes. */
type Span = { name: string; kind: string; start: number; end: number }

const word = 32
const selectorLength = 4

/** How a burn's hookData is packed; the recipient takes the rest. */
const hook: [name: string, kind: string, start: number, end: number][] = [
  ['dstChain', 'uint256', 0, 32],
  ['dstToken', 'address', 32, 52],
  ['integratorId', 'bytes32', 52, 84],
  ['recipientType', 'uint8', 84, 85],
  ['recipient', 'bytes', 85, Infinity],
]

/**
 * Names the first argument in which two calls differ. It knows where arguments
 * are from want alone, which is ours: got can be anything.
 */
function differingArgument(want: string, got: string): { name: string; want: string; got: string } | undefined {
  if (!isBytes(want) || !isBytes(got)) return undefined
  let i = 0
  while (i < want.length && i < got.length && want[i] === got[i]) i++
  const at = (i >> 1) - 1
  const span = spansOf(want).find((s) => s.start <= at && at < s.end)
  if (!span || i >= got.length) return undefined
  return { name: span.name, want: showSpan(span, want), got: showSpan(span, got) }
}

const isBytes = (s: string) => /^0x([0-9a-f]{2})*$/.test(s)

/** The functions a call can be of, with the kinds and names of their arguments. */
const shapes = Object.values(functions).map((f) => ({
  selector: toFunctionSelector(`function ${f}`),
  params: f.slice(f.indexOf('(') + 1, -1).split(', ').map((p) => p.split(' ') as [kind: string, name: string]),
}))

/** What every byte of a call of ours belongs to; nothing for bytes that are no such call. */
function spansOf(call: string): Span[] {
  for (const { selector, params } of shapes) {
    const head = selectorLength + params.length * word
    if (!call.startsWith(selector) || call.length < 2 + 2 * head) continue // an address may begin like a call
    const spans: Span[] = [{ name: 'function', kind: 'bytes', start: 0, end: selectorLength }]
    params.forEach(([kind, name], i) => {
      const start = selectorLength + i * word
      spans.push({ name, kind, start, end: start + word })
    })
    return [...spans, ...tailOf(call, head, params)]
  }
  return []
}

/** The length, content and padding of the one dynamic argument, if there is one. */
function tailOf(call: string, head: number, params: [string, string][]): Span[] {
  const name = params.find(([kind]) => kind === 'bytes')?.[1]
  if (name === undefined) return []
  const start = head + word
  const end = start + Number(BigInt(`0x${digits(call, head, start)}`))
  const content = name === 'hookData'
    ? hook.map(([part, kind, from, to]) => ({ name: `${name}.${part}`, kind, start: start + from, end: Math.min(start + to, end) }))
    : [{ name, kind: 'bytes', start, end }]
  return [{ name, kind: 'bytes', start: head, end: start }, ...content, { name, kind: 'bytes', start: end, end: Infinity }]
}

const digits = (call: string, start: number, end: number) => call.slice(2 + 2 * start, 2 + 2 * end)

/** Numbers in decimal, addresses in EIP-55, the rest in hexadecimal. */
function showSpan(s: Span, call: string): string {
  const text: Hex = `0x${digits(call, s.start, s.end)}`
  if (text.length < 2 + 2 * (s.end - s.start) && s.end !== Infinity) return 'cut off'
  const bare = s.kind === 'address' ? text.slice(-40) : text.slice(2)
  if (s.kind.startsWith('uint')) return String(hexToBigInt(text))
  if (bare.length === 40 && /^0x0*$/.test(text.slice(0, -40))) return parseAddress(`0x${bare}`, s.name)
  return text
}
