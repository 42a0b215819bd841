import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Invalid, Mismatch, quote, Refusal } from '../src/index.js'
import { pins, vector, vectors } from './vectors.js'

/** Calls f with the address of a server for as long as f takes. */
async function serving(listener: RequestListener, f: (server: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    await f(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Answers with the vector that is asked for. */
const honest: RequestListener = (request, response) => {
  const asked = new URL(request.url ?? '', 'http://localhost')
  const params = Object.fromEntries(asked.searchParams)
  const found = vectors.find((v) => JSON.stringify(Object.entries(v.request).sort()) === JSON.stringify(Object.entries(params).sort()))
  response.statusCode = asked.pathname === '/v3/swap/quote' && found ? 200 : 404
  response.end(JSON.stringify(found?.quote))
}

test('a quote is asked for, with its proof, and verified', async () => {
  await serving(honest, async (server) => {
    for (const v of vectors.filter((v) => !v.request.integratorId)) {
      const { include: _, ...request } = v.request
      for (const address of [server, `${server}/`, `${server}/v3/swap`]) {
        assert.deepEqual(await quote(address, request, pins), v.quote, v.name)
      }
    }
  })
})

const { request, quote: answer } = vector('usdc-369-to-usdc-8453')

test('a lie is refused', async () => {
  const lie = JSON.stringify({ ...answer, to: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' })
  await serving((_, response) => response.end(lie), async (server) => {
    await assert.rejects(quote(server, request, pins), (e) => e instanceof Mismatch && e.field === 'to')
  })
})

test('what is hopeless is not sent', async () => {
  const fail = () => assert.fail('asked')
  const shielding = vector('usdt-1-to-usdc-69696969').request
  await assert.rejects(quote('http://quotes.example', { ...request, amount: '1' }, pins, { fetch: fail }), Invalid)
  await assert.rejects(quote('http://quotes.example', { ...shielding, recipient: shielding.recipient.slice(0, -1) + 'q' }, pins, { fetch: fail }), Invalid)
})

test('what the server says is wrong comes out with its codes', async () => {
  const problem = {
    code: 'AMOUNT_TOO_LOW', param: 'amount', detail: 'too little',
    errors: [{ code: 'AMOUNT_TOO_LOW', param: 'amount', detail: 'too little' }, { code: 'RECIPIENT_ZERO', param: 'recipient', detail: 'zero' }],
  }
  const refuse: RequestListener = (_, response) => {
    response.writeHead(400, { 'X-Request-Id': 'abc', 'Retry-After': '1' }).end(JSON.stringify(problem))
  }
  await serving(refuse, async (server) => {
    await assert.rejects(quote(server, request, pins, { patience: 60 }), (e) =>
      e instanceof Refusal && e.status === 400 && e.code === 'AMOUNT_TOO_LOW' && e.faults.length === 2 &&
      e.requestId === 'abc' && e.retryAfter === undefined && /recipient: RECIPIENT_ZERO: zero/.test(e.message))
  })
})

test('what the server says will pass is asked again, while patience lasts', async () => {
  let asks = 0
  const busy: RequestListener = (request, response) => {
    if (++asks % 2 === 0) return honest(request, response)
    response.writeHead(asks % 4 === 1 ? 429 : 503, { 'Retry-After': '1' }).end('{}')
  }
  await serving(busy, async (server) => {
    assert.deepEqual(await quote(server, request, pins, { patience: 1 }), answer)
    assert.deepEqual(await quote(server, request, pins, { patience: 1 }), answer)
    await assert.rejects(quote(server, request, pins), (e) => e instanceof Refusal && e.retryAfter === 1)
    assert.equal(asks, 5)
  })
})

test('odd servers', async () => {
  const odd: [RequestListener, RegExp][] = [
    [(_, r) => { r.writeHead(502).end('<html>') }, /502: and gives no reason/],
    [(_, r) => { r.writeHead(302, { Location: '/elsewhere' }).end() }, /fetch failed/],
    [(_, r) => { r.end(' '.repeat(70_000) + '{}') }, /larger than any honest one/],
    [(_, r) => { r.end('hello') }, /JSON/],
    [(_, r) => { r.end('null') }, /should be/],
    [() => {}, /timeout/],
  ]
  for (const [listener, says] of odd) {
    await serving(listener, async (server) => {
      await assert.rejects(quote(server, request, pins, { timeout: 500 }), says)
    })
  }
})
