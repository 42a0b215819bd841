import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFunctionData, parseAbi, type Abi } from 'viem'
import { Invalid, judge, Mismatch, Unproven, verify, type Pins, type Reason } from '../src/index.js'
import { maxBurnFee } from '../src/judge.js'
import { pins, pinsWith, vector, vectors } from './vectors.js'

const all: Reason[] = ['NOTE_UNPROVEN', 'INTEGRATOR_RATE_UNPINNED']

test('verify returns the quote of the answer, to the last byte', async () => {
  assert.ok(vectors.length >= 86)
  for (const v of vectors) {
    const text = JSON.stringify(v.quote)
    assert.equal(JSON.stringify(await verify(v.request, text, pins, { accept: all })), text, v.name)
    assert.equal(judge(v.request, new TextEncoder().encode(text), pins).verdict, v.request.integratorId ? 'unproven' : 'proved', v.name)
  }
})

test('an unproven answer comes with its quote and reasons, and is returned only if each is accepted', async () => {
  const { request, quote: { proof: _, ...bare } } = vector('eth-1-to-weth-69696969-integrator')
  const [asked, text] = [{ ...request, include: 'decoded,calls' }, JSON.stringify(bare)]
  for (const accept of [[], ['NOTE_UNPROVEN'], ['INTEGRATOR_RATE_UNPINNED']] as Reason[][]) {
    await assert.rejects(verify(asked, text, pins, { accept }), (e) =>
      e instanceof Unproven && JSON.stringify(e.quote) === text && e.reasons.map((r) => r.code).join() === all.join())
  }
  assert.equal(JSON.stringify(await verify(asked, text, pins, { accept: all })), text)
  assert.deepEqual({ ...judge(asked, text, pins, { accept: all }), quote: 0, reasons: 0 }, { verdict: 'unproven', quote: 0, reasons: 0, accepted: true })
})

test('a missing proof that was asked for is refused, whatever is accepted', async () => {
  const shielded = vectors.filter((v) => v.quote.proof)
  assert.ok(shielded.length >= 24)
  for (const { name, request, quote: { proof: _, ...bare } } of shielded) {
    const refusal = verify(request, JSON.stringify(bare), pins, { accept: all })
    await assert.rejects(refusal, (e) => e instanceof Mismatch && e.code === 'FIELD_MISSING' && e.field === 'proof', name)
  }
})

test('decoded has the values of an ABI decoder', () => {
  for (const { name, quote } of vectors.filter((v) => v.quote.decoded)) {
    const abi = parseAbi([`function ${quote.decoded?.function}`] as string[]) as Abi
    const args = decodeFunctionData({ abi, data: quote.methodParameters.calldata }).args as readonly unknown[]
    const shown = Object.values(quote.decoded?.arguments ?? {})
    assert.deepEqual(args.map((a) => (typeof a === 'bigint' ? String(a) : a)), shown, name)
  }
})

test('an invalid request is not verified', async () => {
  const { request, quote } = vector('usdc-369-to-usdc-8453')
  const cases: [change: object, code: string, param: string][] = [
    [{ srcChain: undefined, amount: '' }, 'PARAM_MISSING', 'amount'],
    [{ recipient: undefined }, 'PARAM_MISSING', 'recipient'],
    [{ recipient: '' }, 'PARAM_MISSING', 'recipient'],
    [{ amount: 25_500_000 }, 'PARAM_INVALID', 'amount'],
    [{ include: 'proofs' }, 'PARAM_INVALID', 'include'],
    [{ include: '' }, 'PARAM_MISSING', 'include'],
    [{ include: ['proof'] }, 'PARAM_INVALID', 'include'],
    [{ recipient: '0zk1', dstChain: '4663' }, 'ZK_LENGTH', 'recipient'],
    [{ recipient: '0zk1', integratorId: '0x' }, 'ZK_LENGTH', 'recipient'],
    [{ integratorId: '0x', include: 'proofs' }, 'INTEGRATOR_INVALID', 'integratorId'],
    [{ include: 'proofs', dstChain: '4663' }, 'PARAM_INVALID', 'include'],
    [{ amount: '1', recipient: vector('usdt-1-to-usdc-69696969').request.recipient }, 'AMOUNT_TOO_LOW', 'amount'],
    [{ dstChain: '4663' }, 'PAIR_UNSUPPORTED', 'dstToken'],
    [{ srcChain: '0369' }, 'CHAIN_INVALID', 'srcChain'],
    [{ srcToken: 'DAI' }, 'PAIR_UNSUPPORTED', 'dstToken'],
    [{ dstToken: 'a token of no name' }, 'TOKEN_INVALID', 'dstToken'],
    [{ srcToken: '0x15D38573d2feeb82e7ad5187aB8c1D52810B1f08' }, 'ADDRESS_CHECKSUM_MISMATCH', 'srcToken'],
    [{ amount: '1' }, 'AMOUNT_TOO_LOW', 'amount'],
    [{ amount: '99999999999999' }, 'AMOUNT_TOO_HIGH', 'amount'],
    [{ amount: '1e9' }, 'AMOUNT_INVALID', 'amount'],
    [{ amount: '0' }, 'AMOUNT_INVALID', 'amount'],
    [{ recipient: '0x12' }, 'RECIPIENT_INVALID', 'recipient'],
    [{ recipient: `0x${'0'.repeat(40)}` }, 'RECIPIENT_ZERO', 'recipient'],
    [{ recipient: vector('usdt-1-to-usdc-69696969').request.recipient }, 'RECIPIENT_TYPE_MISMATCH', 'recipient'],
    [{ refundTo: '' }, 'PARAM_MISSING', 'refundTo'],
    [{ refundTo: '0x12', integratorId: '0x' }, 'REFUND_TO_INVALID', 'refundTo'],
    [{ refundTo: '0x12', recipient: '0x12' }, 'RECIPIENT_INVALID', 'recipient'],
    [{ refundTo: `0x${'0'.repeat(40)}`, dstChain: '4663' }, 'REFUND_TO_ZERO', 'refundTo'],
    [{ ...vector('usdc-10-to-usdc-369').request, refundTo: request.recipient }, 'REFUND_TO_UNSUPPORTED', 'refundTo'],
    [{ integratorId: '' }, 'PARAM_MISSING', 'integratorId'],
    [{ integratorId: `0x${'1'.repeat(64)}` }, 'INTEGRATOR_INVALID', 'integratorId'],
    [{ integratorId: `0x${'0'.repeat(40)}` }, 'INTEGRATOR_INVALID', 'integratorId'],
  ]
  for (const [change, code, param] of cases) {
    await assert.rejects(verify({ ...request, ...change }, JSON.stringify(quote), pins), (e) => e instanceof Invalid && e.code === code && e.param === param, code)
  }
  await assert.rejects(verify(request, JSON.stringify(quote), undefined as unknown as Pins), /pins: PARAM_MISSING: .*hubquote pins/)
  await assert.rejects(verify(request, quote as unknown as string, pins), /pass the answer as the text or the bytes/)
})

test('a token goes by its symbol in any letter case and by its address', async () => {
  const { request, quote } = vector('eth-1-to-weth-369')
  for (const srcToken of ['eth', 'ETH', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', `0x${'0'.repeat(40)}`, `0x${'e'.repeat(40)}`]) {
    await verify({ ...request, srcToken }, JSON.stringify(quote), pins)
  }
})

test('pins decide what the issuer and a partner may take', async () => {
  const burn = vector('usdc-10-to-usdc-369')
  const loose: Pins = structuredClone(pins)
  for (const r of loose.routers) if (r.issuerBps) r.issuerBps = ['0', '14']
  const offer = (bps: bigint) => {
    const maxFee = maxBurnFee(BigInt(burn.request.amount), bps * 1_000_000_000n).toString(16).padStart(64, '0')
    const { calldata, value } = burn.quote.methodParameters
    const at = 2 + 2 * (4 + 32 * 5)
    return JSON.stringify({ ...burn.quote, methodParameters: { calldata: calldata.slice(0, at) + maxFee + calldata.slice(at + 64), value } })
  }
  await verify(burn.request, offer(14n), loose)
  await verify(burn.request, offer(0n), loose)
  await assert.rejects(verify(burn.request, offer(15n), loose), /maxFee is \d+, and should be between 0 and \d+/)
  await assert.rejects(verify(burn.request, offer(14n), pins), /maxFee is \d+, and should be \d+:/)

  const { request, quote } = vector('usdt-1-to-usdc-369-integrator')
  const text = JSON.stringify(quote)
  const id = request.integratorId as string
  await assert.rejects(verify(request, text, pinsWith({ [id]: 2499 })), /fee.integrator.percentage is 0.25, and should be 0.2499/)
  await verify(request, text, pinsWith({ [id]: 2500 }))
  await assert.rejects(verify(request, text, pins), /it takes 0.25 %: pin its rate, or accept INTEGRATOR_RATE_UNPINNED$/)
})

test('pins of another format, or with a typing error, are refused', async () => {
  const { request, quote } = vector('usdc-369-to-usdc-8453')
  await assert.rejects(verify(request, JSON.stringify(quote), { ...pins, format: 'hubquote-pins/2' }), /not in the format/)
  const typo = structuredClone(pins)
  for (const t of typo.tokens) t.address = t.address.replace('0x15D3', '0x15d3')
  await assert.rejects(verify(request, JSON.stringify(quote), typo), /EIP-55 checksum/)
})
