import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPins, Invalid, judge, parsePins, type Pins } from '../src/index.js'
import { pins, repository, vector } from './vectors.js'

type Row = { name: string; find: string; put: string; text?: boolean }

const { pins: rows } = repository('test/mutations/pins.json') as { pins: Row[] }
const honest = JSON.stringify(pins)
const { request, quote } = vector('usdc-369-to-usdc-8453')
const isRefused = (e: unknown) => e instanceof Invalid && e.param === 'pins' && (e.code === 'PARAM_INVALID' || e.code === 'PARAM_MISSING')

test('the table has at least 70 rows', () => assert.ok(rows.length >= 70, `${rows.length} rows`))

test('honest pins are read', () => assert.deepEqual(parsePins(honest), pins))

for (const { name, find, put, text } of rows) {
  test(`bad pins: ${name}`, () => {
    assert.ok(honest.includes(find), 'nothing to change')
    const bad = honest.replace(find, () => put)
    assert.throws(() => parsePins(bad), isRefused)
    if (!text) assert.throws(() => judge(request, JSON.stringify(quote), JSON.parse(bad) as Pins), isRefused)
  })
}

test('a burn needs a receiver', () => {
  const burn = { ...pins.burn, receiver: `0x${'0'.repeat(40)}` }
  assert.throws(() => checkPins({ ...pins, burn }), isRefused)
})

test('pins that are none are refused by a code', () => {
  for (const none of [undefined, null, '', 1, 'pins', [], {}, { format: 'hubquote-pins/1' }]) {
    assert.throws(() => judge(request, '{}', none as unknown as Pins), isRefused, JSON.stringify(none))
  }
})

test('pins that change after a check are checked again', () => {
  const copy = structuredClone(pins)
  checkPins(copy)
  copy.integrators.maxMillionths = 500_000
  assert.throws(() => checkPins(copy), isRefused)
})

test('pins that were read cannot be changed', () => {
  const read = parsePins(honest)
  for (const change of [
    () => (read.catalog = ''), () => (read.integrators.maxMillionths = 1), () => read.routes.pop(),
    () => Object.assign(read.routers[0] ?? {}, { router: read.burn.receiver }), () => Object.assign(read.privacy, { 1: 2 }),
  ]) {
    assert.throws(change, TypeError)
  }
  assert.deepEqual(read, pins)
})

test('pins at their limits are read', () => {
  for (const [find, put] of [['"decimals":6', '"decimals":36'], ['"maxMillionths":10000', '"maxMillionths":0'], ['"min":"10000000"', '"min":"25000000000"']] as const) {
    assert.doesNotThrow(() => parsePins(honest.replace(find, put)), put)
  }
})
