// Prints how many nanoseconds the wallet engine takes to read an address and make
// a note for it, the mean of as many as the second argument says, after as many
// to warm up.
'use strict';

const { randomBytes } = require('node:crypto');

const engine = './node_modules/@railgun-community/engine/dist/';
const { decodeAddress } = require(engine + 'key-derivation/bech32.js');
const { ShieldNoteERC20 } = require(engine + 'note/erc20/shield-note-erc20.js');
const { initPoseidonPromise } = require(engine + 'utils/poseidon.js');
const { initCurve25519Promise } = require(engine + 'utils/scalar-multiply.js');

async function make(address) {
  const data = decodeAddress(address);
  const note = new ShieldNoteERC20(data.masterPublicKey, randomBytes(16).toString('hex'), 1n, '0x' + '11'.repeat(20));
  return note.serialize(Uint8Array.from(randomBytes(32)), data.viewingPublicKey);
}

async function main() {
  const [address, count] = [process.argv[2], Number(process.argv[3])];
  await Promise.all([initPoseidonPromise, initCurve25519Promise]);
  for (let i = 0; i < count; i++) await make(address);
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) await make(address);
  console.log(String((process.hrtime.bigint() - start) / BigInt(count)));
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
