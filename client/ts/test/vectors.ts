import { readFileSync } from 'node:fs'
import type { Pins, Quote, Request } from '../src/index.js'

/** Reads a JSON file of this repository. */
export const repository = (path: string) => JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'))

export type Vector = { name: string; request: Request; quote: Quote }

/** The published vectors. */
export const { pins, vectors } = repository('docs/vectors.json') as { pins: Pins; vectors: Vector[] }

/** The vector of that name. */
export function vector(name: string): Vector {
  const found = vectors.find((v) => v.name === name)
  if (!found) throw new Error(`no vector ${name}`)
  return structuredClone(found)
}

/** The pins, with the rates of partners in millionths by wallet. */
export function pinsWith(rates: Record<string, number>): Pins {
  const known = Object.entries(rates).map(([id, millionths]) => ({ id, millionths }))
  return { ...pins, integrators: { ...pins.integrators, known } }
}
