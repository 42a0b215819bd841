// Writes src/types.ts: the types of a quote, a status and an error, from the OpenAPI
// document. With --check it writes nothing, and fails if the file would change.
import { readFileSync, writeFileSync } from 'node:fs'

const schemas = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url))).components.schemas
const file = new URL('../src/types.ts', import.meta.url)

const nameOf = (ref) => ref.split('/').pop()

/** The names of all schemas that one refers to, in the order they are met. */
function reach(name, seen = []) {
  if (seen.includes(name)) return seen
  seen.push(name)
  for (const [, ref] of JSON.stringify(schemas[name]).matchAll(/"\$ref":"([^"]+)"/g)) reach(nameOf(ref), seen)
  return seen
}

function typeOf(s, indent = '') {
  if (s.$ref) return nameOf(s.$ref)
  if (s.allOf) return s.allOf.map((t) => typeOf(t, indent)).join(' & ')
  if (s.anyOf) return s.anyOf.map((t) => typeOf(t, indent)).join(' | ')
  if ('const' in s) return JSON.stringify(s.const)
  if (s.enum) return s.enum.map((v) => JSON.stringify(v)).join(' | ')
  switch (s.type) {
    case 'object': return objectOf(s, indent)
    case 'array': return `${typeOf(s.items, indent)}[]`
    case 'integer': return 'number'
    case 'string': return s.pattern?.startsWith('^0x') ? '`0x${string}`' : 'string'
    default: return s.type
  }
}

function objectOf(s, indent) {
  const inner = indent + '  '
  const lines = Object.entries(s.properties).map(([name, p]) => {
    const optional = s.required.includes(name) ? '' : '?'
    return `${comment(p.description, inner)}${inner}${name}${optional}: ${typeOf(p, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const comment = (text, indent) => (text ? `${indent}/** ${text} */\n` : '')

const names = [...new Set([...reach('Quote'), ...reach('Problem'), ...reach('Tracking')])]
const text = '// Made from docs/openapi.json by npm run types.\n\n' +
  names.map((n) => `${comment(schemas[n].description, '')}export type ${n} = ${typeOf(schemas[n])}\n`).join('\n')

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('src/types.ts is not what the OpenAPI document says: run npm run types')
  process.exit(1)
}
