import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, parsePins } from '../src/index.js'
import { pins as published, vectors, type Vector } from './vectors.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Every way to change one field of an answer, and with bytes also every byte and character. */
function* mutants(value: Json, foreign: Json | undefined, bytes: boolean, path: string): Generator<[what: string, mutant: Json]> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const theirs = typeof foreign === 'object' && foreign !== null && !Array.isArray(foreign) ? foreign : {}
    for (const key of Object.keys(value)) {
      const { [key]: old, ...rest } = value
      const at = `${path}.${key}`
      yield [`without ${at}`, rest]
      for (const [what, mutant] of mutants(old as Json, theirs[key], bytes, at)) yield [what, { ...value, [key]: mutant }]
    }
    yield [`with ${path}.extra`, { ...value, extra: '0x' }]
  }
  for (const other of substitutes(value, foreign)) yield [`${path} = ${JSON.stringify(other)}`, other]
  if (!bytes || typeof value !== 'string') return
  if (value.startsWith('0x')) {
    for (let i = 2; i < value.length; i += 2) {
      const byte = (parseInt(value.slice(i, i + 2), 16) ^ 0x80).toString(16).padStart(2, '0')
      yield [`${path} byte ${i / 2 - 1}`, value.slice(0, i) + byte + value.slice(i + 2)]
    }
  } else {
    for (let i = 0; i < value.length; i++) {
      yield [`${path} character ${i}`, value.slice(0, i) + String.fromCharCode(value.charCodeAt(i) ^ 1) + value.slice(i + 1)]
    }
  }
}

/** Values that a field might have instead. */
function substitutes(old: Json, foreign: Json | undefined): Json[] {
  const list: Json[] = [null, '', true, [], {}, 1, '0x', 0.1]
  if (typeof old === 'string') list.push(`${old}0`, ` ${old}`, old.toUpperCase(), old.toLowerCase(), [old])
  if (typeof old === 'number') list.push(old + 1, -old - 1, String(old))
  if (Array.isArray(old)) list.push([...old, old[0] as Json], old.slice(1), old.slice(0, -1))
  if (foreign !== undefined) list.push(foreign)
  return list.filter((v) => JSON.stringify(v) !== JSON.stringify(old))
}

test('only the honest answer is accepted', () => {
  const pins = parsePins(JSON.stringify(published))
  let count = 0
  for (const [i, v] of vectors.entries()) {
    const other = vectors[(i + 1) % vectors.length] as Vector
    const bytes = i % 4 === 0 || v.request.integratorId !== undefined
    for (const [what, mutant] of mutants(v.quote as unknown as Json, other.quote as unknown as Json, bytes, '')) {
      count++
      assert.equal(judge(v.request, JSON.stringify(mutant), pins).verdict, 'refused', `${v.name}: ${what}`)
    }
  }
  assert.ok(count > 50_000, `only ${count} mutants`)
  console.log(`${count} mutants of ${vectors.length} answers`)
})
