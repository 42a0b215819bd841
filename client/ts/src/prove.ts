import { concat, getAddress, toFunctionSelector } from 'viem'
import { derive } from './action.js'
import { burnedBack, judge, owed, receiptOf, type Receipt } from './evidence.js'
import { orderId } from './order.js'
import type { Pins } from './pins.js'
import { Contradiction, contractAt, deploymentOf, same, type Contract, type Node, type ProvedLeg, type Report } from './report.js'
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
  const deployment = deploymentOf(pins)
  const src = order && contractAt(deployment, order.srcPlace, order.srcPool)
  const dst = order && contractAt(deployment, order.dstPlace, order.dstPool)
  const receipts = new Map<Leg, Receipt>()
  const positions: Positions = new Map()
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
    const { why, position } = judge(leg, receipt, { status, src, dst, receipts, report })
    shown.proved = why === undefined && (receipt.final || !leg.final)
    if (position !== undefined) positions.set(shown, position)
    if (!shown.proved) shown.why = why ?? 'not final at your node'
  })
  // A server could add the hash to another order, on a chain without a node.
  report.proved = (await supports(report, positions, dst, nodes)) && report.legs.some((l) => l.proved && same(l.txHash, txHash))
  const { action: told, ...rest } = status
  const action = told && derive(told, { status, src, dst, contracts: deployment.contracts, receipts: [...receipts.values()] })
  report.status = action ? { ...rest, action } : rest
  return report
}

/** Where in its block the event is that proves a leg. */
type Positions = Map<ProvedLeg, number>

/** Whether the chains show what the status needs. */
async function supports({ status: s, legs }: Report, positions: Positions, dst: Contract | undefined, nodes: Record<number, Node>): Promise<boolean> {
  const find = (...kinds: string[]) => legs.find((l) => kinds.includes(l.kind))
  const { state: settled, block } = await settlementOf(s, dst, nodes)
  const back = find('refund', 'reclaim')
  const pay = find('payment')
  const claimed = (owes: ProvedLeg) => ended(find('claim')) && follows(find('claim'), owes, positions)
  switch (s.status) {
    case 'paid': case 'delivering': case 'done': case 'claimable':
      if (s.status === 'claimable' && back) {
        if (settled === 1) throw new Contradiction('status', 'the order is paid')
        if (back.proved && back.why !== owed) throw new Contradiction('status', 'the refund left nothing to claim')
        return back.proved && back.final
      }
      if (!pay) throw new Contradiction('legs', 'there is no payment')
      // A node that has not come to the block of the payment contradicts nothing.
      if (settled !== undefined && settled !== 1 && block >= (pay.block ?? 0)) throw new Contradiction('status', 'the order is not paid')
      checkPaid(s, pay, find, dst)
      if (settled !== 1 || !pay.proved) return false
      if (s.status === 'claimable') return !find('claim') || !ended(find('claim'))
      return s.status !== 'done' || (pay.final && ended(find('mint')) && claimed(pay))
    case 'refunding': case 'refunded':
      if (settled === 1) throw new Contradiction('status', 'the order is paid')
      if (s.status === 'refunded' && !back) throw new Contradiction('legs', 'there is no refund')
      if (s.status === 'refunded' && back?.proved && back.why === owed && !find('claim')) throw new Contradiction('status', 'the refund is owed')
      if (s.status === 'refunded' && back?.proved && back.why === burnedBack && !find('return')) throw new Contradiction('status', 'the refund was burned for the source, without a mint')
      return s.status === 'refunded' ? Boolean(back?.proved && back.final && ended(find('return')) && claimed(back)) : settled === 2 || Boolean(back?.proved)
    case 'paying': case 'confirming':
      return settled === 0 && Boolean(find('deposit')?.proved)
    default:
      return false
  }
}

/** Whether a leg that is there is proved and final. */
const ended = (leg: ProvedLeg | undefined) => !leg || (leg.proved && leg.final)

/** Whether a claim is later than what is claimed, if only in the same block: an account may have taken an earlier claim. */
function follows(claim: ProvedLeg | undefined, owes: ProvedLeg, positions: Positions): boolean {
  if (!claim) return true
  const [later, earlier] = [Number(claim.block), Number(owes.block)]
  return later > earlier || (later === earlier && Number(positions.get(claim)) > Number(positions.get(owes)))
}

/** Throws when a status behind a payment does not fit its legs. */
function checkPaid(s: Status, pay: ProvedLeg, find: (kind: string) => ProvedLeg | undefined, dst: Contract | undefined): void {
  const burnsOut = dst && s.order?.recipientType !== 2 && s.order?.dstPlace !== String(dst.chainId)
  const owes = pay.proved && pay.why === owed
  const calledFinal = s.legs.some((l) => l.kind === 'claim' && l.final) // the caller's node may be ahead of the answer
  if (s.status === 'done' && burnsOut && !find('mint')) throw new Contradiction('status', 'the payment was burned for another network, without a mint')
  if (s.status === 'done' && owes && !find('claim')) throw new Contradiction('status', 'the payment is owed to the recipient')
  if (s.status === 'delivering' && dst && !burnsOut) throw new Contradiction('status', 'nothing is to be delivered')
  if (s.status === 'claimable' && pay.proved && (!owes || calledFinal)) throw new Contradiction('status', 'nothing is to be claimed')
}

/**
 * What the paying pool itself has: 0 open, 1 paid, 2 cancelled, after a block of the caller's node; undefined when
 * it cannot be asked. The block is asked for by its number: behind one address there may be nodes that are not as far.
 */
async function settlementOf(s: Status, dst: Contract | undefined, nodes: Record<number, Node>): Promise<{ state?: number; block: number }> {
  const node = dst && nodes[dst.chainId]
  const head = node && s.orderId && ((await node('eth_getBlockByNumber', ['latest', false]).catch(() => null)) as { number: string } | null)
  if (!head || !s.orderId) return { block: 0 }
  const data = concat([toFunctionSelector('settlements(bytes32)'), s.orderId])
  const word = await node('eth_call', [{ to: getAddress(dst.address), data }, head.number]).catch(() => undefined)
  return { block: Number(head.number), ...(typeof word === 'string' && /^0x[0-9a-f]{64}$/.test(word) && { state: Number(BigInt(word)) }) }
}
