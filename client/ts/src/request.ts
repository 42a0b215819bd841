import { pad } from 'viem'
import { Invalid } from './errors.js'
import { parsePrivate, readPrivate, type PrivateAddress } from './note.js'
import { findRoute, parseAddress, parsePlace, parseToken, type PinnedRoute, type Pins } from './pins.js'
import { formatUnits } from './text.js'
import type { Address, Hex } from './types.js'

/** The parameters of a request for a quote, as they are sent. */
export type Request = {
  srcChain: string
  srcToken: string
  dstChain: string
  dstToken: string
  /** An integer in the source token's smallest unit. */
  amount: string
  /** An EVM address, or a 0zk address when the swap ends in a privacy pool. */
  recipient: string
  /**
   * The EVM address on the source's network that gets the deposit back if the
   * swap cannot be paid; not for burns, which go back to the account that burns.
   */
  refundTo?: string
  integratorId?: string
  recipientType?: string
  /** Extra fields: a comma-separated list of decoded, calls, proof. */
  include?: string
}

/** The recipient, parsed. */
export type Recipient = { address: Address } | { private: PrivateAddress }

/** A request, parsed and compared with the pins. */
export type Asked = {
  route: PinnedRoute
  amount: bigint
  recipient: Recipient
  refundTo: Address | undefined
  integratorId: Hex
  include: Record<'decoded' | 'calls' | 'proof', boolean>
}

export const zeroId: Hex = `0x${'0'.repeat(64)}`

/**
 * Reads a request, or throws {@link Invalid} for one that no server could
 * answer: first how each parameter is written, then what the pins have for it.
 */
export function readRequest(request: Request, pins: Pins): Asked {
  const read = <T>(param: keyof Request, parse: (text: string, param: string) => T) => parse(need(request, param), param)
  read('srcToken', parseToken)
  read('dstToken', parseToken)
  const amount = read('amount', parseAmount)
  read('srcChain', parsePlace)
  read('dstChain', parsePlace)
  read('recipient', checkRecipient)
  const refundTo = request.refundTo === undefined ? undefined : read('refundTo', parseRefundTo)
  const integratorId = request.integratorId === undefined ? zeroId : read('integratorId', parseIntegrator)
  const include = parseInclude(request.include === undefined ? [] : read('include', (text) => text.split(',')))
  const route = findRoute(pins, request)
  checkAmount(amount, route)
  const recipient = parseRecipient(request.recipient, route)
  checkRefundTo(refundTo, route)
  return { route, amount, recipient, refundTo, integratorId, include }
}

function need(request: Request, param: keyof Request): string {
  const value: unknown = request?.[param]
  if (value === undefined || value === null || value === '') throw new Invalid('PARAM_MISSING', param, 'this parameter is required')
  if (typeof value !== 'string') throw new Invalid('PARAM_INVALID', param, 'write this parameter as a string')
  return value
}

function parseAmount(text: string): bigint {
  if (!/^[1-9][0-9]{0,77}$/.test(text)) throw new Invalid('AMOUNT_INVALID', 'amount', 'not a positive integer: write it in decimal digits without sign, point or leading zeros')
  const amount = BigInt(text)
  if (amount >= 2n ** 256n) throw new Invalid('AMOUNT_INVALID', 'amount', 'too large for any token')
  return amount
}

function checkAmount(amount: bigint, { min, max, src }: PinnedRoute): void {
  if (amount >= min && amount <= max) return
  const [low, high] = [formatUnits(min, src.decimals), formatUnits(max, src.decimals)]
  throw new Invalid(amount < min ? 'AMOUNT_TOO_LOW' : 'AMOUNT_TOO_HIGH', 'amount', `a swap takes between ${low} and ${high} ${src.symbol}`)
}

const isPrivate = (text: string) => /^0zk/i.test(text)

/** Checks that some route can pay a recipient. */
function checkRecipient(text: string): void {
  if (isPrivate(text)) readPrivate(text)
  else if (BigInt(parseAddress(text)) === 0n) throw new Invalid('RECIPIENT_ZERO', 'recipient', 'the zero address cannot receive a swap')
}

/** Reads the recipient in the form that the route pays. */
export function parseRecipient(text: string, route: PinnedRoute): Recipient {
  checkRecipient(text)
  if (isPrivate(text) !== route.shields) {
    throw new Invalid('RECIPIENT_TYPE_MISMATCH', 'recipient', 'a swap into a privacy pool needs a 0zk address, and any other an EVM address')
  }
  return route.shields ? { private: parsePrivate(text, route.dst.chainId) } : { address: parseAddress(text) }
}

/** Reads the account for refunds. */
export function parseRefundTo(text: string): Address {
  const address = parseAddress(text, 'refundTo', 'REFUND_TO_INVALID')
  if (BigInt(address) === 0n) throw new Invalid('REFUND_TO_ZERO', 'refundTo', 'the zero address cannot receive a refund: leave the parameter out, and the sender does')
  return address
}

function checkRefundTo(refundTo: Address | undefined, { type }: PinnedRoute): void {
  if (!refundTo || type === 'DIRECT') return
  throw new Invalid('REFUND_TO_UNSUPPORTED', 'refundTo', 'this swap starts with a burn, which goes back to the account that burns: leave the parameter out')
}

/** The 32-byte form of an integrator's ID, which is its wallet's address or that form itself. */
export function parseIntegrator(text: string): Hex {
  const short = /^0x0{24}[0-9a-fA-F]{40}$/.test(text) ? `0x${text.slice(26)}` : text
  const id = pad(parseAddress(short, 'integratorId', 'INTEGRATOR_INVALID').toLowerCase() as Hex)
  if (id === zeroId) throw new Invalid('INTEGRATOR_INVALID', 'integratorId', 'the zero address is no integrator')
  return id
}

function parseInclude(words: string[]): Asked['include'] {
  if (words.some((w) => !['decoded', 'calls', 'proof'].includes(w))) {
    throw new Invalid('PARAM_INVALID', 'include', 'write a list of decoded, calls, proof, with commas between')
  }
  return { decoded: words.includes('decoded'), calls: words.includes('calls'), proof: words.includes('proof') }
}
