import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Invalid, isOver, Refusal, track, Unreadable, waitFor, type Status, type Tracking } from '../src/index.js'
import { serving } from './serving.js'

const at = (status: Status['status'], step: number): Tracking =>
  ({ asOf: '2026-11-15T12:00:00Z', revision: 0, step, orders: [{ status, revision: 0, step, delayed: false, legs: [] }] })

const hash = `0x${'A1'.repeat(32)}`
const tx = hash.toLowerCase()

/** A server that gives one answer after the other, and the last one for ever. */
async function answering(answers: (Tracking | { code: number; body?: string; after?: string })[], f: (server: string, asked: string[]) => Promise<void>): Promise<void> {
  const asked: string[] = []
  await serving((request, response) => {
    asked.push(request.url ?? '')
    const answer = answers[Math.min(asked.length, answers.length) - 1] as (typeof answers)[number]
    if ('orders' in answer) return response.end(JSON.stringify(answer))
    response.statusCode = answer.code
    if (answer.after) response.setHeader('Retry-After', answer.after)
    return response.end(answer.body)
  }, (server) => f(server, asked))
}

test('news is waited for, and an older answer is none', async () => {
  await answering([at('paying', 3), at('confirming', 2), at('done', 8)], async (server, asked) => {
    const seen: string[] = []
    const last = await waitFor(server, hash, { srcChain: '369', until: (t) => (seen.push(t.orders[0]?.status ?? ''), isOver(t)) })
    assert.equal(last.orders[0]?.status, 'done')
    assert.deepEqual(seen, ['paying', 'done'])
    const first = `/v3/swap/status?txHash=${tx}&srcChain=369`
    assert.deepEqual(asked, [first, `${first}&wait=8s&after=0.3`, `${first}&wait=8s&after=0.3`])
  })
})

test('the server holds a request for less than it may take', async () => {
  await answering([at('paying', 3), at('done', 8)], async (server, asked) => {
    await waitFor(server, hash, { timeout: 4000 })
    assert.match(asked[1] ?? '', /&wait=2s&/)
  })
})

test('waiting ends when it is aborted', async () => {
  const abort = new AbortController()
  await answering([at('paying', 3)], async (server) => {
    const waiting = waitFor(server, hash, { signal: abort.signal, until: () => (abort.abort(new Error('enough')), false) })
    await assert.rejects(waiting, /enough/)
  })
})

test('a busy server is asked again when it says, and not before the next day is over', async () => {
  const busy = JSON.stringify({ code: 'RATE_LIMITED', detail: 'later' })
  await answering([{ code: 429, body: busy, after: '1' }, at('done', 8)], async (server, asked) => {
    const pauses: number[] = []
    await waitFor(server, hash, { onRetry: (_, seconds) => pauses.push(seconds) })
    assert.deepEqual([asked.length, pauses], [2, [1]])
  })
  await answering([{ code: 429, body: busy, after: '999999999' }], async (server, asked) => {
    const abort = new AbortController()
    const waiting = waitFor(server, hash, { signal: abort.signal, onRetry: () => setTimeout(() => abort.abort(new Error('enough')), 50) })
    await assert.rejects(waiting, /enough/)
    assert.equal(asked.length, 1, 'a time that no timer can count is waited for')
  })
})

test('what another request would not change is the caller\'s', async () => {
  const unavailable = JSON.stringify({ code: 'STATUS_UNAVAILABLE', detail: 'no settler is configured' })
  await answering([{ code: 503, body: unavailable }], async (server, asked) => {
    await assert.rejects(waitFor(server, hash), (e) => e instanceof Refusal && e.code === 'STATUS_UNAVAILABLE')
    assert.equal(asked.length, 1)
  })
  await answering([{ code: 503, body: unavailable, after: '1' }], async (server, asked) => {
    await assert.rejects(waitFor(server, hash), Refusal)
    assert.equal(asked.length, 6, 'a server that never has an answer is not asked for ever')
  })
  await answering([{ code: 404, body: 'not here' }], async (server, asked) => {
    await assert.rejects(waitFor(server, hash), (e) => e instanceof Unreadable && e.status === 404)
    assert.equal(asked.length, 1)
  })
  await answering([at('paying', 3)], async (server, asked) => {
    await assert.rejects(waitFor(server, hash, { until: () => { throw new TypeError('mine') } }), /mine/)
    assert.equal(asked.length, 1)
  })
})

test('a request that is lost on the way is sent again', async () => {
  let requests = 0
  await serving((_, response) => {
    if (++requests === 1) return response.destroy()
    if (requests === 2) response.statusCode = 502
    return response.end(JSON.stringify(at('done', 8)))
  }, async (server) => assert.equal((await waitFor(server, hash)).step, 8))
  assert.equal(requests, 3)
})

test('a transaction that made no order is not waited for', async () => {
  for (const reason of ['reverted', 'no_order'] as const) {
    await answering([{ asOf: '2026-11-15T12:00:00Z', revision: 0, step: 0, reason, orders: [] }], async (server) => {
      assert.equal((await waitFor(server, hash)).reason, reason)
    })
  }
  const ignored: Status = { status: 'unknown', reason: 'no_order', revision: 0, step: 1, delayed: false, legs: [] }
  await answering([{ ...at('paying', 1), orders: [ignored] }], async (server) => assert.equal((await waitFor(server, hash)).orders.length, 1))
})

test('an answer of a hundred orders is read, and an endless one is not', async () => {
  const [order] = at('done', 1).orders as [Status]
  const legs = Array.from({ length: 9 }, () => ({ kind: 'payment' as const, chainId: 369, txHash: tx as `0x${string}`, final: true }))
  const many: Tracking = { ...at('done', 100), orders: Array.from({ length: 100 }, () => ({ ...order, legs })) }
  assert.ok(JSON.stringify(many).length > 64 * 1024)
  await answering([many], async (server) => assert.equal((await track(server, hash)).orders.length, 100))
  await serving((_, response) => {
    const more = () => { while (!response.destroyed && response.write(' '.repeat(65536))); }
    response.on('drain', more)
    more()
  }, async (server) => assert.rejects(track(server, hash), /longer than 1 MiB/))
})

test('what is no hash is not sent', async () => {
  for (const bad of ['0x12', tx.slice(2), `${tx}00`, ` ${tx}`]) {
    await assert.rejects(track('http://quotes.example', bad, { fetch: () => assert.fail('asked') }), Invalid, bad)
  }
})
