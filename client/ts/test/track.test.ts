import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Contradiction, Invalid, isFinal, Mismatch, prove, readTracking, track, waitFor, type Hex, type Node, type Pins, type Report, type Status, type Tracking } from '../src/index.js'
import { serving } from './serving.js'
import { pins as reference } from './vectors.js'

type Recorded = { receipts: Record<string, unknown>; settlements: Record<string, number>; block: unknown }
type World = { asked: Hex; status: Status; nodes: Record<string, Recorded> }

// The worlds of the Go prover: what nodes answer, and an honest status.
const worlds: Record<string, World> = JSON.parse(readFileSync(new URL('../../../../internal/prove/testdata/worlds.json', import.meta.url), 'utf8'))

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

const node = (recorded: Recorded): Node => async (method, params) => {
  if (method === 'eth_getTransactionReceipt') return recorded.receipts[params[0] as string] ?? null
  if (method === 'eth_getBlockByNumber') return recorded.block
  const { data } = params[0] as { data: string }
  return `0x${(recorded.settlements[`0x${data.slice(10)}`] ?? 0).toString(16).padStart(64, '0')}`
}

const nodesOf = (w: World) => Object.fromEntries(Object.entries(w.nodes).map(([id, n]) => [id, node(n)]))
const check = (w: World, status: Status) => prove(w.asked, status, pins, nodesOf(w))
const proved = (r: Report) => r.legs.filter((l) => l.proved).length

test('an honest status is proved', async () => {
  for (const [name, w] of Object.entries(worlds)) {
    const r = await check(w, w.status)
    assert.ok(r.proved && proved(r) === r.legs.length, `${name}: ${JSON.stringify(r.legs)}`)
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
      const understated = ['done paid', 'claimable paid', 'refunded refunding', 'paying confirming'].includes(`${w.status.status} ${status.status}`)
      const harmless = understated || told.includes(key) || (key === 'final' && path.length > 1) || (path[0] === 'action' && !r.status.action)
      const weaker = !r.proved || proved(r) < proved(honest)
      assert.ok(weaker || harmless, `${name}: ${path.join('.')} was altered and believed`)
    }
  }
  assert.ok(lies > 200, `${lies} lies`)
})

/** Every status that differs in one leaf. */
function* alter(status: Status, at: string[] = []): Generator<{ path: string[]; status: Status }> {
  const here = under(status, at)
  for (const [key, value] of Object.entries(here)) {
    const path = [...at, key]
    if (typeof value === 'object') yield* alter(status, path)
    for (const lie of liesOf(key, value)) {
      const copy = structuredClone(status)
      const parent = under(copy, at)
      if (lie === undefined) delete parent[key]
      else parent[key] = lie
      yield { path, status: copy }
    }
  }
}

type Tree = { [key: string]: unknown }

const under = (status: Status, path: string[]): Tree => path.reduce((tree: Tree, key) => tree[key] as Tree, status as unknown as Tree)

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

const at = (status: Status['status'], step: number): Tracking =>
  ({ asOf: '2026-11-15T12:00:00Z', revision: 0, step, orders: [{ status, revision: 0, step, delayed: false, legs: [] }] })

const hash = `0x${'A1'.repeat(32)}`

test('a status is asked for by hash, and news is waited for', async () => {
  const asked: string[] = []
  const answers = [at('paying', 3), at('confirming', 2), at('done', 8)]
  await serving((request, response) => {
    asked.push(request.url ?? '')
    response.end(JSON.stringify(answers[asked.length - 1]))
  }, async (server) => {
    const seen: string[] = []
    const last = await waitFor(server, hash, {
      srcChain: '369',
      until: (t) => {
        seen.push(t.orders[0]?.status ?? '')
        return t.orders.every(isFinal)
      },
    })
    assert.equal(last.orders[0]?.status, 'done')
    assert.deepEqual(seen, ['paying', 'done'], 'an older answer is no news')
  })
  const tx = hash.toLowerCase()
  assert.deepEqual(asked, [
    `/v3/swap/status?txHash=${tx}&srcChain=369`,
    `/v3/swap/status?txHash=${tx}&srcChain=369&wait=8s&after=0.3`,
    `/v3/swap/status?txHash=${tx}&srcChain=369&wait=8s&after=0.3`,
  ])
})

test('waiting ends when it is aborted', async () => {
  const abort = new AbortController()
  await serving((_, response) => response.end(JSON.stringify(at('paying', 3))), async (server) => {
    const waiting = waitFor(server, hash, { signal: abort.signal, until: () => (abort.abort(new Error('enough')), false) })
    await assert.rejects(waiting, /enough/)
  })
})

test('a server that is busy is asked again when it says', async () => {
  let requests = 0
  await serving((_, response) => {
    if (++requests > 1) return response.end(JSON.stringify(at('done', 8)))
    response.statusCode = 503
    response.setHeader('Retry-After', '1')
    return response.end(JSON.stringify({ code: 'STATUS_UNAVAILABLE', detail: 'later' }))
  }, async (server) => assert.equal((await waitFor(server, hash)).orders.length, 1))
  assert.equal(requests, 2)
})

test('what is no hash, or no status, is refused', async () => {
  await assert.rejects(track('http://quotes.example', '0x12', { fetch: () => assert.fail('asked') }), Invalid)
  for (const bad of ['[]', '{"orders":1}', '{"orders":[{"status":"stolen"}]}', '{"revision":0,"step":1,"orders":[]}', '{"orders":[],"orders":[]}']) {
    assert.throws(() => readTracking(bad), Mismatch, bad)
  }
  assert.ok(new Contradiction('a', 'b') instanceof Error)
})
