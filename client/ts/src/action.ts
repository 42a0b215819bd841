import { pad } from 'viem'
import { isBurned, type Receipt } from './evidence.js'
import { claimCall, messageIn, partiesOf, reclaimCall, transmitter } from './order.js'
import { Contradiction, same, type Contract } from './report.js'
import type { Action, Hex, Status } from './types.js'

/** What a call is derived from. */
export type Basis = { status: Status; src: Contract | undefined; dst: Contract | undefined; contracts: Contract[]; receipts: Receipt[] }

/**
 * The action, if it is the call that the order and the pins make; undefined if that is
 * not known, such as for a contract that is not pinned. Another call than the order
 * makes is a contradiction.
 */
export function derive(action: Action, b: Basis): Action | undefined {
  if (action.kind === 'relay') return relays(action, b) ? action : undefined
  if (action.kind === 'mint') return mints(action, b) ? action : undefined
  const { order, legs } = b.status
  if (!order) return undefined
  if (action.kind !== 'claim' && action.kind !== 'reclaim') throw new Contradiction('action.kind', 'no such call for this order')
  const back = legs.some((l) => l.kind === 'refund' || l.kind === 'reclaim')
  const at = action.kind === 'reclaim' || back ? b.src : b.dst
  const account = (back ? order.refundTo : order.recipient) as Hex
  if (action.kind === 'claim' && account.length !== 42) throw new Contradiction('action.kind', 'the recipient is no account')
  if (!at) return undefined
  const data = action.kind === 'reclaim' ? reclaimCall(order) : claimCall(account)
  if (action.chainId !== at.chainId || !same(action.to, at.address)) throw new Contradiction('action', `${at.address} on ${at.chainId}`)
  if (action.data !== data) throw new Contradiction('action.data', data)
  return action
}

const word = (account: string) => pad(account as Hex).toLowerCase()

/** Whether a call gives a burn to a pinned receiver, which judges it. */
function relays({ chainId, to, data }: Action, { contracts, receipts }: Basis): boolean {
  const message = messageIn(data, 'relay')
  const pinned = contracts.some((c) => c.chainId === chainId && same(c.address, to))
  return message !== undefined && pinned && partiesOf(message).mintTo === word(to) && isBurned(message, receipts)
}

/** Whether a call has the issuer mint what the order's own contract burned, for the account that it is due. */
function mints({ chainId, to, data }: Action, { status: { order, legs }, src, dst, receipts }: Basis): boolean {
  const message = messageIn(data, 'receiveMessage')
  if (!order || message === undefined || !same(to, transmitter)) return false
  const { from, mintTo } = partiesOf(message)
  const back = legs.some((l) => l.kind === 'refund' || l.kind === 'reclaim')
  const [by, place, account] = back ? [src, order.srcPlace, order.refundTo] : [dst, order.dstPlace, order.recipient]
  return account.length === 42 && mintTo === word(account) && place === String(chainId) && by !== undefined && word(by.address) === from && isBurned(message, receipts)
}
