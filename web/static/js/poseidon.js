// Poseidon over the scalar field of BN254 with two inputs: the hash that hides
// a privacy pool's recipient in a note's public key.

import { big } from "./bytes.js";

/** field is the modulus that keys of the privacy pool are below. */
export const field = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

const width = 3;
const fullRounds = 8;
const partialRounds = 57;
const bits = 254;

let made; // the constants, made when they are first needed

const constants = () => (made ??= makeConstants());

// The constants are no choice of anybody's: the hash's authors derive them from
// its parameters with the Grain generator, and so does this.
function makeConstants() {
  const next = grain();
  const sample = () => {
    let n = 0n;
    for (let i = 0; i < bits; i++) n = (n << 1n) | BigInt(next());
    return n;
  };
  const rounds = [];
  while (rounds.length < width * (fullRounds + partialRounds)) {
    const n = sample();
    if (n < field) rounds.push(n);
  }
  const points = Array.from({ length: 2 * width }, sample);
  const matrix = points.slice(0, width).map((x) => points.slice(width).map((y) => invert((x + y) % field)));
  return { rounds, matrix };
}

function grain() {
  const state = [];
  const put = (value, size) => {
    for (let i = size - 1; i >= 0; i--) state.push((value >> i) & 1);
  };
  put(1, 2);
  put(0, 4);
  put(bits, 12);
  put(width, 12);
  put(fullRounds, 10);
  put(partialRounds, 10);
  put(2 ** 30 - 1, 30);
  const step = () => {
    const bit = state[62] ^ state[51] ^ state[38] ^ state[23] ^ state[13] ^ state[0];
    state.push(bit);
    state.shift();
    return bit;
  };
  for (let i = 0; i < 160; i++) step();
  return () => {
    while (!step()) step();
    return step();
  };
}

function invert(n) {
  let out = 1n;
  for (let e = field - 2n; e > 0n; e >>= 1n) {
    if (e & 1n) out = (out * n) % field;
    n = (n * n) % field;
  }
  return out;
}

const fifth = (n) => ((((n * n) % field) ** 2n % field) * n) % field;

/** poseidon hashes two numbers below the field to 32 bytes. */
export function poseidon(a, b) {
  const { rounds, matrix } = constants();
  let state = [0n, a, b];
  for (let r = 0; r < fullRounds + partialRounds; r++) {
    const full = r < fullRounds / 2 || r >= fullRounds / 2 + partialRounds;
    state = state.map((s, i) => s + rounds[r * width + i]);
    state = state.map((s, i) => (full || i === 0 ? fifth(s) : s));
    state = matrix.map((row) => row.reduce((sum, m, i) => sum + m * state[i], 0n) % field);
  }
  return big(state[0]);
}
