import { bytesToHex, hexToBytes, numberToBytes } from 'viem'
import { base, decode, encode, fromBytes, isIdentity, multiply, order, type Point } from './ed25519.js'
import { Invalid } from './errors.js'
import { field, poseidon } from './poseidon.js'
import type { Code, Hex, Proof } from './types.js'

/** A private recipient: who may spend, and who may look. */
export type PrivateAddress = { masterKey: bigint; viewingKey: Uint8Array; viewingPoint: Point }

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const prefix = '0zk'
const textLength = 127
const payloadWords = 117

const refuse = (code: Code, message: string) => new Invalid(code, 'recipient', message)

/** Reads a 0zk address as strictly as the server does: money for a wrong one is lost without an error. */
export function parsePrivate(text: string, network: number): PrivateAddress {
  const payload = payloadOf(text)
  if (payload[0] !== 1) throw refuse('ZK_VERSION', 'this version of 0zk address is not known')
  const masterKey = BigInt(bytesToHex(payload.slice(1, 33)))
  if (masterKey === 0n || masterKey >= field) throw refuse('ZK_MASTER_KEY_RANGE', 'the master key in this address is out of range')
  checkNetwork(payload.slice(33, 41), network)
  const viewingKey = payload.slice(41)
  return { masterKey, viewingKey, viewingPoint: viewingPointOf(viewingKey) }
}

function payloadOf(text: string): Uint8Array {
  if (!/^[\x00-\x7f]*$/.test(text)) throw refuse('ZK_NON_ASCII', 'a 0zk address has plain letters and digits only')
  if (text.length !== textLength) throw refuse('ZK_LENGTH', 'a 0zk address has exactly 127 characters')
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) throw refuse('ZK_MIXED_CASE', 'a 0zk address is all in lower case or all in upper case')
  if (!lower.startsWith(`${prefix}1`)) throw refuse('ZK_PREFIX', 'a private recipient begins with 0zk1')
  const words = [...lower.slice(prefix.length + 1)].map((c) => alphabet.indexOf(c))
  if (words.includes(-1)) throw refuse('ZK_CHARSET', 'this address has a character that no 0zk address has')
  if (checksum(words) !== 0x2bc830a3) throw refuse('ZK_CHECKSUM', 'the checksum of this address does not match')
  return pack(words.slice(0, payloadWords))
}

/** The code of BIP-350 over the prefix and words. */
function checksum(words: number[]): number {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  const letters = [...prefix].map((c) => c.charCodeAt(0))
  let sum = 1
  for (const word of [...letters.map((c) => c >> 5), 0, ...letters.map((c) => c & 31), ...words]) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ word
    generator.forEach((g, i) => { if ((top >> i) & 1) sum ^= g })
  }
  return sum
}

/** Joins words of five bits to bytes; the one bit to spare must be zero. */
function pack(words: number[]): Uint8Array {
  const bits = words.map((w) => w.toString(2).padStart(5, '0')).join('')
  if (bits.endsWith('1')) throw refuse('ZK_PADDING', 'this address is not in its one valid form')
  return Uint8Array.from({ length: 73 }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8), 2))
}

/** The address must be for all networks, or for the one that the money goes to. */
function checkNetwork(masked: Uint8Array, network: number): void {
  const mask = [...'railgun\0'].map((c) => c.charCodeAt(0))
  const bound = BigInt(bytesToHex(masked.map((b, i) => b ^ (mask[i] as number))))
  if (bound !== 2n ** 64n - 1n && bound !== BigInt(network)) {
    throw refuse('ZK_CHAIN_MISMATCH', 'this address is for another network')
  }
}

/** What is encrypted to the key must be readable by its owner, and by nobody else. */
function viewingPointOf(key: Uint8Array): Point {
  const point = decode(key)
  if (!point) throw refuse('ZK_VIEWING_KEY_POINT', 'the viewing key in this address is not a point of its curve in its one valid form')
  if (isIdentity(multiply(8n, point))) throw refuse('ZK_VIEWING_KEY_SMALL_ORDER', 'anybody could read what is encrypted to the viewing key in this address')
  if (!isIdentity(multiply(order, point))) throw refuse('ZK_VIEWING_KEY_TORSION', 'the wallet could not read what is encrypted to the viewing key in this address')
  return point
}

/**
 * Tells whether a note is, to the last byte, the one that its proof makes for an
 * address: the proof and the note's own two IVs leave no byte of it free.
 *
 *     offset  size  field
 *          0    32  Poseidon(master key, random)
 *         32    16  IV of the next two
 *         48    16  tag of the next one
 *         64    16  random: AES-256-GCM under the key shared with the recipient
 *         80    16  IV of the next one
 *         96    32  viewing key: AES-256-CTR under the ephemeral private key
 *        128    32  ephemeral public key
 */
export async function makesNote(note: Hex, to: PrivateAddress, proof: Proof): Promise<boolean> {
  const bytes = hexToBytes(note)
  const is = (offset: number, made: Uint8Array) => bytesToHex(bytes.slice(offset, offset + made.length)) === bytesToHex(made)
  const [random, seed] = [hexToBytes(proof.random), hexToBytes(proof.shieldPrivateKey)]
  if (!is(0, numberToBytes(poseidon(to.masterKey, BigInt(proof.random)), { size: 32 }))) return false
  if (!is(96, await encrypt('AES-CTR', seed, { counter: bytes.slice(80, 96), length: 128 }, to.viewingKey))) return false
  const secret = await secretOf(seed)
  if (!is(128, encode(multiply(secret, base)))) return false
  const shared = await digest('SHA-256', encode(multiply(secret, to.viewingPoint)))
  const sealed = await encrypt('AES-GCM', shared, { iv: bytes.slice(32, 48) }, random)
  return is(64, sealed.slice(0, 16)) && is(48, sealed.slice(16)) && bytes.length === 160
}

/** The private scalar of an ed25519 seed (RFC 8032). */
async function secretOf(seed: Uint8Array): Promise<bigint> {
  const half = (await digest('SHA-512', seed)).slice(0, 32)
  half[0] = (half[0] as number) & 248
  half[31] = ((half[31] as number) & 127) | 64
  return fromBytes(half) % order
}

async function digest(name: string, data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(name, data as BufferSource))
}

async function encrypt(name: string, key: Uint8Array, params: object, data: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key as BufferSource, name, false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt({ name, ...params }, imported, data as BufferSource))
}
