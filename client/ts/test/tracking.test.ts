import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readTracking, Unreadable, type Tracking } from '../src/index.js'

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
const examples: Record<string, { value: Tracking }> = document.paths['/v3/swap/status'].get.responses['200'].content['application/json'].examples

test('the example of every status is read as it is', () => {
  assert.equal(Object.keys(examples).length, 10)
  for (const [name, { value }] of Object.entries(examples)) assert.deepEqual(readTracking(JSON.stringify(value)), value, name)
})

const honest = JSON.stringify(examples.claimable?.value)

const refused: [string, string, string][] = [
  ['an unknown status', '"claimable"', '"finished"'],
  ['a mark that is not the sum', '"step":5,"chains"', '"step":6,"chains"'],
  ['a step that is text', '"step":5,"since"', '"step":"5","since"'],
  ['a step with a fraction', '"step":5,"since"', '"step":5.0,"since"'],
  ['a step below zero', '"step":5,"since"', '"step":-5,"since"'],
  ['a revision that cannot be counted', '"revision":0,"step":5,"since"', '"revision":9007199254740993,"step":5,"since"'],
  ['a number with a leading zero', '"nonce":"', '"nonce":"0'],
  ['a number below zero', '"deposited":"', '"deposited":"-'],
  ['a short hash', '"txHash":"0xa1', '"txHash":"0x'],
  ['a hash in capitals', '"txHash":"0xa1', '"txHash":"0xA1'],
  ['a short address', '"to":"0x09', '"to":"0x'],
  ['half a byte', '"data":"0xd', '"data":"0x'],
  ['bytes without 0x', '"recipient":"0x', '"recipient":"'],
  ['a repeated key', '"delayed":false', '"delayed":false,"delayed":true'],
  ['a flag that is text', '"delayed":false', '"delayed":"false"'],
  ['a time that is none', '"since":"2026-11-15T', '"since":"2026-13-15T'],
  ['a reason with a line break', '"reason":"unclaimed"', '"reason":"un\\nclaimed"'],
  ['an order without amounts', '"amounts":{', '"sums":{'],
  ['an answer without legs', '"legs":[', '"feet":['],
  ['orders that are no list', '"orders":[', '"orders":1,"others":['],
  ['text after the answer', '{"asOf"', '{} {"asOf"'],
]

test('what a server would not write is refused', () => {
  for (const [name, before, after] of refused) {
    const bad = honest.replace(before, after)
    assert.notEqual(bad, honest, name)
    assert.throws(() => readTracking(bad), Unreadable, name)
  }
  for (const bad of ['', '[]', 'null', '{}', '\ufeff{}']) assert.throws(() => readTracking(bad), Unreadable, bad)
})

test('fields that are new are left out', () => {
  assert.deepEqual(readTracking(honest.replace('"asOf"', '"news":{"a":[1]},"asOf"')), readTracking(honest))
})
