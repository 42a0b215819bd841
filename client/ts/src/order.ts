import { concat, encodeAbiParameters, keccak256, pad, toFunctionSelector } from 'viem'
import type { Hex, Order } from './types.js'

const fields = ['uint256', 'address', 'address', 'uint256', 'uint8', 'uint256', 'uint256', 'address', 'address', 'uint32', 'bytes32', 'uint8', 'bytes', 'uint48']
const tuple = { type: 'tuple', components: fields.map((type, i) => ({ type, name: `f${i}` })) }
/** The type of an order in the signatures of functions and events. */
export const signature = `(${fields.join(',')})`

/** An order as contracts encode it. */
export const encodeOrder = (o: Order, deadline: number): Hex => encodeAbiParameters([tuple], [[
  BigInt(o.srcPlace), o.srcPool, o.refundTo, BigInt(o.nonce), o.srcDecimals, BigInt(o.amount), BigInt(o.dstPlace), o.dstPool, o.dstToken,
  o.rate, o.integratorId, o.recipientType, o.recipient, deadline,
]] as never)

/** The ID of an order: the hash of all it says but its deadline. */
export const orderId = (o: Order): Hex => keccak256(encodeOrder(o, 0))

/** The call that takes the deposit back for its owner. */
export const reclaimCall = (o: Order): Hex => concat([toFunctionSelector(`reclaim(${signature})`), encodeOrder(o, o.deadline)])

/** The call that sends an account what it is owed. */
export const claimCall = (account: Hex): Hex => concat([toFunctionSelector('claimFor(address)'), pad(account).toLowerCase() as Hex])

const delivery = [{ type: 'bytes', name: 'message' }, { type: 'bytes', name: 'attestation' }] as const

/** The issuer's contract that mints, the same on every network. */
export const transmitter = '0x81D40F21F12A8F0E3252Bccb954D722d4c464B64'

/** The issuer's message in a call of relay or receiveMessage, or undefined if it is another call or another encoding of one. */
export function messageIn(call: Hex, name: 'relay' | 'receiveMessage'): Hex | undefined {
  const words = call.slice(10)
  const bytesAt = (at: number): Hex => {
    const size = Number.parseInt(words.slice(2 * at + 48, 2 * at + 64), 16) || 0 // what is too long is not what is encoded below
    return `0x${words.slice(2 * at + 64, 2 * (at + 32 + size))}`
  }
  const message = bytesAt(64)
  const attestation = bytesAt(96 + 32 * Math.ceil((message.length - 2) / 64))
  const whole = message.length >= 2 + 2 * 376 && /^0x00000001/.test(message) && message.slice(2 + 2 * 148, 2 + 2 * 152) === '00000001'
  const again = whole && concat([toFunctionSelector(`${name}(bytes,bytes)`), encodeAbiParameters(delivery, [message, attestation])])
  return again === call ? message : undefined
}

/** The accounts that a message names, as words of 32 bytes: which burned, and which is minted for. */
export const partiesOf = (message: Hex) => ({ from: `0x${message.slice(2 + 2 * 248, 2 + 2 * 280)}`, mintTo: `0x${message.slice(2 + 2 * 184, 2 + 2 * 216)}` })
