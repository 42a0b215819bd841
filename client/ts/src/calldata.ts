import { concat, encodeAbiParameters, encodePacked, pad, toFunctionSelector } from 'viem'
import type { Address, Hex } from './types.js'

/** The functions a quote can call, with the names of their arguments. */
export const functions = {
  pool: 'swap(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId)',
  poolFor: 'swapFor(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId, address refundTo)',
  burn: 'depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)',
  approve: 'approve(address spender, uint256 amount)',
} as const

/** The arguments of a function, and how a call of it begins. */
export type Shape = { selector: Hex; params: { type: string; name: string }[] }

export function shapeOf(text: string): Shape {
  const params = text.slice(text.indexOf('(') + 1, -1).split(', ').map((p) => {
    const [type = '', name = ''] = p.split(' ')
    return { type, name }
  })
  return { selector: toFunctionSelector(`function ${text}`), params }
}

const shapes = {
  pool: shapeOf(functions.pool),
  poolFor: shapeOf(functions.poolFor),
  burn: shapeOf(functions.burn),
  approve: shapeOf(functions.approve),
}

const encode = ({ selector, params }: Shape, ...args: unknown[]): Hex => concat([selector, encodeAbiParameters(params, args)])

/** The fields that a pool call and a burn's hook share. */
export type Order = { dstChain: bigint; amount: bigint; recipient: Hex; recipientType: 0 | 2; dstToken: Address; integratorId: Hex }

/** The function of a pool: only swapFor names an account for refunds. */
export const poolName = (refundTo: Address | undefined) => (refundTo ? 'poolFor' : 'pool')

export function poolCall(o: Order, refundTo: Address | undefined): Hex {
  const args = [o.dstChain, o.amount, o.recipient, o.recipientType, o.dstToken, o.integratorId]
  return encode(shapes[poolName(refundTo)], ...args, ...(refundTo ? [refundTo] : []))
}

export type Burn = { domain: number; receiver: Address; token: Address; maxFee: bigint; finality: number }

/** The receiver gets the mint, and is the only caller that may mint. */
export function burnCall(o: Order, b: Burn): Hex {
  const receiver = pad(b.receiver).toLowerCase()
  return encode(shapes.burn, o.amount, b.domain, receiver, b.token, receiver, b.maxFee, b.finality, hookData(o))
}

/** Packed without padding: 32, 20, 32, 1 and the recipient's bytes. */
export function hookData(o: Order): Hex {
  return encodePacked(
    ['uint256', 'address', 'bytes32', 'uint8', 'bytes'],
    [o.dstChain, o.dstToken, o.integratorId, o.recipientType, o.recipient],
  )
}

export function approveCall(spender: Address, amount: bigint): Hex {
  return encode(shapes.approve, spender, amount)
}

/** The call that reads an account's balance of a token. */
export function balanceCall(owner: Address): Hex {
  return encode(shapeOf('balanceOf(address owner)'), owner)
}

/** The call that reads a spender's allowance of an account. */
export function allowanceCall(owner: Address, spender: Address): Hex {
  return encode(shapeOf('allowance(address owner, address spender)'), owner, spender)
}

/** Offsets in a call, in bytes. */
export const offsets = {
  pool: { amount: 36, recipient: 228 },
  poolFor: { amount: 36, recipient: 260 },
  burn: { amount: 4, recipient: 377, maxFee: 164 },
} as const

/** The bytes of a call from an offset on, or as many zeros if it is not that long. */
export function slice(call: string, offset: number, length: number): Hex {
  const digits = /^0x([0-9a-f]{2})*$/.test(call) ? call.slice(2 + 2 * offset, 2 + 2 * (offset + length)) : ''
  return `0x${digits.length === 2 * length ? digits : '0'.repeat(2 * length)}`
}
