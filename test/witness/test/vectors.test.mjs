// What others made, so that the witness is not its own.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { burnCall, poolCall } from '../src/calldata.mjs'
import { maxFee } from '../src/fees.mjs'
import { open, proves, withKeys, zkAddress } from '../src/note.mjs'

const hex = s => Buffer.from(s.replace(/^0x/, ''), 'hex')

// Notes of the reference wallet engine, made with fixed randomness.
const { vectors } = JSON.parse(readFileSync(new URL('../../../internal/shield/testdata/shield.json', import.meta.url)))

for (const v of vectors) {
  test(`the engine's note ${v.label}`, () => {
    const w = withKeys(hex(v.viewingPrivateKey), BigInt('0x' + v.masterPublicKey))
    const note = hex(v.note)
    assert.equal(open(w, note).random.toString('hex'), v.random)
    assert.ok(proves(w, note, hex(v.shieldPrivateKey)))
    if (!v.chain?.type) assert.equal(zkAddress(w, v.chain?.id ?? 0), v.address)
  })
}

// A burn as two other libraries encode it.
test('a burn with four bytes of hook', () => {
  const word = hexDigits => hexDigits.padStart(64, '0')
  const call = burnCall({
    amount: 1_000_000_000n, destinationDomain: 0, maxFee: 156_000n, minFinalityThreshold: 1000, hookData: '0xdeadbeef',
    mintRecipient: '0x' + word('11'.repeat(20)), destinationCaller: '0x' + word('22'.repeat(20)),
    burnToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'
  })
  assert.equal(call, '0x779b432d' + word('3b9aca00') + word('') + word('11'.repeat(20)) +
    word('af88d065e77c8cc2239327c5edb3a432268e5831') + word('22'.repeat(20)) + word('26160') + word('3e8') + word('100') +
    word('4') + 'deadbeef'.padEnd(64, '0'))
})

// A deposit with an account for refunds, its words written out by hand.
test('a deposit names who gets it back in its seventh word', () => {
  const word = hexDigits => hexDigits.padStart(64, '0')
  const call = poolCall({
    dstChain: 369n, amount: 1_000_000_000n, recipient: '0x' + '11'.repeat(20), recipientType: 0,
    dstToken: '0x' + '22'.repeat(20), integratorId: '0x' + word(''), refundTo: '0x' + '33'.repeat(20)
  })
  assert.equal(call, '0xaddb3d3d' + word('171') + word('3b9aca00') + word('e0') + word('') + word('22'.repeat(20)) + word('') +
    word('33'.repeat(20)) + word('14') + '11'.repeat(20).padEnd(64, '0'))
})

test('maxFee is rounded up twice', () => {
  assert.equal(maxFee(1_000_000_000n, '1.3'), 156_000n)
  assert.equal(maxFee(10_000_001n, '1.3'), 1_562n) // 1300.00013 is 1301, a fifth more is 1561.2
  assert.equal(maxFee(10_000_000n, '0'), 0n)
})
