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
