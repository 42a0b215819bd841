import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Contradiction, prove, type Action, type Hex, type Node, type Pins, type Report, type Status } from '../src/index.js'
import { pins as reference } from './vectors.js'

type Recorded = { receipts: Record<string, unknown>; settlements: Record<string, number>; block: object; head: string }
type World = { asked: Hex; status: Status; nodes: Record<string, Recorded> }

// The worlds of the Go prover: what nodes answer, and an honest status.
const read = (name: string): Record<string, World> => JSON.parse(readFileSync(new URL(`../../../../internal/prove/testdata/${name}.json`, import.meta.url), 'utf8'))
const worlds = read('worlds')

const address = (byte: string) => `0x${byte}${'0'.repeat(38)}`
const pins: Pins = {
  ...reference,
  burn: { ...reference.burn, receiver: address('33') },
  routers: [
    { from: 'USDC@369', type: 'DIRECT', router: address('11'), min: '1', max: '2' },
    { from: 'USDC@8453', type: 'DIRECT', router: address('22'), min: '1', max: '2' },
  ],
  routes: [{ from: 'USDC@369', to: 'USDC@10', feeChain: 8453, millionths: 1 }],
}

const blockAt = (number: string, last: object) => ({ ...last, number, hash: `0x${Buffer.from(number).toString('hex').padEnd(64, '0')}` })

const node = (recorded: Recorded): Node => async (method, params) => {
  if (method === 'eth_getTransactionReceipt') return recorded.receipts[params[0] as string] ?? null
  if (method === 'eth_getBlockByNumber') return params[0] === 'finalized' ? recorded.block : blockAt(params[0] === 'latest' ? recorded.head : (params[0] as string), recorded.block)
  if (params[1] !== recorded.head) throw new Error(`the state of block ${params[1]} is not known`)
  const { data } = params[0] as { data: string }
  return `0x${(recorded.settlements[`0x${data.slice(10)}`] ?? 0).toString(16).padStart(64, '0')}`
}

const nodesOf = (w: World) => Object.fromEntries(Object.entries(w.nodes).map(([id, n]) => [id, node(n)]))
const check = (w: World, status: Status) => prove(w.asked, status, pins, nodesOf(w))
const proved = (r: Report) => r.legs.filter((l) => l.proved).length

test('an honest status is proved', async () => {
  for (const [name, w] of Object.entries(worlds)) {
    const r = await check(w, w.status)
    assert.deepEqual(r.status.action, w.status.action, `${name}: the call`)
    if (name === 'attesting') continue // a burn alone: nothing is minted yet to compare it with
    assert.ok(r.proved && proved(r) === r.legs.length, `${name}: ${JSON.stringify(r.legs)}`)
  }
})

test('legs that are forged prove nothing', async () => {
  for (const [name, w] of Object.entries(read('forged'))) {
    const r = await check(w, w.status).catch((e) => e)
    assert.ok(r instanceof Contradiction || r.proved === false, `${name}: ${r.message ?? r.status?.status} is proved`)
  }
})

test('an honest answer is no lie to a node that is elsewhere', async () => {
  for (const [name, w] of Object.entries(read('behind'))) {
    const r = await check(w, w.status)
    assert.equal(r.proved, false, name)
  }
})

test('a node that has passed the block of a payment and has none contradicts it', async () => {
  for (const [name, w] of Object.entries(read('behind')).filter(([name]) => name.includes('newest block'))) {
    const passed = structuredClone(w)
    for (const n of Object.values(passed.nodes)) n.head = '0x10'
    await assert.rejects(check(passed, w.status), Contradiction, name)
  }
})

test('a contract is found by chain and address', async () => {
  for (const [name, w] of Object.entries(worlds)) {
    const here = pins.routers.map((r) => ({ ...r, from: r.from.replace(/@.*/, '@1') }))
    const both = await prove(w.asked, w.status, { ...pins, routers: [...here, ...pins.routers] }, nodesOf(w))
    assert.equal(both.proved, name !== 'attesting', `${name}: the same addresses pinned on another chain`)
    const r = await prove(w.asked, w.status, { ...pins, routers: here, routes: [] }, nodesOf(w))
    assert.ok(!r.proved && !r.status.action, `${name}: pinned on another chain only`)
  }
})

test('without nodes all is told', async () => {
  const w = worlds.direct as World
  const r = await prove(w.asked, w.status, pins, {})
  assert.ok(!r.proved && proved(r) === 0 && r.legs.every((l) => l.why))
})

// What no chain can prove: the settler's own words and estimates.
const told = ['reason', 'since', 'eta', 'delayed', 'revision', 'step', 'pays', 'after']

test('a status that is altered in any field is caught', async () => {
  let lies = 0
  for (const [name, w] of Object.entries(worlds)) {
    const honest = await check(w, w.status)
    for (const { path, status } of alter(w.status)) {
      lies++
      const key = path.at(-1) as string
      const r = await check(w, status).catch((e) => e)
      if (!('legs' in Object(r))) continue // refused: a contradiction, or a value that cannot be encoded
      const understated = ['done paid', 'done delivering', 'claimable paid', 'delivering paid', 'refunded refunding', 'paying confirming'].includes(`${w.status.status} ${status.status}`)
      const harmless = understated || told.includes(key) || (key === 'final' && path.length > 1) || (path[0] === 'action' && !r.status.action)
      const weaker = !r.proved || proved(r) < proved(honest)
      assert.ok(weaker || harmless, `${name}: ${path.join('.')} was altered and believed`)
    }
  }
  assert.ok(lies > 200, `${lies} lies`)
})

type Tree = Record<string, unknown>
const parentIn = (root: Status, path: string[]): Tree => path.reduce((tree, key) => tree[key] as Tree, root as unknown as Tree)

/** Every status that differs in one leaf. */
function* alter(status: Status, at: string[] = []): Generator<{ path: string[]; status: Status }> {
  for (const [key, value] of Object.entries(parentIn(status, at))) {
    const path = [...at, key]
    if (typeof value === 'object') yield* alter(status, path)
    for (const lie of liesOf(key, value)) {
      const copy = structuredClone(status)
      parentIn(copy, at)[key] = lie
      yield { path, status: copy }
    }
  }
}

function liesOf(key: string, value: unknown): unknown[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value + 8453]
  if (typeof value !== 'string') return []
  if (key === 'status') return ['confirming', 'paying', 'paid', 'delivering', 'claimable', 'refunding', 'done', 'refunded'].filter((s) => s !== value)
  if (key === 'kind') return ['deposit', 'payment', 'refund', 'mint', 'claim', 'reclaim'].filter((s) => s !== value)
  if (value.startsWith('0x')) return [value.slice(0, -1).toLowerCase() + (value.endsWith('0') ? '1' : '0')]
  if (value.endsWith('Z')) return ['2027-01-15T08:00:01Z']
  return [`${value}1`]
}

const claimable = () => structuredClone(Object.values(worlds).find((w) => w.status.action?.kind === 'claim') as World)

test('a call that is not derived from order and pins is left out', async () => {
  const honest = claimable()
  const offered = async (change: (s: Status) => void, known: Pins = pins) => {
    const status = structuredClone(honest.status)
    change(status)
    return (await prove(honest.asked, status, known, {})).status.action
  }
  assert.deepEqual(await offered(() => {}), honest.status.action)
  assert.equal(await offered(() => {}, { ...pins, routers: [] }), undefined, 'of a contract that is not pinned')
  assert.equal(await offered((s) => { delete s.order; delete s.orderId; delete s.amounts }), undefined, 'without an order')
  assert.equal(await offered((s) => { if (s.action) s.action.kind = 'mint' }), undefined, 'of a kind that the order does not make')
  await assert.rejects(offered((s) => { if (s.action) s.action.kind = 'approve' as 'mint' }), Contradiction)
})

const elsewhere = `0x${'12'.repeat(20)}` as Hex
const word = (account: string) => account.slice(2).toLowerCase().padStart(64, '0')

// Each changes the call so that no wallet may be handed it.
const unfit: Record<string, (a: Action) => void> = {
  'to another contract': (a) => { a.to = elsewhere },
  'on another chain': (a) => { a.chainId++ },
  'for another account': (a) => { a.data = a.data.replace(word(address('44')), word(elsewhere)).replace(word(address('33')), word(elsewhere)) as Hex },
  'with a byte more': (a) => { a.data = `${a.data}00` },
  'of another function': (a) => { a.data = `0xa9059cbb${a.data.slice(10)}` },
  'with another message': (a) => { a.data = a.data.replace('dcddde', 'dcdddf') as Hex },
}

test('a call that carries a burn is offered for that burn only', async () => {
  for (const name of ['delivering', 'attesting']) {
    const w = worlds[name] as World
    for (const [how, change] of Object.entries(unfit)) {
      const status = structuredClone(w.status)
      if (status.action) change(status.action)
      assert.notDeepEqual(status.action, w.status.action, `${name}: ${how} changes nothing`)
      assert.equal((await check(w, status)).status.action, undefined, `${name}: ${how}`)
    }
  }
})
