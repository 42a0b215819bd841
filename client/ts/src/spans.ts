import { functions, shapeOf } from './calldata.js'
import { parseAddress } from './pins.js'

/**
 * An argument of a call, or a part of one, and which bytes of the call it
 * takes. The kind is the argument's type; parts that carry no value of their
 * own are of the kind selector, offset, length or padding.
 */
export type Span = { name: string; kind: string; start: number; end: number; text: string }

type Place = Omit<Span, 'text'>

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

const shapes = Object.values(functions).map(shapeOf)

/** The argument of every byte of a call of ours; none for any other bytes. */
export function spans(call: string): Span[] {
  const size = sizeOf(call)
  return placesOf(call)
    .filter((p) => p.start < Math.min(p.end, size))
    .map((p) => ({ ...p, end: Math.min(p.end, size), text: read(p, call) }))
}

const sizeOf = (call: string) => (/^0x([0-9a-f]{2})*$/.test(call) ? call.length / 2 - 1 : -1)

const digits = (call: string, start: number, end: number) => call.slice(2 + 2 * start, 2 + 2 * end)

function placesOf(call: string): Place[] {
  for (const { selector, params } of shapes) {
    const head = selectorLength + params.length * word
    if (!call.startsWith(selector) || sizeOf(call) < head) continue // an address may begin like a call
    const words = params.map(({ type, name }, i) => {
      const start = selectorLength + i * word
      return { name, kind: type === 'bytes' ? 'offset' : type, start, end: start + word }
    })
    const bytes = params.find(({ type }) => type === 'bytes')?.name
    const first = { name: 'function', kind: 'selector', start: 0, end: selectorLength }
    return [first, ...words, ...(bytes ? tailOf(call, head, bytes) : [])]
  }
  return []
}

/** The length, content and padding of the one dynamic argument. */
function tailOf(call: string, head: number, name: string): Place[] {
  const start = head + word
  const end = start + Number(BigInt(`0x${digits(call, head, start) || '0'}`))
  const content = name === 'hookData'
    ? hook.map(([part, kind, from, to]) => ({ name: `${name}.${part}`, kind, start: start + from, end: Math.min(start + to, end) }))
    : [{ name, kind: 'bytes', start, end }]
  return [{ name, kind: 'length', start: head, end: start }, ...content, { name, kind: 'padding', start: end, end: sizeOf(call) }]
}

/** Numbers in decimal, addresses in EIP-55, the rest in hexadecimal. */
function read({ kind, start, end }: Place, call: string): string {
  const bare = digits(call, start, end)
  if (bare.length < 2 * (end - start)) return 'cut off'
  if (/^(uint|offset|length)/.test(kind)) return String(BigInt(`0x${bare}`))
  const [above, address] = [bare.slice(0, -40), bare.slice(-40)]
  const isAddress = kind === 'address' ? /^0*$/.test(above) : bare.length === 40
  return isAddress ? parseAddress(`0x${address}`) : `0x${bare}`
}

/**
 * Names the first argument in which two calls differ. The offsets come from want,
 * which was derived here: got can be any bytes.
 */
export function differingArgument(want: string, got: string): { name: string; want: string; got: string } | undefined {
  if (sizeOf(want) < 0 || sizeOf(got) < 0) return undefined
  let i = 0
  while (i < want.length && i < got.length && want[i] === got[i]) i++
  const at = (i >> 1) - 1
  const span = spans(want).find((s) => s.start <= at && at < s.end)
  return span && { name: span.name, want: span.text, got: read(span, got) }
}
