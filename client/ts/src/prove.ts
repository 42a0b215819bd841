import { concat, decodeAbiParameters, encodeAbiParameters, getAddress, keccak256, pad, toEventSelector, toFunctionSelector } from 'viem'
import type { Pins } from './pins.js'
import type { Address, Hex, Leg, Order, Status } from './types.js'

/** Calls a JSON-RPC method of the caller's own node of a chain. */
export type Node = (method: string, params: unknown[]) => Promise<unknown>

/** A leg and whether the caller's node has shown it. */
export type ProvedLeg = Leg & { proved: boolean; why?: string }

/** A status and what is known about it. */
export type Report = {
  status: Status
  legs: ProvedLeg[]
  /** The chains themselves show the status. */
  proved: boolean
  /** What the payment's event says, once proved. */
  received?: bigint
}

/** A part of a status that a node or the pins contradict. */
export class Contradiction extends Error {
  override name = 'Contradiction'

  constructor(readonly field: string, readonly found: string) {
    super(`the status is not true: ${field} is not what the chain or the pins say: ${found}`)
  }
}

const fields = ['uint256', 'address', 'address', 'uint256', 'uint8', 'uint256', 'uint256', 'address', 'address', 'uint32', 'bytes32', 'uint8', 'bytes', 'uint48']
const tuple = { type: 'tuple', components: fields.map((type, i) => ({ type, name: `f${i}` })) }
const signature = `(${fields.join(',')})`

const topics = {
  opened: toEventSelector(`OrderOpened(bytes32,address,uint256,address,uint256,uint256,${signature})`),
  fulfilled: toEventSelector('OrderFulfilled(bytes32,bytes32,address,uint256,address,uint256,uint256,uint256,uint256,bool)'),
  cancelled: toEventSelector('OrderCancelled(bytes32)'),
  refunded: toEventSelector('OrderRefunded(bytes32,address,uint256,uint8)'),
  reclaimed: toEventSelector('OrderReclaimed(bytes32,address,uint256,uint8)'),
  claimed: toEventSelector('Claimed(address,address,address,uint256)'),
  sent: toEventSelector('MessageSent(bytes)'),
  received: toEventSelector('MessageReceived(address,uint32,bytes32,bytes32,uint32,bytes)'),
}

const encodeOrder = (o: Order, deadline: number): Hex => encodeAbiParameters([tuple], [[
  BigInt(o.srcPlace), o.srcPool, o.refundTo, BigInt(o.nonce), o.srcDecimals, BigInt(o.amount), BigInt(o.dstPlace), o.dstPool, o.dstToken,
  o.rate, o.integratorId, o.recipientType, o.recipient, deadline,
]] as never)

/** The ID of an order: the hash of all it says but its deadline. */
export const orderId = (o: Order): Hex => keccak256(encodeOrder(o, 0))

type Log = { address: Address; topics: Hex[]; data: Hex }
type Receipt = { block: number; final: boolean; logs: Log[] }
type Contract = { chainId: number; address: string }

/** The contracts in the pins that open and pay orders. */
function contractsOf(pins: Pins): Contract[] {
  const networkOf = (place: string) => pins.privacy[place] ?? Number(place)
  const placeOf = (coin: string) => coin.slice(coin.indexOf('@') + 1)
  const pools = pins.routers.filter((r) => r.type === 'DIRECT').map((r) => ({ chainId: networkOf(placeOf(r.from)), address: r.router }))
  const gateway = pins.routes.find((r) => r.feeChain !== networkOf(placeOf(r.to)))
  return gateway ? [...pools, { chainId: gateway.feeChain, address: pins.burn.receiver }] : pools
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

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
    report.legs.push({ ...leg, final: typeof receipt === 'object' && receipt.final, proved: false, ...(typeof receipt === 'string' && { why: receipt }) })
  }
  legs.forEach((leg, i) => {
    const receipt = receipts.get(leg)
    const shown = report.legs[i]
    if (!receipt || !shown) return
    const why = judge(leg, receipt, { status, src, dst, receipts, report })
    shown.proved = why === undefined && (receipt.final || !leg.final)
    if (!shown.proved) shown.why = why ?? 'not final at your node'
  })
  report.proved = await supports(report, dst, nodes)
  if (!isDerived(status, src, dst)) {
    const { action: _, ...rest } = status
    report.status = rest
  }
  return report
}

async function receiptOf(leg: Leg, node: Node | undefined): Promise<Receipt | string> {
  if (!node) return 'no node of this chain is given'
  const r = (await node('eth_getTransactionReceipt', [leg.txHash])) as { status: string; blockNumber: string; blockHash: string; logs: Log[] } | null
  if (!r) return 'the node does not have it'
  const fail = (field: string, found: string) => { throw new Contradiction(`${leg.kind}.${field}`, found) }
  if (r.status !== '0x1') fail('txHash', 'it failed')
  const block = Number(r.blockNumber)
  if (leg.block !== undefined && leg.block !== block) fail('block', r.blockNumber)
  if (leg.blockHash !== undefined && !same(leg.blockHash, r.blockHash)) fail('blockHash', r.blockHash)
  const mined = (await node('eth_getBlockByNumber', [r.blockNumber, false])) as { timestamp: string; hash: string } | null
  if (!mined || !same(mined.hash, r.blockHash)) return 'its block is not canonical at your node'
  if (leg.time !== undefined && Date.parse(leg.time) !== Number(mined.timestamp) * 1000) fail('time', mined.timestamp)
  const tag = (await node('eth_getBlockByNumber', ['finalized', false]).catch(() => null)) as { number: string } | null
  return { block, final: tag !== null && block <= Number(tag.number), logs: r.logs }
}

type Context = { status: Status; src: Contract | undefined; dst: Contract | undefined; receipts: Map<Leg, Receipt>; report: Report }

/** Why a leg is not proved, or undefined when the event it stands for is there. */
function judge(leg: Leg, receipt: Receipt, c: Context): string | undefined {
  const { order, orderId: id } = c.status
  const find = (...kinds: string[]) => c.status.legs.find((l) => kinds.includes(l.kind))
  if (leg.kind === 'burn') return sameMessage(leg, receipt, find('deposit'), c, true)
  if (leg.kind === 'mint') return sameMessage(leg, receipt, find('payment'), c, false)
  if (leg.kind === 'return') return sameMessage(leg, receipt, find('refund', 'reclaim'), c, false)
  const back = find('refund', 'reclaim')
  const at = leg.kind === 'deposit' || leg.kind === 'refund' || leg.kind === 'reclaim' || (leg.kind === 'claim' && back) ? c.src : c.dst
  if (!order || !id || !at) return 'the contract is not pinned'
  if (leg.chainId !== at.chainId) throw new Contradiction(`${leg.kind}.chainId`, String(at.chainId))
  const owner = pad((back ? order.refundTo : order.recipient) as Hex).toLowerCase()
  const shows = receipt.logs.some((l) => same(l.address, at.address) && isEvent(leg, l, { id, owner, ...c }))
  if (!shows) throw new Contradiction(`${leg.kind}.txHash`, 'it has no such event of this order')
  return undefined
}

function isEvent(leg: Leg, log: Log, c: Context & { id: Hex; owner: string }): boolean {
  const [topic, first] = log.topics
  const named = first === c.id
  switch (leg.kind) {
    case 'deposit': return topic === topics.opened && named && isDeposit(log, c.status)
    case 'payment': {
      if (topic !== topics.fulfilled || !named) return false
      c.report.received = BigInt(`0x${log.data.slice(2 + 2 * 64, 2 + 3 * 64)}`)
      if (log.data.endsWith('0')) markOwed(c.report, leg)
      return true
    }
    case 'cancel': return topic === topics.cancelled && named
    case 'refund': case 'reclaim': {
      if (topic !== (leg.kind === 'refund' ? topics.refunded : topics.reclaimed) || !named) return false
      if (log.data.endsWith('1')) markOwed(c.report, leg)
      return true
    }
    case 'claim': return topic === topics.claimed && first === c.owner
    default: return false
  }
}

/** The event must have the whole order, its deadline and its deposit. */
function isDeposit(log: Log, { order, amounts }: Status): boolean {
  if (!order || !amounts) return false
  const expected = encodeOrder(order, order.deadline).slice(2 + 64)
  const head = log.data.slice(2, 2 + 4 * 64)
  const deposit = BigInt(`0x${head.slice(2 * 64, 3 * 64)}`)
  return log.data.slice(2 + 4 * 64) === expected && (deposit === BigInt(amounts.deposited) || /^0x0{40}$/.test(order.refundTo))
}

/** What one transaction burned must be what the other minted, but for what the issuer fills in. */
function sameMessage(leg: Leg, receipt: Receipt, other: Leg | undefined, c: Context, isBurn: boolean): string | undefined {
  const counterpart = other && c.receipts.get(other)
  if (!counterpart) return 'the burn is not compared: give nodes of both chains'
  const [burned, minted] = isBurn ? [receipt, counterpart] : [counterpart, receipt]
  const sent = burned.logs.filter((l) => l.topics[0] === topics.sent).map((l) => masked(`0x${bytesAt(l, 0).slice(2 + 148 * 2)}`))
  const got = minted.logs.filter((l) => l.topics[0] === topics.received).map((l) => masked(bytesAt(l, 2)))
  if (!sent.some((m) => got.includes(m))) throw new Contradiction(`${leg.kind}.txHash`, 'the other transaction carries another message')
  return undefined
}

function bytesAt(log: Log, index: 0 | 2): Hex {
  const types = index === 0 ? [{ type: 'bytes' }] : [{ type: 'uint32' }, { type: 'bytes32' }, { type: 'bytes' }]
  return decodeAbiParameters(types, log.data)[index] as Hex
}

/** Without the fee executed and the expiration block: 64 bytes from byte 164 of the body. */
const masked = (body: Hex) => body.slice(0, 2 + 164 * 2) + '0'.repeat(128) + body.slice(2 + 228 * 2)

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
      return settled === 1 && pay.proved && (s.status !== 'done' || (pay.final && (find('mint')?.proved ?? true) && (find('claim')?.proved ?? true)))
    case 'refunding': case 'refunded':
      if (settled === 1) throw new Contradiction('status', 'the order is paid')
      if (s.status === 'refunded' && !back) throw new Contradiction('legs', 'there is no refund')
      if (s.status === 'refunded' && back?.proved && back.why === owed && !find('claim')) throw new Contradiction('status', 'the refund is owed')
      return s.status === 'refunded' ? Boolean(back?.proved && back.final) : settled === 2 || Boolean(back?.proved)
    case 'paying': case 'confirming':
      return settled === 0 && Boolean(find('deposit')?.proved)
    default:
      return false
  }
}

/** Throws when a status behind a payment does not fit its legs. */
function checkPaid(s: Status, pay: ProvedLeg, find: (kind: string) => ProvedLeg | undefined, dst: Contract | undefined): void {
  const burnsOut = dst && s.order?.recipientType !== 2 && s.order?.dstPlace !== String(dst.chainId)
  const owes = pay.proved && pay.why === owed
  const claim = find('claim')
  if (s.status === 'done' && burnsOut && !find('mint')) throw new Contradiction('status', 'the payment was burned for another network, without a mint')
  if (s.status === 'done' && owes && !claim) throw new Contradiction('status', 'the payment is owed to the recipient')
  if (s.status === 'delivering' && (find('mint') || (dst && !burnsOut))) throw new Contradiction('status', 'nothing is to be delivered')
  if (s.status === 'claimable' && pay.proved && (!owes || (claim?.proved && claim.final))) throw new Contradiction('status', 'nothing is to be claimed')
}

const owed = 'owed: its owner has a claim'

/** Marks a leg whose money is owed. */
function markOwed({ legs }: Report, { kind, txHash }: Leg): void {
  for (const l of legs) if (l.kind === kind && same(l.txHash, txHash)) l.why = owed
}

/** 0 open, 1 paid, 2 cancelled, asked at the paying pool itself; undefined when it cannot be asked. */
async function settlementOf(s: Status, dst: Contract | undefined, nodes: Record<number, Node>): Promise<number | undefined> {
  const node = dst && nodes[dst.chainId]
  if (!node || !s.orderId) return undefined
  const data = concat([toFunctionSelector('settlements(bytes32)'), s.orderId])
  const word = await node('eth_call', [{ to: getAddress(dst.address), data }, 'latest']).catch(() => undefined)
  return typeof word === 'string' && /^0x[0-9a-f]{64}$/.test(word) ? Number(BigInt(word)) : undefined
}

/**
 * Whether the call is the one that the order makes. A wallet must not be handed a
 * call of the server's choice, so one that cannot be derived is left out.
 */
function isDerived({ action, order, legs }: Status, src: Contract | undefined, dst: Contract | undefined): boolean {
  if (!action) return true
  if (!order || action.kind === 'relay' || action.kind === 'mint') return false
  if (action.kind !== 'claim' && action.kind !== 'reclaim') throw new Contradiction('action.kind', 'there is no such call')
  const back = legs.some((l) => l.kind === 'refund' || l.kind === 'reclaim')
  const at = action.kind === 'reclaim' || back ? src : dst
  const account = (back ? order.refundTo : order.recipient) as Hex
  const data = action.kind === 'reclaim'
    ? concat([toFunctionSelector(`reclaim(${signature})`), encodeOrder(order, order.deadline)])
    : concat([toFunctionSelector('claimFor(address)'), pad(account).toLowerCase() as Hex])
  if (at && (action.chainId !== at.chainId || !same(action.to, at.address))) throw new Contradiction('action', `${at.address} on ${at.chainId}`)
  if (action.data !== data) throw new Contradiction('action.data', data)
  return true
}
