import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { Invalid, Mismatch, quote, Refusal, Unproven } from '../src/index.js'
import { serving } from './serving.js'
import { pins, vector, vectors } from './vectors.js'

/** Answers with the vector that is asked for. */
const honest: RequestListener = (request, response) => {
  const asked = new URL(request.url ?? '', 'http://localhost')
  const params = Object.fromEntries(asked.searchParams)
  const found = vectors.find((v) => JSON.stringify(Object.entries(v.request).sort()) === JSON.stringify(Object.entries(params).sort()))
  response.statusCode = asked.pathname === '/v3/swap/quote' && found ? 200 : 404
  response.end(JSON.stringify(found?.quote))
}

test('a quote is requested with its proof, and verified', async () => {
  await serving(honest, async (server) => {
    for (const v of vectors.filter((v) => !v.request.integratorId)) {
      const { include, ...bare } = v.request
      const request = include === 'proof' ? bare : v.request
      for (const address of [server, `${server}/`, `${server}/v3/swap`]) {
        assert.deepEqual(await quote(address, request, pins), v.quote, v.name)
      }
    }
  })
})

const { request, quote: answer } = vector('usdc-369-to-usdc-8453')

test('an altered answer is refused', async () => {
  const lie = JSON.stringify({ ...answer, to: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' })
  await serving((_, response) => response.end(lie), async (server) => {
    await assert.rejects(quote(server, request, pins), (e) => e instanceof Mismatch && e.code === 'FIELD_DIFFERS' && e.field === 'to')
  })
})

test('a rate that is not pinned is accepted by its code only', async () => {
  const { request, quote: answer } = vector('usdt-1-to-usdc-369-integrator')
  await serving((_, response) => response.end(JSON.stringify(answer)), async (server) => {
    await assert.rejects(quote(server, request, pins), (e) => e instanceof Unproven && e.reasons[0]?.code === 'INTEGRATOR_RATE_UNPINNED')
    assert.deepEqual(await quote(server, request, pins, { accept: ['INTEGRATOR_RATE_UNPINNED'] }), answer)
  })
})

test('an invalid request is not sent', async () => {
  const fail = () => assert.fail('asked')
  const shielding = vector('usdt-1-to-usdc-69696969').request
  await assert.rejects(quote('http://quotes.example', { ...request, amount: '1' }, pins, { fetch: fail }), Invalid)
  await assert.rejects(quote('http://quotes.example', { ...shielding, recipient: shielding.recipient.slice(0, -1) + 'q' }, pins, { fetch: fail }), Invalid)
  for (const server of ['', 'quotes.example', 'ftp://quotes.example', 'https://', 'https://quotes.example/?a=b', 'https://quotes.example/#a']) {
    await assert.rejects(quote(server, request, pins, { fetch: fail }), (e) => e instanceof Invalid && e.param === 'server', server)
  }
})

test('a refusal has the codes of the server', async () => {
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

test('a request is retried when the server says when, within the patience', async () => {
  let asks = 0
  const busy: RequestListener = (request, response) => {
    if (++asks % 2 === 0) return honest(request, response)
    response.writeHead(asks % 4 === 1 ? 429 : 503, { 'Retry-After': '1' }).end('{}')
  }
  await serving(busy, async (server) => {
    assert.deepEqual(await quote(server, request, pins, { patience: 1 }), answer)
    assert.deepEqual(await quote(server, request, pins, { patience: 1 }), answer)
    await assert.rejects(quote(server, request, pins), (e) => e instanceof Mismatch && e.code === 'ANSWER_STATUS')
    assert.equal(asks, 5)
  })
})

test('an error status is a refusal with a problem document only', async () => {
  const evil = '\\u001b[2J'
  const bodies: [body: string, says: string | undefined][] = [
    ['{"code":"X"}', 'X: '], ['{"code":"X","errors":{}}', 'X: '], ['{"code":"X","errors":"abc"}', 'X: '],
    ['{"code":"X","detail":"d","errors":[null,1,"a",[],{}]}', 'X: d'], ['{"code":"X","errors":[null,{"code":"Y","param":"p","detail":"d"}]}', 'p: Y: d'],
    ['{"code":"X","detail":{},"param":[],"limits":7}', 'X: '], [`{"code":"${evil}","detail":"${evil}","param":"${evil}"}`, '\\u001b[2J: \\u001b[2J: \\u001b[2J'],
    [`{"code":"X","errors":[${'{"code":"Y"},'.repeat(99)}1]}`, Array(32).fill('Y: ').join('; ')],
    [`{"code":"X","errors":[${'"a",'.repeat(30_000)}1]}`, undefined],
    ...['', '<html>', 'null', '[null]', '"abc"', '{}', '{"code":1}', '{"code":""}', '{"CODE":"X"}', '{"errors":[{"code":"X"}]}', JSON.stringify(answer)].map((body): [string, undefined] => [body, undefined]),
  ]
  for (const [body, says] of bodies) {
    await serving((_, r) => { r.writeHead(400).end(body) }, async (server) => {
      await assert.rejects(quote(server, request, pins), (e) => says === undefined ? e instanceof Mismatch && e.code === 'ANSWER_STATUS' && e.got === '400' :
        e instanceof Refusal && e.status === 400 && e.message.startsWith(`the server answers 400: ${says}`) && e.message.length < 500 && !e.message.includes('\u001b'), body)
    })
  }
})

test('a refusal has limits only if they are valid', async () => {
  const limits = { token: 'USDC', decimals: 6, min: '10', max: '20', minHuman: '0.00001', maxHuman: '0.00002' }
  for (const [said, kept] of [[limits, limits], [{ ...limits, min: 'x' }, undefined], [{ ...limits, decimals: '6' }, undefined], [null, undefined]] as const) {
    const body = JSON.stringify({ code: 'AMOUNT_TOO_LOW', limits: said })
    await serving((_, r) => { r.writeHead(400).end(body) }, async (server) => {
      await assert.rejects(quote(server, request, pins), (e) => { assert.deepEqual((e as Refusal).faults[0]?.limits, kept); return true })
    })
  }
})

test('an answer that is no quote is refused with its code', async () => {
  const odd: [RequestListener, code: string][] = [
    [(_, r) => { r.writeHead(201).end(JSON.stringify(answer)) }, 'ANSWER_STATUS'],
    [(_, r) => { r.writeHead(204).end() }, 'ANSWER_STATUS'],
    [(_, r) => { r.writeHead(302, { Location: '/elsewhere' }).end() }, 'ANSWER_STATUS'],
    [(_, r) => { r.end(JSON.stringify(answer) + ' '.repeat(70_000)) }, 'ANSWER_TOO_LARGE'],
    [(_, r) => { r.end('hello') }, 'ANSWER_NOT_JSON'],
    [(_, r) => { r.end() }, 'ANSWER_NOT_JSON'],
    [(_, r) => { r.end('null') }, 'ANSWER_NOT_JSON'],
    [(_, r) => { r.end(`\ufeff${JSON.stringify(answer)}`) }, 'ANSWER_NOT_JSON'],
  ]
  for (const [listener, code] of odd) {
    await serving(listener, async (server) => {
      await assert.rejects(quote(server, request, pins), (e) => e instanceof Mismatch && e.code === code, code)
    })
  }
})

test('an answer without an end is read up to 64 KiB', async () => {
  let sent = 0
  const chunk = new Uint8Array(10_000).fill(32)
  const body = new ReadableStream({ pull(c) { sent += chunk.length; c.enqueue(chunk) } })
  const endless = async () => new Response(body)
  await assert.rejects(quote('http://quotes.example', request, pins, { fetch: endless }), (e) => e instanceof Mismatch && e.code === 'ANSWER_TOO_LARGE')
  assert.ok(sent < 100_000, `read ${sent} bytes`)
})

test('a request to a silent server times out', async () => {
  await serving(() => {}, async (server) => {
    await assert.rejects(quote(server, request, pins, { timeout: 500 }), /timeout/)
  })
})
