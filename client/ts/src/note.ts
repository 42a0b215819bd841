import { ctr, gcm } from '@noble/ciphers/aes.js'
import { Field } from '@noble/curves/abstract/modular.js'
import { grainGenConstants, poseidon } from '@noble/curves/abstract/poseidon.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { bech32m } from '@scure/base'
import { Invalid } from './errors.js'
import type { Code, Hex, Proof } from './types.js'

/** A private recipient: its spending key, its viewing key, and its one network, or all ones for every network. */
export type PrivateAddress = { masterKey: bigint; viewingKey: Uint8Array; network: bigint }

/** The size of the BN254 scalar field; master public keys are its elements. */
const field = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

function check(holds: boolean, code: Code, message: string): asserts holds {
  if (!holds) throw new Invalid(code, 'recipient', message)
}

const integer = (bytes: Uint8Array) => BigInt(`0x${bytesToHex(bytes)}`)

const same = (a: Uint8Array, b: Uint8Array) => bytesToHex(a) === bytesToHex(b)

/**
 * Reads a 0zk address for a note on one network, as strictly and in the same
 * order as the server does: money for a wrong one is lost without an error.
 */
export function parsePrivate(text: string, network: number): PrivateAddress {
  const address = readPrivate(text)
  checkNetwork(address, network)
  return address
}

/** Reads a 0zk address before it is known which network it is to be paid on. */
export function readPrivate(text: string): PrivateAddress {
  if (last?.text !== text) last = { text, address: parse(text) }
  return last.address
}

/** A cache: the same address is parsed for a form, before a request, and for its answer. */
let last: { text: string; address: PrivateAddress } | undefined

function parse(text: string): PrivateAddress {
  const payload = payloadOf(text)
  check(payload[0] === 1, 'ZK_VERSION', 'this version of 0zk address is not known: use one of version 1')
  const masterKey = integer(payload.subarray(1, 33))
  check(masterKey > 0n && masterKey < field, 'ZK_MASTER_KEY_RANGE', 'the master key in this address is out of range: use the address that the wallet itself shows')
  const viewingKey = payload.slice(41)
  checkViewingKey(viewingKey)
  return { masterKey, viewingKey, network: integer(payload.slice(33, 41)) ^ networkMask }
}

const networkMask = integer(new TextEncoder().encode('railgun\0'))

/** An address in text is bech32m of one fixed shape, all in lower or all in upper case. */
function payloadOf(text: string): Uint8Array {
  check(/^[\x00-\x7f]*$/.test(text), 'ZK_NON_ASCII', 'a 0zk address has plain letters and digits only: copy it from the wallet again')
  check(text.length === 127, 'ZK_LENGTH', 'a 0zk address has exactly 127 characters: copy the whole of it, without spaces, from the wallet')
  check(!(/[a-z]/.test(text) && /[A-Z]/.test(text)), 'ZK_MIXED_CASE', 'a 0zk address is all in lower case or all in upper case: copy it from the wallet again')
  const lower = text.toLowerCase()
  check(lower[3] === '1', 'ZK_BECH32', 'a 0zk address has a 1 as its fourth character: copy the address from the wallet again')
  check(lower.startsWith('0zk'), 'ZK_PREFIX', 'a private recipient begins with 0zk1: copy the address from the wallet again')
  check(/^[02-9ac-hj-np-z]*$/.test(lower.slice(4)), 'ZK_CHARSET', 'this address has a character that no 0zk address has: look for a typo, or copy it from the wallet again')
  const decoded = bech32m.decodeUnsafe(lower, false)
  check(decoded !== undefined, 'ZK_CHECKSUM', 'the checksum of this address does not match, so some character is wrong: copy it from the wallet again')
  const payload = bech32m.fromWordsUnsafe(decoded.words)
  check(payload instanceof Uint8Array, 'ZK_PADDING', 'this address is not in its one valid form: use the address that the wallet itself shows')
  return payload
}

/** A note for the key must be decrypted with its private key only. */
function checkViewingKey(key: Uint8Array): void {
  const point = pointOf(key)
  check(point !== undefined, 'ZK_VIEWING_KEY_POINT', 'the viewing key in this address is not a point of its curve: copy the address from the wallet again')
  const advice = 'use the address that the wallet itself shows'
  check(same(point.toBytes(), key), 'ZK_VIEWING_KEY_NONCANONICAL', `the viewing key in this address is not in its one valid form: ${advice}`)
  check(!point.isSmallOrder(), 'ZK_VIEWING_KEY_SMALL_ORDER', `any reader of the chain could decrypt a note for the viewing key in this address: ${advice}`)
  check(point.isTorsionFree(), 'ZK_VIEWING_KEY_TORSION', `the wallet could not decrypt a note for the viewing key in this address: ${advice}`)
}

/** The point that 32 bytes encode, in its one valid form or not. */
function pointOf(key: Uint8Array): InstanceType<typeof ed25519.Point> | undefined {
  try {
    return ed25519.Point.fromBytes(key, true)
  } catch {
    return undefined
  }
}

/** The address must be for all networks, or for the one that the money goes to. */
function checkNetwork({ network: bound }: PrivateAddress, network: number): void {
  const fits = bound === 2n ** 64n - 1n || bound === BigInt(network)
  check(fits, 'ZK_CHAIN_MISMATCH', "this address is for another network: use the wallet's address for all networks, or for the one the money goes to")
}

/**
 * Reports whether a note is, to the last byte, the one that its proof makes for an
 * address: the proof and the note's two IVs determine all of its bytes.
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
export function makesNote(note: Hex, to: PrivateAddress, proof: Proof): boolean {
  const bytes = hexToBytes(note.slice(2))
  const [random, seed] = [hexToBytes(proof.random.slice(2)), hexToBytes(proof.shieldPrivateKey.slice(2))]
  const [gcmIV, ctrIV] = [bytes.slice(32, 48), bytes.slice(80, 96)]
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(seed)
  const shared = sha256(ed25519.Point.fromBytes(to.viewingKey).multiply(scalar).toBytes())
  const box = gcm(shared, gcmIV).encrypt(random)
  const key = hexToBytes(hash(to.masterKey, integer(random)).toString(16).padStart(64, '0'))
  const receiver = ctr(seed, ctrIV).encrypt(to.viewingKey)
  return same(bytes, concatBytes(key, gcmIV, box.slice(16), box.slice(0, 16), ctrIV, receiver, pointBytes))
}

let permute: ReturnType<typeof poseidon> | undefined

/** Poseidon of two elements, as circomlib defines it; computing its constants takes a while. */
export function hash(a: bigint, b: bigint): bigint {
  const shape = { Fp: Field(field), t: 3, roundsFull: 8, roundsPartial: 57, sboxPower: 5 }
  permute ??= poseidon({ ...shape, ...grainGenConstants(shape) })
  return permute([0n, a, b])[0] as bigint
}
