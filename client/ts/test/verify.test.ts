import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFunctionData, parseAbi, type Abi } from 'viem'
import { Invalid, Mismatch, Unproven, verify, type Pins, type Quote } from '../src/index.js'
import { maxBurnFee } from '../src/verify.js'
import { pins, vector, vectors } from './vectors.js'

test('what verify returns is what the server answered, to the last byte', async () => {
  assert.ok(vectors.length >= 86)
  for (const v of vectors) {
    assert.equal(JSON.stringify(await verify(v.request, v.quote, pins)), JSON.stringify(v.quote), v.name)
  }
})

test('a shielded answer without proof is unproven, and says so', async () => {
  const shielded = vectors.filter((v) => v.quote.proof)
  assert.ok(shielded.length >= 24)
  for (const v of shielded) {
    const { proof: _, ...bare } = v.quote
    await assert.rejects(verify(v.request, bare, pins), (e) => e instanceof Unproven && JSON.stringify(e.quote) === JSON.stringify(bare))
  }
})

test('decoded is what an ABI decoder says', () => {
  for (const { name, quote } of vectors.filter((v) => v.quote.decoded)) {
    const abi = parseAbi([`function ${quote.decoded?.function}`] as string[]) as Abi
    const args = decodeFunctionData({ abi, data: quote.methodParameters.calldata }).args as readonly unknown[]
    const shown = Object.values(quote.decoded?.arguments ?? {})
    assert.deepEqual(args.map((a) => (typeof a === 'bigint' ? String(a) : a)), shown, name)
  }
})

const mallory = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const word = (n: number) => 2 + 2 * (4 + 32 * n)

/** Overwrites hexadecimal digits of a call from a place on. */
const patch = (call: string, at: number, digits: string) =>
  (call.slice(0, at) + digits + call.slice(at + digits.length)) as `0x${string}`

const attacks: [name: string, vector: string, attack: (q: Quote) => void, field: string][] = [
  ['another contract', 'usdc-369-to-usdc-8453', (q) => { q.to = mallory }, 'to'],
  ['another spender', 'usdc-369-to-usdc-8453', (q) => { q.approval!.spender = mallory }, 'approval.spender'],
  ['another spender in the call', 'usdc-369-to-usdc-8453', (q) => { q.approval!.calldata = patch(q.approval!.calldata, word(0) + 24, mallory.slice(2).toLowerCase()) }, 'approval.calldata.spender'],
  ['a larger allowance', 'usdc-369-to-usdc-8453', (q) => { q.approval!.calldata = patch(q.approval!.calldata, word(1), 'ff') }, 'approval.calldata.amount'],
  ['another recipient', 'usdc-369-to-usdc-8453', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(7), mallory.slice(2).toLowerCase()) }, 'methodParameters.calldata.recipient'],
  ['another recipient in the hook', 'usdc-10-to-usdc-369', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(9) + 2 * 85, mallory.slice(2).toLowerCase()) }, 'methodParameters.calldata.hookData.recipient'],
  ['another type', 'usdc-369-to-usdc-8453', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(4) - 2, '02') }, 'methodParameters.calldata.recipientType'],
  ['another place', 'usdc-369-to-usdc-8453', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(1) - 4, '0001') }, 'methodParameters.calldata.dstChain'],
  ['another token', 'usdc-369-to-usdc-8453', (q) => { q.destToken.address = mallory }, 'destToken.address'],
  ['other decimals', 'usdc-56-to-usdc-369', (q) => { q.srcToken.decimals = 6 }, 'srcToken.decimals'],
  ['a higher fee', 'usdc-369-to-usdc-8453', (q) => { q.fee.protocol.percentage = 0.6 }, 'fee.protocol.percentage'],
  ['another receiver', 'usdc-10-to-usdc-369', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(2) + 24, mallory.slice(2).toLowerCase()) }, 'methodParameters.calldata.mintRecipient'],
  ['another domain', 'usdc-10-to-usdc-369', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(2) - 2, '01') }, 'methodParameters.calldata.destinationDomain'],
  ['another fee for the issuer', 'usdc-10-to-usdc-369', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(5), 'ff') }, 'methodParameters.calldata.maxFee'],
  ['an approval nobody needs', 'eth-1-to-weth-369', (q) => { q.approval = vector('usdc-369-to-usdc-8453').quote.approval! }, 'approval'],
  ['more value', 'eth-1-to-weth-369', (q) => { q.methodParameters.value += '0' }, 'methodParameters.value'],
  ['another integrator', 'usdt-1-to-usdc-369-integrator', (q) => { q.fee.integrator.address = mallory }, 'fee.integrator.address'],
  ['an integrator left out', 'usdt-1-to-usdc-369-integrator', (q) => { delete q.fee.integrator.id }, 'fee.integrator.id'],
  ['an integrator over the limit', 'usdt-1-to-usdc-369-integrator', (q) => { q.fee.integrator.percentage = 1.0001 }, 'fee.integrator.percentage'],
  ['another call', 'usdt-1-to-usdc-369-integrator', (q) => { q.calls!.calls[2]!.to = mallory }, 'calls.calls[2].to'],
  ['noise for a note', 'usdt-1-to-usdc-69696969', (q) => { q.methodParameters.calldata = patch(q.methodParameters.calldata, word(7), '00') }, 'methodParameters.calldata.recipient'],
]

for (const [name, from, attack, field] of attacks) {
  test(`a malicious server is found out: ${name}`, async () => {
    const { request, quote } = vector(from)
    attack(quote)
    await assert.rejects(verify(request, quote, pins), (e) => e instanceof Mismatch && e.field === field && /do not sign$/.test(e.message))
  })
}

test('what cannot be quoted is not verified either', async () => {
  const { request, quote } = vector('usdc-369-to-usdc-8453')
  const cases: [change: object, code: string][] = [
    [{ dstChain: '4663' }, 'PAIR_UNSUPPORTED'],
    [{ srcChain: '0369' }, 'PAIR_UNSUPPORTED'],
    [{ srcToken: 'DAI' }, 'PAIR_UNSUPPORTED'],
    [{ srcToken: '0x15D38573d2feeb82e7ad5187aB8c1D52810B1f08' }, 'ADDRESS_CHECKSUM_MISMATCH'],
    [{ amount: '1' }, 'AMOUNT_TOO_LOW'],
    [{ amount: '99999999999999' }, 'AMOUNT_TOO_HIGH'],
    [{ amount: '1e9' }, 'AMOUNT_INVALID'],
    [{ recipient: '0x12' }, 'RECIPIENT_INVALID'],
    [{ recipient: `0x${'0'.repeat(40)}` }, 'RECIPIENT_ZERO'],
    [{ recipient: vector('usdt-1-to-usdc-69696969').request.recipient }, 'RECIPIENT_TYPE_MISMATCH'],
    [{ integratorId: `0x${'1'.repeat(64)}` }, 'INTEGRATOR_INVALID'],
    [{ integratorId: `0x${'0'.repeat(40)}` }, 'INTEGRATOR_INVALID'],
  ]
  for (const [change, code] of cases) {
    await assert.rejects(verify({ ...request, ...change }, quote, pins), (e) => e instanceof Invalid && e.code === code, code)
  }
})

test('a token goes by its symbol in any letter case and by its address', async () => {
  const { request, quote } = vector('eth-1-to-weth-369')
  for (const srcToken of ['eth', 'ETH', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', `0x${'0'.repeat(40)}`, `0x${'e'.repeat(40)}`]) {
    await verify({ ...request, srcToken }, quote, pins)
  }
})

test('pins decide what the issuer and a partner may take', async () => {
  const burn = vector('usdc-10-to-usdc-369')
  const loose: Pins = structuredClone(pins)
  for (const r of loose.routers) if (r.issuerBps) r.issuerBps = ['0', '14']
  const at = word(5)
  const offer = (bps: bigint) => {
    const maxFee = maxBurnFee(BigInt(burn.request.amount), bps * 1_000_000_000n).toString(16).padStart(64, '0')
    return { ...burn.quote, methodParameters: { ...burn.quote.methodParameters, calldata: patch(burn.quote.methodParameters.calldata, at, maxFee) } }
  }
  await verify(burn.request, offer(14n), loose)
  await verify(burn.request, offer(0n), loose)
  await assert.rejects(verify(burn.request, offer(15n), loose), /maxFee is \d+, and should be between 0 and \d+/)
  await assert.rejects(verify(burn.request, offer(14n), pins), /maxFee is \d+, and should be \d+:/)

  const partner = vector('usdt-1-to-usdc-369-integrator')
  const known: Pins = { ...pins, integrators: { ...pins.integrators, known: [{ id: partner.request.integratorId!, millionths: 2499 }] } }
  await assert.rejects(verify(partner.request, partner.quote, known), /fee.integrator.percentage is 0.25, and should be 0.2499/)
  known.integrators.known[0]!.millionths = 2500
  await verify(partner.request, partner.quote, known)
})

test('pins of another format, or with a typing error, are refused', async () => {
  const { request, quote } = vector('usdc-369-to-usdc-8453')
  await assert.rejects(verify(request, quote, { ...pins, format: 'hubquote-pins/2' }), /not in the format/)
  const typo = structuredClone(pins)
  for (const t of typo.tokens) t.address = t.address.replace('0x15D3', '0x15d3')
  await assert.rejects(verify(request, quote, typo), /wrong checksum/)
})
