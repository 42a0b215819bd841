// Reads notes, one JSON object a line, and does with each what the wallet
// engine does: as the sender, that made it, and as the recipient, that finds it.
// Stops at the first difference; otherwise prints how many it has seen.
'use strict';

const assert = require('node:assert/strict');
const readline = require('node:readline');

// The package exports less than a wallet uses, so its files are named one by one.
const engine = './node_modules/@railgun-community/engine/dist/';
const { decodeAddress } = require(engine + 'key-derivation/bech32.js');
const { ShieldNoteERC20 } = require(engine + 'note/erc20/shield-note-erc20.js');
const { ShieldNote } = require(engine + 'note/shield-note.js');
const { AES } = require(engine + 'utils/encryption/aes.js');
const { ByteUtils } = require(engine + 'utils/bytes.js');
const { getPublicViewingKey, getSharedSymmetricKey } = require(engine + 'utils/keys-utils.js');
const { initPoseidonPromise } = require(engine + 'utils/poseidon.js');
const { initCurve25519Promise } = require(engine + 'utils/scalar-multiply.js');

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (b) => Buffer.from(b).toString('hex');
const hex32 = (n) => n.toString(16).padStart(64, '0');

// Splits a note as the contract's arguments split it.
function split(note) {
  const words = note.match(/.{64}/g);
  assert.equal(words?.join(''), note, 'note is not made of whole words');
  assert.equal(words.length, 5);
  return { npk: words[0], bundle: words.slice(1, 4), shieldKey: words[4] };
}

// The engine's reading of the address is ours.
function checkAddress(c) {
  const data = decodeAddress(c.address);
  assert.equal(hex32(data.masterPublicKey), c.masterPublicKey, 'master public key');
  assert.equal(hex(data.viewingPublicKey), c.viewingPublicKey, 'viewing public key');
  return data;
}

// Given the same randomness, the engine makes the same 160 bytes.
async function checkSender(c, data) {
  const { bundle } = split(c.note);
  const ivs = [bundle[0].slice(0, 32), bundle[1].slice(32)];
  AES.getRandomIV = () => ivs.shift();
  const note = new ShieldNoteERC20(data.masterPublicKey, c.random, 1n, '0x' + '11'.repeat(20));
  const { preimage, ciphertext } = await note.serialize(bytes(c.seed), data.viewingPublicKey);
  assert.equal(ivs.length, 0, 'the engine did not take both IVs');
  const made = [preimage.npk, ...ciphertext.encryptedBundle, ciphertext.shieldKey].map(ByteUtils.strip0x);
  assert.equal(made.join(''), c.note, 'note');
}

// The recipient finds the note with its viewing key, and can spend it.
async function checkRecipient(c, data) {
  const { npk, bundle, shieldKey } = split(c.note);
  const viewing = bytes(c.viewingPrivateKey);
  assert.equal(hex(await getPublicViewingKey(viewing)), c.viewingPublicKey, 'viewing key pair');
  const shared = await getSharedSymmetricKey(viewing, bytes(shieldKey));
  assert.ok(shared, 'no shared key');
  const random = ShieldNote.decryptRandom(bundle, shared);
  assert.equal(random, c.random, 'random');
  assert.equal(hex32(ShieldNote.getNotePublicKey(data.masterPublicKey, random)), npk, 'note public key');
}

async function main() {
  await Promise.all([initPoseidonPromise, initCurve25519Promise]);
  const seen = { addresses: 0, made: 0, opened: 0 };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const c = JSON.parse(line);
    try {
      const data = checkAddress(c);
      seen.addresses += 1;
      await checkSender(c, data);
      seen.made += 1;
      if (c.viewingPrivateKey) {
        await checkRecipient(c, data);
        seen.opened += 1;
      }
    } catch (cause) {
      throw new Error(`case ${line}`, { cause });
    }
  }
  console.log(JSON.stringify(seen));
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
