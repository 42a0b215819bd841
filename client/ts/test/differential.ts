// Reads lines of {request, body, verdict, quote} from another implementation, and
// fails at the first that is judged differently here: with another verdict,
// code or field, or with another quote. The pins are on the first line.
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Invalid, judge, type Pins, type Request } from '../src/index.js'

type Line = { request: Request; body: string; verdict: string; quote: string }

let pins: Pins | undefined
let lines = 0

for await (const line of createInterface({ input: process.stdin })) {
  if (!pins) {
    pins = JSON.parse(line) as Pins
    continue
  }
  const { request, body, verdict, quote } = JSON.parse(line) as Line
  const answer = Buffer.from(body, 'base64')
  assert.deepEqual(judged(request, answer, pins), { verdict, quote }, `line ${lines + 1}: ${JSON.stringify(request)}: ${answer}`)
  lines++
}
console.log(lines)

/** Proved, or what was found as codes and fields; and the quote. */
function judged(request: Request, answer: Uint8Array, pins: Pins): { verdict: string; quote: string } {
  try {
    const v = judge(request, answer, pins)
    if (v.verdict === 'refused') return { verdict: `${v.code} ${v.field}`, quote: '' }
    const verdict = v.verdict === 'proved' ? 'proved' : v.reasons.map((r) => `${r.code} ${r.field}`).join()
    return { verdict, quote: JSON.stringify(v.quote) }
  } catch (e) {
    if (e instanceof Invalid) return { verdict: `${e.code} ${e.param}`, quote: '' }
    throw e
  }
}
