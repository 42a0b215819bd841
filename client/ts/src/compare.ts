import type { AnswerCode, Finding } from './errors.js'
import { join, show, type Json, Literal } from './json.js'
import { differingArgument } from './spans.js'

type Difference = Finding<AnswerCode> | undefined

/**
 * The first difference between two values, in the order of want. Extra fields of
 * got come after that.
 */
export function compare(field: string, want: Json, got: Json | undefined): Difference {
  if (got === undefined) return { code: 'FIELD_MISSING', field, want: show(want) }
  if (want instanceof Map && got instanceof Map) return compareObjects(field, want, got)
  if (Array.isArray(want) && Array.isArray(got)) return compareArrays(field, want, got)
  if (want === got || (want instanceof Literal && got instanceof Literal && want.text === got.text)) return undefined
  const argument = typeof want === 'string' && typeof got === 'string' ? differingArgument(want, got) : undefined
  if (argument) return { code: 'FIELD_DIFFERS', field: join(field, argument.name), want: argument.want, got: argument.got }
  return { code: 'FIELD_DIFFERS', field, want: show(want), got: show(got) }
}

const extra = (field: string, got: Json): Difference => ({ code: 'FIELD_EXTRA', field, got: show(got) })

function compareObjects(field: string, want: Map<string, Json>, got: Map<string, Json>): Difference {
  for (const [key, value] of want) {
    const difference = compare(join(field, key), value, got.get(key))
    if (difference) return difference
  }
  for (const [key, value] of got) if (!want.has(key)) return extra(join(field, key), value)
  return undefined
}

function compareArrays(field: string, want: Json[], got: Json[]): Difference {
  for (const [i, value] of want.entries()) {
    const difference = compare(`${field}[${i}]`, value, got[i])
    if (difference) return difference
  }
  const more = got[want.length]
  return more === undefined ? undefined : extra(`${field}[${want.length}]`, more)
}
