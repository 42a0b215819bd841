// Reads lines of {request, quote, field} from another implementation, and fails
// at the first that is judged differently here: accepted with other bytes, or
// refused for another field. The pins are on the first line.
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Mismatch, Unproven, verify, type Pins, type Request } from '../src/index.js'

let pins: Pins | undefined
let lines = 0

for await (const line of createInterface({ input: process.stdin })) {
  if (!pins) {
    pins = JSON.parse(line) as Pins
    continue
  }
  const { request, quote, field } = JSON.parse(line) as { request: Request; quote: string; field: string }
  const verdict = await judge(request, quote, pins)
  assert.equal(verdict, field || quote, `line ${lines + 1}: ${line}`)
  lines++
}
console.log(lines)

/** The quote as it was made here, or the name of the field that is wrong. */
async function judge(request: Request, quote: string, pins: Pins): Promise<string> {
  try {
    return JSON.stringify(await verify(request, JSON.parse(quote), pins))
  } catch (e) {
    if (e instanceof Mismatch) return e.field
    if (e instanceof Unproven) return 'unproven'
    throw e
  }
}
