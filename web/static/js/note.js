// Opening an encrypted recipient: with the randomness the server used, which a
// client may ask for, the page can prove that a note pays the address that was
// typed in, as the recipient's own wallet will find.

import { concat, equal, integer, integerLE, unhex } from "./bytes.js";
import { base, compress, decompress, multiply, order } from "./curve.js";
import { poseidon } from "./poseidon.js";

export const noteLength = 160;

/** parts are the fields of a note: name, start and end. */
export const parts = [
  ["npk", 0, 32],
  ["encryptedBundle[0]", 32, 64],
  ["encryptedBundle[1]", 64, 96],
  ["encryptedBundle[2]", 96, 128],
  ["shieldKey", 128, 160],
];

/** canOpen says whether this browser lets a page use its cryptography. */
export const canOpen = () => globalThis.crypto?.subtle !== undefined;

/**
 * open checks a note against the recipient's keys and the server's proof. Each
 * result is true or false: the note's public key, what the recipient's wallet
 * decrypts, the sender's record, and the ephemeral key.
 */
export async function open(note, { master, viewing }, proof) {
  const random = unhex(proof.random);
  const seed = unhex(proof.shieldPrivateKey);
  if (random?.length !== 16 || seed?.length !== 32) return { npk: false, sealed: false, record: false, key: false };
  const scalar = await secret(seed);
  const shared = compress(multiply(scalar, decompress(viewing).point));
  const key = await digest("SHA-256", shared);
  const sealed = await decryptGCM(key, note.slice(32, 48), concat(note.slice(64, 80), note.slice(48, 64)));
  const record = await decryptCTR(seed, note.slice(80, 96), note.slice(96, 128));
  return {
    npk: equal(note.slice(0, 32), poseidon(integer(master), integer(random))),
    sealed: sealed !== null && equal(sealed, random),
    record: equal(record, viewing),
    key: equal(note.slice(128), compress(multiply(scalar, base))),
  };
}

// secret is the private scalar of an ed25519 seed, reduced as wallets do.
async function secret(seed) {
  const h = (await digest("SHA-512", seed)).slice(0, 32);
  h[0] &= 0xf8;
  h[31] = (h[31] & 0x7f) | 0x40;
  return integerLE(h) % order;
}

const digest = async (name, data) => new Uint8Array(await crypto.subtle.digest(name, data));

async function decryptGCM(key, iv, box) {
  const k = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, k, box));
  } catch {
    return null; // the tag does not fit
  }
}

async function decryptCTR(key, counter, box) {
  const k = await crypto.subtle.importKey("raw", key, "AES-CTR", false, ["decrypt"]);
  return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-CTR", counter, length: 128 }, k, box));
}
