import { pad, toEventSelector, toHex } from 'viem'
import { encodeOrder, signature, transmitter } from './order.js'
import { Contradiction, same, type Contract, type Node, type Report } from './report.js'
import type { Address, Hex, Leg, Status } from './types.js'

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

type Log = { address: Address; topics: Hex[]; data: Hex; logIndex: Hex }

/** What a node has of a transaction. */
export type Receipt = { block: number; final: boolean; logs: Log[] }

/** Why a proved payment or refund is not the end. */
export const owed = 'owed: its owner has a claim'
export const burnedBack = 'burned back: minted where it came from'

/** Marks a leg whose money is not with its owner. */
function mark({ legs }: Report, { kind, txHash }: Leg, why: string): void {
  for (const l of legs) if (l.kind === kind && same(l.txHash, txHash)) l.why = why
}

const absent = 'the node does not have it, or not in its chain'

/** Reads the receipt of a leg, or says why there is none. */
export async function receiptOf(leg: Leg, node: Node | undefined): Promise<Receipt | string> {
  if (!node) return 'no node of this chain is given'
  const r = (await node('eth_getTransactionReceipt', [leg.txHash])) as { status: string; blockNumber: string; blockHash: string; logs: Log[] } | null
  if (!r) return absent
  const fail = (field: string, found: string) => { throw new Contradiction(`${leg.kind}.${field}`, found) }
  if (r.status !== '0x1') fail('txHash', 'it failed')
  const block = Number(r.blockNumber)
  if (leg.block !== undefined && leg.block !== block) fail('block', r.blockNumber)
  if (leg.blockHash !== undefined && !same(leg.blockHash, r.blockHash)) fail('blockHash', r.blockHash)
  const mined = (await node('eth_getBlockByNumber', [r.blockNumber, false])) as { timestamp: string; hash: string } | null
  if (!mined || !same(mined.hash, r.blockHash)) return absent
  if (leg.time !== undefined && Date.parse(leg.time) !== Number(mined.timestamp) * 1000) fail('time', mined.timestamp)
  const tag = (await node('eth_getBlockByNumber', ['finalized', false]).catch(() => null)) as { number: string } | null
  return { block, final: tag !== null && block <= Number(tag.number), logs: r.logs }
}

/** What a leg is judged with. */
export type Context = { status: Status; src: Contract | undefined; dst: Contract | undefined; receipts: Map<Leg, Receipt>; report: Report }

/** Why a leg is not proved, or where in its block the event is that it stands for. */
export function judge(leg: Leg, receipt: Receipt, c: Context): { why?: string; position?: number } {
  const { order, orderId: id } = c.status
  const find = (...kinds: string[]) => c.status.legs.find((l) => kinds.includes(l.kind))
  if (leg.kind === 'burn') return whyNot(sameMessage(leg, receipt, find('deposit'), c))
  if (leg.kind === 'mint') return whyNot(sameMessage(leg, receipt, find('payment'), c))
  if (leg.kind === 'return') return whyNot(sameMessage(leg, receipt, find('refund', 'reclaim'), c))
  const back = find('refund', 'reclaim')
  const at = leg.kind === 'deposit' || leg.kind === 'refund' || leg.kind === 'reclaim' || (leg.kind === 'claim' && back) ? c.src : c.dst
  if (!order || !id || !at) return { why: 'the contract is not pinned' }
  if (leg.chainId !== at.chainId) throw new Contradiction(`${leg.kind}.chainId`, String(at.chainId))
  const log = receipt.logs[eventAt(leg, receipt, at, c)]
  if (!log) throw new Contradiction(`${leg.kind}.txHash`, 'it has no such event of this order')
  return { position: Number(log.logIndex) }
}

const whyNot = (why: string | undefined) => (why === undefined ? {} : { why })

/** Where the event that a leg stands for is among the logs, or -1; of several claims, the last. */
function eventAt(leg: Leg, { logs }: Receipt, at: Contract, c: Context): number {
  const { order, orderId: id, legs } = c.status
  if (!order || !id) return -1
  const back = legs.some((l) => l.kind === 'refund' || l.kind === 'reclaim')
  const owner = pad((back ? order.refundTo : order.recipient) as Hex).toLowerCase()
  return logs.findLastIndex((l) => same(l.address, at.address) && isEvent(leg, l, { id, owner, ...c }))
}

function isEvent(leg: Leg, log: Log, c: Context & { id: Hex; owner: string }): boolean {
  const [topic, first] = log.topics
  const named = first === c.id
  switch (leg.kind) {
    case 'deposit': return topic === topics.opened && named && isDeposit(log, c.status)
    case 'payment': {
      if (topic !== topics.fulfilled || !named) return false
      c.report.received = BigInt(`0x${log.data.slice(2 + 2 * 64, 2 + 3 * 64)}`)
      if (log.data.endsWith('0')) mark(c.report, leg, owed)
      return true
    }
    case 'cancel': return topic === topics.cancelled && named
    case 'refund': case 'reclaim': {
      if (topic !== (leg.kind === 'refund' ? topics.refunded : topics.reclaimed) || !named) return false
      if (log.data.endsWith('1')) mark(c.report, leg, owed)
      if (log.data.endsWith('2')) mark(c.report, leg, burnedBack)
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

/**
 * What one transaction burned for this order must be what the other minted. A transaction may
 * burn for many orders: the burn of a payment or a refund is the last one before its event, and
 * that of a deposit has the order's nonce.
 */
function sameMessage(leg: Leg, receipt: Receipt, other: Leg | undefined, c: Context): string | undefined {
  const { order } = c.status
  const counterpart = other && c.receipts.get(other)
  const at = leg.kind === 'mint' ? c.dst : c.src
  if (order && !at) return 'the contract is not pinned'
  const place = leg.kind === 'mint' ? order?.dstPlace : order?.srcPlace
  if (place && place !== '0' && place !== String(leg.chainId)) throw new Contradiction(`${leg.kind}.chainId`, place)
  if (!order || !counterpart || !at) return 'the burn is not compared: give nodes of both chains'
  const isBurn = leg.kind === 'burn'
  const sent = isBurn ? burnsIn(receipt.logs) : burnsIn(counterpart.logs.slice(0, Math.max(0, eventAt(other, counterpart, at, c)))).slice(-1)
  const got = isBurn ? mintsIn(counterpart.logs, pad(toHex(BigInt(order.nonce)))) : mintsIn(receipt.logs)
  if (!sent.some((m) => got.includes(m))) throw new Contradiction(`${leg.kind}.txHash`, 'the other transaction carries another message')
  return undefined
}

/** Whether a message is one that a leg burned, as far as the caller's nodes have its receipt. */
export function isBurned(message: Hex, receipts: Iterable<Receipt>): boolean {
  for (const { logs } of receipts) {
    const sent = burnsIn(logs)
    if (sent.length > 0) return sent.includes(burnOf(message))
  }
  return true
}

const ofIssuer = (topic: Hex) => (l: Log) => same(l.address, transmitter) && l.topics[0] === topic

/**
 * The burns in logs: each the sender and the body. Any contract can write such a log, and can have the
 * issuer carry any body: the log must be the issuer's, and the sender, its messenger, is compared too.
 */
const burnsIn = (logs: Log[]) => logs.filter(ofIssuer(topics.sent)).map((l) => burnOf(bytesAt(l, 0)))

const burnOf = (message: Hex) => message.slice(2 + 44 * 2, 2 + 76 * 2) + masked(`0x${message.slice(2 + 148 * 2)}`)

/** The burns that were minted; with a nonce, only that one. */
const mintsIn = (logs: Log[], nonce?: Hex) =>
  logs.filter(ofIssuer(topics.received)).filter((l) => !nonce || l.topics[2] === nonce).map((l) => l.data.slice(2 + 64, 2 + 2 * 64) + masked(bytesAt(l, 2)))

/** The bytes that a word of the data points to. What is too short ends early, and equals no message. */
function bytesAt({ data }: Log, index: number): Hex {
  const words = data.slice(2)
  const numberAt = (byte: number) => Number(BigInt(`0x${words.slice(2 * byte, 2 * byte + 64) || '0'}`))
  const start = numberAt(32 * index)
  return `0x${words.slice(2 * (start + 32), 2 * (start + 32 + numberAt(start)))}`
}

/** Without the fee executed and the expiration block: 64 bytes from byte 164 of the body. */
const masked = (body: Hex) => body.slice(0, 2 + 164 * 2) + '0'.repeat(128) + body.slice(2 + 228 * 2)

