import { readFileSync } from 'node:fs'
import type { Pins, Quote, Request } from '../src/index.js'

export type Vector = { name: string; request: Request; quote: Quote }

/** The published vectors. */
export const { pins, vectors } = JSON.parse(
  readFileSync(new URL('../../../../docs/vectors.json', import.meta.url), 'utf8'),
) as { pins: Pins; vectors: Vector[] }

/** The vector of that name. */
export function vector(name: string): Vector {
  const found = vectors.find((v) => v.name === name)
  if (!found) throw new Error(`no vector ${name}`)
  return structuredClone(found)
}
