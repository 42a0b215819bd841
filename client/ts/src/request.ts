import { isHex, pad, type Hex } from 'viem'
import { Invalid } from './errors.js'
import { parseAddress } from './pins.js'
import type { Address } from './types.js'

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
  integratorId?: string
  recipientType?: string
  include?: string
}

/** Whom a request wants paid. */
export type Recipient = { address: Address } | { private: string }

export const zeroId: Hex = `0x${'0'.repeat(64)}`

export function parseAmount(text: string): bigint {
  if (!/^[1-9][0-9]{0,77}$/.test(text)) throw new Invalid('AMOUNT_INVALID', 'amount', 'not a positive integer in decimal digits')
  return BigInt(text)
}

export function parseRecipient(text: string, shields: boolean): Recipient {
  const isPrivate = /^0zk/i.test(text)
  if (isPrivate !== shields) {
    throw new Invalid('RECIPIENT_TYPE_MISMATCH', 'recipient', 'a swap into a privacy pool needs a 0zk address, and any other an EVM address')
  }
  if (isPrivate) return { private: text }
  const address = parseAddress(text, 'recipient')
  if (BigInt(address) === 0n) throw new Invalid('RECIPIENT_ZERO', 'recipient', 'the zero address cannot receive a swap')
  return { address }
}

/** The 32-byte form of an integrator's ID; zero when none is named. */
export function parseIntegrator(text: string | undefined): Hex {
  if (text === undefined) return zeroId
  const short = /^0x0{24}[0-9a-fA-F]{40}$/.test(text) ? `0x${text.slice(26)}` : text
  if (!isHex(short) || short.length !== 42) throw new Invalid('INTEGRATOR_INVALID', 'integratorId', 'not an integrator ID')
  const id = pad(parseAddress(short, 'integratorId').toLowerCase() as Hex)
  if (id === zeroId) throw new Invalid('INTEGRATOR_INVALID', 'integratorId', 'not an integrator ID')
  return id
}
