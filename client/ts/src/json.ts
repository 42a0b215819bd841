/** A number, true, false or null, as it was written. */
export class Literal {
  constructor(readonly text: string) {}
}

/** JSON with the order of keys and the spelling of numbers kept. */
export type Json = Map<string, Json> | Json[] | string | Literal

const maxDepth = 32

/** The value, and the path of the first repeated key. */
export type Answer = { value: Map<string, Json>; repeated: string | undefined }

/** Reads one JSON object in strict UTF-8; undefined if it is anything else. */
export function readAnswer(body: string | Uint8Array): Answer | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    JSON.parse(text) // checks the syntax; its result lacks key order and spelling
    const reader = new Reader(text)
    const value = reader.value('', 1)
    return value instanceof Map ? { value, repeated: reader.repeated } : undefined
  } catch {
    return undefined
  }
}

/** Takes values off the front of text that is known to be well-formed. */
class Reader {
  repeated: string | undefined
  private readonly token = /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^ \t\r\n{}[\],:"]+)/y

  constructor(private readonly text: string) {}

  private next(): string {
    return this.token.exec(this.text)?.[1] as string
  }

  value(path: string, depth: number, token = this.next()): Json {
    if (token === '{' || token === '[') {
      if (depth > maxDepth) throw new Error('nested too deep')
      return token === '{' ? this.object(path, depth) : this.array(path, depth)
    }
    return token.startsWith('"') ? wellFormed(JSON.parse(token)) : new Literal(token)
  }

  private object(path: string, depth: number): Json {
    const members = new Map<string, Json>()
    for (let token = this.next(); token !== '}'; token = this.next()) {
      if (token === ',') continue
      const key = wellFormed(JSON.parse(token))
      this.next() // the colon
      if (members.has(key)) this.repeated ??= join(path, key)
      members.set(key, this.value(join(path, key), depth + 1))
    }
    return members
  }

  private array(path: string, depth: number): Json {
    const items: Json[] = []
    for (let token = this.next(); token !== ']'; token = this.next()) {
      if (token !== ',') items.push(this.value(`${path}[${items.length}]`, depth + 1, token))
    }
    return items
  }
}

/** Half of a surrogate pair is no character, so no text in UTF-8 can have it. */
function wellFormed(text: string): string {
  if (/\p{Cs}/u.test(text)) throw new Error('not Unicode')
  return text
}

export const join = (path: string, key: string) => (path ? `${path}.${key}` : key)

/** The value at a path of keys, or undefined. */
export function at(value: Json | undefined, ...keys: string[]): Json | undefined {
  for (const key of keys) value = value instanceof Map ? value.get(key) : undefined
  return value
}

/** The text of the string or literal at a path of keys, or undefined. */
export function textAt(value: Json, ...keys: string[]): string {
  const found = at(value, ...keys)
  return found instanceof Literal ? found.text : typeof found === 'string' ? found : ''
}

/** For people: scalars as they are, the rest as JSON. */
export function show(value: Json): string {
  return typeof value === 'string' ? value : write(value)
}

function write(value: Json): string {
  if (value instanceof Literal) return value.text
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (value instanceof Map) return `{${[...value].map(([key, v]) => `${JSON.stringify(key)}:${write(v)}`).join(',')}}`
  return JSON.stringify(value)
}
