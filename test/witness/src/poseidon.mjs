// Poseidon of two field elements over BN254, as circomlib has it: width 3, x^5,
// 8 full and 57 partial rounds. Its constants are not copied but drawn from the
// generator that defines them, the self-shrinking Grain LFSR of the Poseidon
// paper, so that no table has to be trusted.

export const field = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

const width = 3, full = 8, partial = 57, fieldBits = 254

function * grain() {
  const bits = [[1, 2], [0, 4], [fieldBits, 12], [width, 12], [full, 10], [partial, 10], [2 ** 30 - 1, 30]]
    .flatMap(([value, size]) => [...value.toString(2).padStart(size, '0')].map(Number))
  const next = () => {
    const bit = bits[62] ^ bits[51] ^ bits[38] ^ bits[23] ^ bits[13] ^ bits[0]
    bits.shift()
    bits.push(bit)
    return bit
  }
  for (let i = 0; i < 160; i++) next()
  for (;;) {
    const keep = next(), bit = next()
    if (keep) yield bit
  }
}

function constants() {
  const stream = grain()
  const draw = () => BigInt('0b' + Array.from({ length: fieldBits }, () => stream.next().value).join(''))
  const element = () => {
    for (;;) {
      const n = draw()
      if (n < field) return n
    }
  }
  const rounds = Array.from({ length: full + partial }, () => Array.from({ length: width }, element))
  const points = Array.from({ length: 2 * width }, () => draw() % field)
  const mix = points.slice(0, width).map(x => points.slice(width).map(y => inverse((x + y) % field)))
  return { rounds, mix }
}

function inverse(n) {
  let result = 1n
  for (let base = n, e = field - 2n; e > 0n; e >>= 1n, base = base * base % field) {
    if (e & 1n) result = result * base % field
  }
  return result
}

const { rounds, mix } = constants()

function quintic(x) {
  const square = x * x % field
  return square * square % field * x % field
}

export function poseidon(a, b) {
  let state = [0n, a, b]
  rounds.forEach((round, r) => {
    const whole = r < full / 2 || r >= full / 2 + partial
    const s = state.map((x, i) => i === 0 || whole ? quintic(x + round[i]) : x + round[i])
    state = mix.map(row => (row[0] * s[0] + row[1] * s[1] + row[2] * s[2]) % field)
  })
  return state[0]
}
