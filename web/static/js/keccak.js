// Keccak-256, the hash of selectors and of EIP-55. It is not SHA3-256: the
// padding differs by one bit.

const rate = 136; // bytes taken in between two permutations

// The state is 25 lanes of 64 bits, each kept as a low and a high half. The
// round constants and the rotations follow from the definition; writing them
// down would be more to get wrong.
const constants = roundConstants();
const rotations = rotationSteps();

function roundConstants() {
  const out = [];
  let register = 1;
  for (let round = 0; round < 24; round++) {
    const halves = [0, 0];
    for (let j = 0; j < 7; j++) {
      const bit = (1 << j) - 1;
      if (register & 1) halves[bit >> 5] ^= 1 << (bit & 31);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    out.push(halves);
  }
  return out;
}

function rotationSteps() {
  const out = [];
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    const from = 2 * (x + 5 * y);
    [x, y] = [y, (2 * x + 3 * y) % 5];
    out.push([from, 2 * (x + 5 * y), (((t + 1) * (t + 2)) / 2) % 64]);
  }
  return out;
}

// rotate writes the lane at from, turned left, to the lane at to.
function rotate(source, from, target, to, by) {
  const swap = by >= 32 ? 1 : 0;
  const [low, high] = [source[from + swap], source[from + 1 - swap]];
  const n = by & 31;
  target[to] = n ? (low << n) | (high >>> (32 - n)) : low;
  target[to + 1] = n ? (high << n) | (low >>> (32 - n)) : high;
}

function permute(a) {
  const column = new Uint32Array(10);
  const turned = new Uint32Array(10);
  const b = new Uint32Array(50);
  for (const [low, high] of constants) {
    for (let i = 0; i < 10; i++) column[i] = a[i] ^ a[i + 10] ^ a[i + 20] ^ a[i + 30] ^ a[i + 40];
    for (let i = 0; i < 10; i += 2) rotate(column, i, turned, i, 1);
    for (let i = 0; i < 50; i++) a[i] ^= column[(i + 8) % 10] ^ turned[(i + 2) % 10];
    b[0] = a[0];
    b[1] = a[1];
    for (const [from, to, by] of rotations) rotate(a, from, b, to, by);
    for (let i = 0; i < 50; i++) {
      const row = i - (i % 10);
      a[i] = b[i] ^ (~b[row + ((i + 2) % 10)] & b[row + ((i + 4) % 10)]);
    }
    a[0] ^= low;
    a[1] ^= high;
  }
}

function absorb(state, block) {
  for (let i = 0; i < rate; i++) state[i >> 2] ^= block[i] << (8 * (i & 3));
  permute(state);
}

/** keccak256 hashes bytes to 32 bytes. */
export function keccak256(data) {
  const padded = new Uint8Array((Math.floor(data.length / rate) + 1) * rate);
  padded.set(data);
  padded[data.length] ^= 0x01;
  padded[padded.length - 1] ^= 0x80;
  const state = new Uint32Array(50);
  for (let at = 0; at < padded.length; at += rate) absorb(state, padded.subarray(at, at + rate));
  return Uint8Array.from({ length: 32 }, (_, i) => state[i >> 2] >>> (8 * (i & 3)));
}
