import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bech32, bech32m } from '@scure/base'
import { Invalid, parsePrivate } from '../src/index.js'
import { hash, makesNote } from '../src/note.js'
import { repository } from './vectors.js'

const testdata = (name: string) => repository(`internal/shield/testdata/${name}`).vectors

/** The code that an address is refused with on a network. */
function codeOf(address: string, network: number): string {
  try {
    parsePrivate(address, network)
    return 'accepted'
  } catch (e) {
    assert.ok(e instanceof Invalid && e.param === 'recipient', String(e))
    return e.code
  }
}

test('Poseidon is the one that circomlib defines', () => {
  assert.equal(hash(1n, 2n), 7853200120776062878684798364095072458815029376092732009249414926327459813530n)
})

test('notes are equal to those of the wallet engine, to the last bit', () => {
  for (const v of testdata('shield.json')) {
    if (v.chain?.type === 1) { // not an EVM chain, which no route pays
      assert.equal(codeOf(v.address, v.chain.id), 'ZK_CHAIN_MISMATCH', v.label)
      continue
    }
    const to = parsePrivate(v.address, v.chain?.id ?? 1)
    const proof = { random: `0x${v.random}`, shieldPrivateKey: `0x${v.shieldPrivateKey}` } as const
    assert.equal(makesNote(`0x${v.note}`, to, proof), true, v.label)
    assert.equal(makesNote(`0x${v.note}00`, to, proof), false, v.label)
  }
})

test('every byte of a note is checked', () => {
  const v = testdata('shield.json')[0]
  const proof = { random: `0x${v.random}`, shieldPrivateKey: `0x${v.shieldPrivateKey}` } as const
  for (let i = 0; i < 160; i++) {
    const note = Buffer.from(v.note, 'hex')
    note[i]! ^= 1
    assert.equal(makesNote(`0x${note.toString('hex')}`, parsePrivate(v.address, 1), proof), false, `byte ${i}`)
  }
})

/** The codes, by their names in the vectors. */
const codes: Record<string, string> = {
  OK: 'accepted', EMPTY: 'ZK_LENGTH', NON_ASCII: 'ZK_NON_ASCII', LENGTH: 'ZK_LENGTH', MIXED_CASE: 'ZK_MIXED_CASE',
  BECH32: 'ZK_BECH32', CHECKSUM: 'ZK_CHECKSUM', VERSION: 'ZK_VERSION', MPK_RANGE: 'ZK_MASTER_KEY_RANGE',
  VPK_POINT: 'ZK_VIEWING_KEY_POINT', VPK_NONCANONICAL: 'ZK_VIEWING_KEY_NONCANONICAL',
  VPK_SMALL_ORDER: 'ZK_VIEWING_KEY_SMALL_ORDER', VPK_TORSION: 'ZK_VIEWING_KEY_TORSION', CHAIN_MISMATCH: 'ZK_CHAIN_MISMATCH',
}

test('bad addresses are refused with the codes of the Go client', () => {
  const list = testdata('shield-invalid.json')
  assert.equal(list.length, 40)
  for (const v of list) {
    const network = v.id.endsWith('-56') ? 56 : 1
    assert.equal(codeOf(v.address, network), codes[v.code], v.id)
  }
})

test('an address that was accepted for one network is checked again for another', () => {
  const { address } = testdata('shield-invalid.json').find((v: { id: string }) => v.id === 'ok-chain-1')
  assert.deepEqual([1, 56, 1].map((network) => codeOf(address, network)), ['accepted', 'ZK_CHAIN_MISMATCH', 'accepted'])
})

test('the first fault of an address is reported', () => {
  const good = testdata('shield.json')[0].address as string
  const payload = bech32m.fromWords(bech32m.decode(good as `${string}1${string}`, false).words)
  const changed = (offset: number, bytes: Uint8Array | number[]) => { const p = payload.slice(); p.set(bytes, offset); return p }
  const address = (p: Uint8Array, prefix = '0zk') => bech32m.encode(prefix, bech32m.toWords(p), false)
  const padded = bech32m.toWords(payload)
  padded[padded.length - 1]! |= 1
  const cases: [rule: string, text: string, code: string][] = [
    ['ASCII before length', '0zk1é', 'ZK_NON_ASCII'],
    ['length before case', '0Zk1', 'ZK_LENGTH'],
    ['case before separator', good.replace('0zk1', '0Zkq'), 'ZK_MIXED_CASE'],
    ['separator before prefix', good.replace('0zk1', '0zzz'), 'ZK_BECH32'],
    ['prefix before characters', good.replace('0zk1q', '1zk1b'), 'ZK_PREFIX'],
    ['another prefix with a good checksum', address(payload, '0zz'), 'ZK_PREFIX'],
    ['characters before checksum', good.replace('0zk1q', '0zk1b'), 'ZK_CHARSET'],
    ['a second separator', `${good.slice(0, 50)}1${good.slice(51)}`, 'ZK_CHARSET'],
    ['the checksum of bech32', bech32.encode('0zk', bech32.toWords(payload), false), 'ZK_CHECKSUM'],
    ['a padding bit', bech32m.encode('0zk', padded, false), 'ZK_PADDING'],
    ['version before master key', address(changed(0, new Uint8Array(33))), 'ZK_VERSION'],
    ['master key before viewing key', address(changed(1, new Uint8Array(72))), 'ZK_MASTER_KEY_RANGE'],
    ['viewing key before network', address(changed(33, new Uint8Array(40))), 'ZK_VIEWING_KEY_SMALL_ORDER'],
    ['the network last', address(changed(33, new Uint8Array(8))), 'ZK_CHAIN_MISMATCH'],
  ]
  for (const [rule, text, code] of cases) assert.equal(codeOf(text, 1), code, rule)
})
