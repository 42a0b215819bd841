import { concat, getAddress, toFunctionSelector } from 'viem'
import { derive } from './action.js'
import { burnedBack, judge, owed, receiptOf, type Receipt } from './evidence.js'
import { orderId } from './order.js'
import type { Pins } from './pins.js'
import { Contradiction, contractsOf, same, type Contract, type Node, type ProvedLeg, type Report } from './report.js'
import type { Hex, Leg, Status } from './types.js'

/**
 * Compares the status of an order with the caller's nodes and pins. What a node
 * confirms is proved; what no node is given for is told; what a node contradicts
 * is thrown.
 */
export async function prove(txHash: Hex, status: Status, pins: Pins, nodes: Record<number, Node>): Promise<Report> {
  const { order, legs } = status
  if (order && orderId(order) !== status.orderId) throw new Contradiction('orderId', orderId(order))
  if (status.status !== 'unknown' && !legs.some((l) => same(l.txHash, txHash))) throw new Contradiction('legs', 'without the transaction asked about')
  const contracts = contractsOf(pins)
  const src = contracts.find((c) => order && same(c.address, order.srcPool))
  const dst = contracts.find((c) => order && same(c.address, order.dstPool))
  const receipts = new Map<Leg, Receipt>()
  const report: Report = { status, legs: [], proved: false }
  for (const leg of legs) {
    const receipt = await receiptOf(leg, nodes[leg.chainId])
    if (typeof receipt === 'object') receipts.set(leg, receipt)
    report.legs.push({ ...leg, ...(typeof receipt === 'object' && { block: receipt.block }), final: typeof receipt === 'object' && receipt.final, proved: false, ...(typeof receipt === 'string' && { why: receipt }) })
  }
  legs.forEach((leg, i) => {
    const receipt = receipts.get(leg)
    const shown = report.legs[i]
    if (!receipt || !shown) return
    const why = judge(leg, receipt, { status, src, dst, receipts, report })
    shown.proved = why === undefined && (receipt.final || !leg.final)
    if (!shown.proved) shown.why = why ?? 'not final at your node'
  })
  // A server could add the hash to another order, on a chain without a node.
  report.proved = (await supports(report, dst, nodes)) && report.legs.some((l) => l.proved && same(l.txHash, txHash))
  const { action: told, ...rest } = status
  const action = told && derive(told, { status, src, dst, contracts, receipts: [...receipts.values()] })
  report.status = action ? { ...rest, action } : rest
  return report
}

/** Whether the chains show what the status needs. */
async function supports({ status: s, legs }: Report, dst: Contract | undefined, nodes: Record<number, Node>): Promise<boolean> {
  const find = (...kinds: string[]) => legs.find((l) => kinds.includes(l.kind))
  const settled = await settlementOf(s, dst, nodes)
  const back = find('refund', 'reclaim')
  const pay = find('payment')
  switch (s.status) {
    case 'paid': case 'delivering': case 'done': case 'claimable':
      if (s.status === 'claimable' && back) {
        if (back.proved && back.why !== owed) throw new Contradiction('status', 'the refund left nothing to claim')
        return back.proved
      }
      if (settled !== undefined && settled !== 1) throw new Contradiction('status', 'the order is not paid')
      if (!pay) throw new Contradiction('legs', 'there is no payment')
      checkPaid(s, pay, find, dst)
      return settled === 1 && pay.proved && (s.status !== 'done' || (pay.final && ended(find('mint')) && ended(find('claim'), pay)))
    case 'refunding': case 'refunded':
      if (settled === 1) throw new Contradiction('status', 'the order is paid')
      if (s.status === 'refunded' && !back) throw new Contradiction('legs', 'there is no refund')
      if (s.status === 'refunded' && back?.proved && back.why === owed && !find('claim')) throw new Contradiction('status', 'the refund is owed')
      if (s.status === 'refunded' && back?.proved && back.why === burnedBack && !find('return')) throw new Contradiction('status', 'the refund was burned for the source, without a mint')
      return s.status === 'refunded' ? Boolean(back?.proved && back.final && ended(find('return')) && ended(find('claim'), back)) : settled === 2 || Boolean(back?.proved)
    case 'paying': case 'confirming':
      return settled === 0 && Boolean(find('deposit')?.proved)
    default:
      return false
  }
}

/** Whether a leg that is there is proved, final, and not older than what it takes: an account may have taken an earlier claim. */
const ended = (leg: ProvedLeg | undefined, owes?: ProvedLeg) => !leg || (leg.proved && leg.final && Number(leg.block) >= Number(owes?.block ?? 0))

/** Throws when a status behind a payment does not fit its legs. */
function checkPaid(s: Status, pay: ProvedLeg, find: (kind: string) => ProvedLeg | undefined, dst: Contract | undefined): void {
  const burnsOut = dst && s.order?.recipientType !== 2 && s.order?.dstPlace !== String(dst.chainId)
  const owes = pay.proved && pay.why === owed
  const claim = find('claim')
  if (s.status === 'done' && burnsOut && !find('mint')) throw new Contradiction('status', 'the payment was burned for another network, without a mint')
  if (s.status === 'done' && owes && !claim) throw new Contradiction('status', 'the payment is owed to the recipient')
  if (s.status === 'delivering' && dst && !burnsOut) throw new Contradiction('status', 'nothing is to be delivered')
  if (s.status === 'claimable' && pay.proved && (!owes || (claim?.proved && claim.final))) throw new Contradiction('status', 'nothing is to be claimed')
}

/** 0 open, 1 paid, 2 cancelled, asked at the paying pool itself; undefined when it cannot be asked. */
async function settlementOf(s: Status, dst: Contract | undefined, nodes: Record<number, Node>): Promise<number | undefined> {
  const node = dst && nodes[dst.chainId]
  if (!node || !s.orderId) return undefined
  const data = concat([toFunctionSelector('settlements(bytes32)'), s.orderId])
  const word = await node('eth_call', [{ to: getAddress(dst.address), data }, 'latest']).catch(() => undefined)
  return typeof word === 'string' && /^0x[0-9a-f]{64}$/.test(word) ? Number(BigInt(word)) : undefined
}
