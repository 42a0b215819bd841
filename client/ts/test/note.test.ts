import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Invalid } from '../src/index.js'
import { makesNote, parsePrivate } from '../src/note.js'
import { poseidon } from '../src/poseidon.js'

const testdata = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../internal/shield/testdata/${name}`, import.meta.url), 'utf8')).vectors

test('Poseidon is the one that circomlib defines', () => {
  assert.equal(poseidon(1n, 2n), 7853200120776062878684798364095072458815029376092732009249414926327459813530n)
})

test("notes are those that people's wallets make", async () => {
  for (const v of testdata('shield.json')) {
    if (v.chain?.type === 1) { // no EVM chain: nothing we pay into
      assert.throws(() => parsePrivate(v.address, v.chain.id), Invalid)
      continue
    }
    const to = parsePrivate(v.address, v.chain?.id ?? 1)
    const proof = { random: `0x${v.random}`, shieldPrivateKey: `0x${v.shieldPrivateKey}` } as const
    assert.equal(await makesNote(`0x${v.note}`, to, proof), true, v.label)
    const last = v.note.endsWith('0') ? '1' : '0'
    assert.equal(await makesNote(`0x${v.note.slice(0, -1)}${last}`, to, proof), false, v.label)
    assert.equal(await makesNote(`0x${v.note}00`, to, proof), false, v.label)
  }
})

test('addresses that money would be lost at are refused', () => {
  for (const v of testdata('shield-invalid.json')) {
    const parse = () => parsePrivate(v.address, v.id.endsWith('-56') ? 56 : 1)
    if (v.expect === 'accept') parse()
    else assert.throws(parse, Invalid, v.id)
  }
})
