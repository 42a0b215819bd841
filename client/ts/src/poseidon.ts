// The hash that hides a note's recipient: Poseidon over the scalar field of
// BN254 with two inputs, as circomlib defines it. Its constants are not copied
// but made, by the generator that its authors describe.

/** The field's modulus. */
export const field = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

const width = 3
const fullRounds = 8
const partialRounds = 57
const fieldBits = 254

/** The authors' pseudorandom bits: a shift register of 80, sampled in pairs. */
function* grain(): Generator<bigint, never> {
  const start = [
    [1, 2], [0, 4], [fieldBits, 12], [width, 12], [fullRounds, 10], [partialRounds, 10], [2 ** 30 - 1, 30],
  ] as const
  const state = start.flatMap(([value, bits]) => [...value.toString(2).padStart(bits, '0')].map(Number))
  const next = (): number => {
    const bit = [62, 51, 38, 23, 13, 0].reduce((sum, i) => sum ^ (state[i] as number), 0)
    state.shift()
    state.push(bit)
    return bit
  }
  for (let i = 0; i < 160; i++) next()
  while (true) {
    const wanted = next()
    const bit = next()
    if (wanted) yield BigInt(bit)
  }
}

function makeConstants(): { added: bigint[][]; mixed: bigint[][] } {
  const bits = grain()
  const sample = () => Array.from({ length: fieldBits }, () => bits.next().value).reduce((n, bit) => (n << 1n) | bit, 0n)
  const element = (): bigint => {
    const n = sample()
    return n < field ? n : element()
  }
  const added = Array.from({ length: fullRounds + partialRounds }, () => Array.from({ length: width }, element))
  const [xs, ys] = [Array.from({ length: width }, sample), Array.from({ length: width }, sample)]
  const mixed = xs.map((x) => ys.map((y) => inverse((x + y) % field)))
  return { added, mixed }
}

function inverse(a: bigint): bigint {
  let result = 1n
  for (let b = a, e = field - 2n; e > 0n; e >>= 1n, b = (b * b) % field) {
    if (e & 1n) result = (result * b) % field
  }
  return result
}

let constants: ReturnType<typeof makeConstants> | undefined

const fifth = (a: bigint) => {
  const square = (a * a) % field
  return (((square * square) % field) * a) % field
}

/** Hashes two elements of the field. */
export function poseidon(a: bigint, b: bigint): bigint {
  constants ??= makeConstants()
  let state = [0n, a, b]
  for (const [round, added] of constants.added.entries()) {
    const full = round < fullRounds / 2 || round >= fullRounds / 2 + partialRounds
    const boxed = state.map((s, i) => {
      const sum = (s + (added[i] as bigint)) % field
      return full || i === 0 ? fifth(sum) : sum
    })
    state = constants.mixed.map((row) => row.reduce((sum, m, i) => sum + m * (boxed[i] as bigint), 0n) % field)
  }
  return state[0] as bigint
}
