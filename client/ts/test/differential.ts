// Reads lines of {request, quote, verdict} from another implementation, and
// fails at the first that is judged differently here: with another verdict,
// code or field, or with other bytes. The pins are on the first line.
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { judge, type Pins, type Request } from '../src/index.js'

let pins: Pins | undefined
let lines = 0

for await (const line of createInterface({ input: process.stdin })) {
  if (!pins) {
    pins = JSON.parse(line) as Pins
    continue
  }
  const { request, quote, verdict } = JSON.parse(line) as { request: Request; quote: string; verdict: string }
  assert.equal(judged(request, quote, pins), verdict, `line ${lines + 1}: ${line}`)
  lines++
}
console.log(lines)

/** Proved, or what was found as code and field; the quote must be the answer. */
function judged(request: Request, answer: string, pins: Pins): string {
  const v = judge(request, answer, pins)
  if (v.verdict === 'refused') return `${v.code} ${v.field}`
  assert.equal(JSON.stringify(v.quote), answer)
  return v.verdict === 'proved' ? 'proved' : v.reasons.map((r) => `${r.code} ${r.field}`).join()
}
