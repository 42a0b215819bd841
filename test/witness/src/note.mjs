// Privacy-pool wallets whose keys the witness knows, and notes opened with them
// as their owner would open them.

import { createDecipheriv, createCipheriv, createHash } from 'node:crypto'
import sodium from 'libsodium-wrappers-sumo'
import { field, poseidon } from './poseidon.mjs'

await sodium.ready

const toInt = bytes => BigInt('0x' + bytes.toString('hex'))
const toBytes = n => Buffer.from(n.toString(16).padStart(64, '0'), 'hex')
const sha256 = (...parts) => parts.reduce((h, part) => h.update(part), createHash('sha256')).digest()

// A wallet is made from a seed. A master key that was hashed from a spending key
// looks like any other field element, so it is drawn directly.
export function wallet(seed, n) {
  const viewingKey = sha256('viewing', seed, String(n))
  return withKeys(viewingKey, toInt(sha256('master', seed, String(n))) % field)
}

export function withKeys(viewingKey, master) {
  return { master, scalar: scalarOf(viewingKey), viewingPublicKey: publicKey(viewingKey) }
}

const publicKey = seed => Buffer.from(sodium.crypto_sign_seed_keypair(seed).publicKey)

// scalarOf clamps and reduces as the wallet does. The reduction matters: it
// keeps the multiplication from clearing a cofactor the wallet would not clear.
function scalarOf(seed) {
  const half = createHash('sha512').update(seed).digest().subarray(0, 32)
  half[0] &= 0xf8
  half[31] = half[31] & 0x7f | 0x40
  return sodium.crypto_core_ed25519_scalar_reduce(Buffer.concat([half, Buffer.alloc(32)]))
}

// networkID masks the chain with the word railgun; all ones mean every chain.
function networkID(chain) {
  const id = chain ? Buffer.from(BigInt(chain).toString(16).padStart(16, '0'), 'hex') : Buffer.alloc(8, 0xff)
  const mask = Buffer.from('railgun\0')
  return id.map((b, i) => b ^ mask[i])
}

// zkAddress spells a wallet's address; chain is 0 for the form of all chains.
export function zkAddress(w, chain) {
  return bech32m('0zk', Buffer.concat([Buffer.of(1), toBytes(w.master), networkID(chain), w.viewingPublicKey]))
}

const charset = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

function bech32m(prefix, payload) {
  const bits = [...payload].map(b => b.toString(2).padStart(8, '0')).join('')
  const words = bits.match(/.{1,5}/g).map(w => parseInt(w.padEnd(5, '0'), 2))
  const ascii = [...Buffer.from(prefix)]
  const sum = polymod([...ascii.map(c => c >> 5), 0, ...ascii.map(c => c & 31), ...words, 0, 0, 0, 0, 0, 0]) ^ 0x2bc830a3
  const check = [25, 20, 15, 10, 5, 0].map(shift => sum >> shift & 31)
  return prefix + '1' + [...words, ...check].map(w => charset[w]).join('')
}

function polymod(values) {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  return values.reduce((sum, v) => {
    const top = sum >>> 25
    return generator.reduce((s, g, i) => top >> i & 1 ? s ^ g : s, (sum & 0x1ffffff) << 5 ^ v)
  }, 1)
}

// parts cuts a type-2 recipient (D19).
//
//  offset  size  field
//       0    32  npk
//      32    16  GCM IV
//      48    16  GCM tag
//      64    16  ciphertext of random
//      80    16  CTR IV
//      96    32  ciphertext of the recipient's viewing key, for the sender
//     128    32  ephemeral public key
function parts(note) {
  const cut = (from, size) => note.subarray(from, from + size)
  return { npk: cut(0, 32), iv: cut(32, 16), tag: cut(48, 16), sealed: cut(64, 16), ctr: cut(80, 16), receipt: cut(96, 32), shieldKey: cut(128, 32) }
}

// open finds the note's randomness as the wallet does, and throws when the note
// is for another wallet. It checks the npk too, which the wallet does not: a note
// with a wrong npk cannot be spent.
export function open(w, note) {
  if (note.length !== 160) throw new Error('a note has 160 bytes')
  const p = parts(note)
  const shared = sodium.crypto_scalarmult_ed25519_noclamp(w.scalar, p.shieldKey)
  const gcm = createDecipheriv('aes-256-gcm', sha256(shared), p.iv).setAuthTag(p.tag)
  const random = Buffer.concat([gcm.update(p.sealed), gcm.final()])
  if (!toBytes(poseidon(w.master, toInt(random))).equals(p.npk)) throw new Error('npk is not of this wallet and randomness')
  return { random, shieldKey: p.shieldKey }
}

// proves reports whether the ephemeral private key accounts for the parts of the
// note that only the sender can read.
export function proves(w, note, key) {
  const p = parts(note)
  const receipt = createCipheriv('aes-256-ctr', key, p.ctr).update(w.viewingPublicKey)
  return p.receipt.equals(receipt) && p.shieldKey.equals(publicKey(key))
}
