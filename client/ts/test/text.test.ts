import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUnits, judge, parseUnits, printable, Refusal, spans } from '../src/index.js'
import { pins, vectors } from './vectors.js'

const clear = '\u001b[2J\u001b[H\u0007\r\n\u0085\u202e\u200b\ud83d\u{e0001}' + 'x'.repeat(200)
const safe = (text: string) => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text)

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Answers with an escape sequence in place of each value and key, and beside each key. */
function* poisoned(value: Json): Generator<Json> {
  yield clear
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const held = value as Record<string, Json>
    for (const other of poisoned(held[key] as Json)) yield Array.isArray(value) ? value.map((v, i) => (String(i) === key ? other : v)) : { ...value, [key]: other }
    const { [key]: moved, ...rest } = held
    if (!Array.isArray(value)) yield* [{ ...rest, [clear]: moved as Json }, { ...value, [clear]: clear }]
  }
}

test('no escape sequence of a server gets into a message, from any field or key', () => {
  let count = 0
  for (const { name, request, quote } of vectors) {
    for (const answer of poisoned(quote as unknown as Json)) {
      for (const text of [JSON.stringify(answer), JSON.stringify(answer).replaceAll('\\ud83d', '')]) {
        const verdict = judge(request, text, pins)
        assert.ok(verdict.verdict === 'refused' && safe(verdict.message) && verdict.message.length < 700, `${name}: ${JSON.stringify(verdict)}`)
        count++
      }
    }
    const key = JSON.stringify(clear.replace('\ud83d', ''))
    const twice = `{${key}:1,${key}:2}`
    const verdict = judge(request, twice, pins)
    assert.ok(verdict.verdict === 'refused' && verdict.code === 'FIELD_REPEATED' && safe(verdict.message), JSON.stringify(verdict))
  }
  assert.ok(count > 10_000, `only ${count} answers`)
})

test('printable text is shown as it is, the rest as escapes, at most 80 characters', () => {
  const cases: [text: string, shown: string][] = [
    ['', ''],
    ['approval.spender 0x12 é 漢 😀', 'approval.spender 0x12 é 漢 😀'],
    ['\u001b[2J\n', '\\u001b[2J\\u000a'],
    ['\u00a0\u200b\u202e\ufeff', '\\u00a0\\u200b\\u202e\\ufeff'],
    ['\ud83d', '\\ud83d'],
    ['\u{e0001}', '\\u{e0001}'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['😀'.repeat(81), `${'😀'.repeat(80)}…`],
  ]
  for (const [text, shown] of cases) assert.equal(printable(text), shown)
  assert.ok(safe(new Refusal(400, [], undefined, undefined).message))
})

test('units are read and written exactly', () => {
  const cases: [text: string, decimals: number, units: bigint | undefined][] = [
    ['25.5', 6, 25_500_000n], ['0.000001', 6, 1n], ['0', 18, 0n], ['7', 0, 7n], ['100', 0, 100n],
    ['0.0000001', 6, undefined], ['', 6, undefined], ['1.', 6, undefined], ['.5', 6, undefined],
    ['01', 6, undefined], ['1e3', 6, undefined], ['-1', 6, undefined], ['1,5', 6, undefined], ['1.5.5', 6, undefined],
  ]
  for (const [text, decimals, units] of cases) {
    assert.equal(parseUnits(text, decimals), units, text)
    if (units !== undefined) assert.equal(formatUnits(units, decimals), text)
  }
})

test('every byte of an honest call belongs to one span', () => {
  for (const { name, quote } of vectors) {
    for (const call of [quote.methodParameters.calldata, quote.approval?.calldata].filter((c) => c !== undefined)) {
      const list = spans(call)
      list.forEach((s, i) => assert.equal(s.start, list[i - 1]?.end ?? 0, `${name}: ${s.name}`))
      assert.equal(list.at(-1)?.end, call.length / 2 - 1, name)
      assert.ok(list.every((s) => s.text !== 'cut off'), name)
    }
  }
})

test('spans of bytes that are no honest call stay inside them', () => {
  const call = vectors[0]!.quote.methodParameters.calldata
  for (const bytes of ['', '0x', 'hello', '0x1', call.slice(0, 10), call.toUpperCase()]) assert.deepEqual(spans(bytes), [], bytes)
  const lengths = 2 + 2 * (4 + 32 * 6)
  for (const bad of [call.slice(0, -2), call.slice(0, lengths), `${call}00`, call.slice(0, lengths) + 'ff'.repeat(32) + call.slice(lengths + 64)]) {
    const size = bad.length / 2 - 1
    assert.ok(spans(bad).every((s) => s.start < s.end && s.end <= size), JSON.stringify(spans(bad)))
  }
})

test('a long number is refused quickly', () => {
  const { request, quote } = vectors.find((v) => v.request.integratorId) as (typeof vectors)[number]
  for (const number of [`1${'0'.repeat(60_000)}1`, '9'.repeat(60_000), `0.${'0'.repeat(60_000)}1`, `1${'0'.repeat(60_000)}`]) {
    const text = JSON.stringify(quote).replace(/("integrator":\{"percentage":)[^,]*/, (_, key) => key + number)
    const start = performance.now()
    const verdict = judge(request, text, pins)
    const took = performance.now() - start
    assert.ok(verdict.verdict === 'refused' && verdict.code === 'INTEGRATOR_RATE_DIFFERS', JSON.stringify(verdict).slice(0, 200))
    assert.ok(took < 300, `${number.slice(0, 5)}… took ${took} ms, want less than 300`)
  }
  const start = performance.now()
  formatUnits(10n ** 20_000n + 1n, 4)
  assert.ok(performance.now() - start < 300, 'formatUnits is slow for a long amount')
})
