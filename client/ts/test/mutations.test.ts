import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Invalid, judge, Mismatch, quote, type Request } from '../src/index.js'
import { serving } from './serving.js'
import { pinsWith, repository, vector } from './vectors.js'

/** A row of the table that every verifier is tested with. */
type Mutation = {
  group: string
  name: string
  base: string
  request?: Record<string, string>
  include?: string
  integrators?: Record<string, number>
  edits?: { find: string; put: string }[]
  prefix?: string
  suffix?: string
  pad?: number
  base64?: string
  status?: number
  verdict: string
  code?: string
  field?: string
}

const { mutations } = repository('test/mutations/mutations.json') as { mutations: Mutation[] }

/** The answer as bytes, and also as text unless it may be none. */
function bodiesOf(m: Mutation): (string | Uint8Array)[] {
  if (m.base64 !== undefined) return [Buffer.from(m.base64, 'base64')]
  let text = JSON.stringify(vector(m.base).quote)
  for (const { find, put } of m.edits ?? []) {
    assert.equal(text.split(find).length, 2, `${m.name}: ${find} must be there once`)
    text = text.replace(find, () => put)
  }
  text = (m.prefix ?? '') + text + (m.suffix ?? '') + ' '.repeat(m.pad ?? 0)
  return [text, Buffer.from(text)]
}

function requestOf(m: Mutation): Request {
  const params = { ...vector(m.base).request, ...m.request, ...(m.include !== undefined && { include: m.include }) }
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '')) as Request
}

/** The verdict, and the code and field of what was found first. */
function judged(m: Mutation, body: string | Uint8Array): object {
  try {
    const v = judge(requestOf(m), body, pinsWith(m.integrators ?? {}), m.status === undefined ? {} : { status: m.status })
    const found = v.verdict === 'unproven' ? v.reasons[0] : v.verdict === 'refused' ? v : undefined
    return { verdict: v.verdict, code: found?.code ?? '', field: found?.field ?? '' }
  } catch (e) {
    if (e instanceof Invalid) return { verdict: 'refused', code: e.code, field: e.param }
    throw e
  }
}

test('the table has at least 300 rows', () => assert.ok(mutations.length >= 300, `${mutations.length} rows`))

for (const m of mutations) {
  test(`${m.group}: ${m.name}`, () => {
    for (const body of bodiesOf(m)) assert.deepEqual(judged(m, body), { verdict: m.verdict, code: m.code ?? '', field: m.field ?? '' })
  })
}

for (const m of mutations.filter((m) => m.status !== undefined)) {
  test(`${m.group}, over HTTP: ${m.name}`, async () => {
    const body = bodiesOf(m)[0]
    await serving((_, response) => { response.writeHead(m.status as number).end(body) }, async (server) => {
      await assert.rejects(quote(server, requestOf(m), pinsWith(m.integrators ?? {})), (e) => e instanceof Mismatch && e.code === m.code && e.field === (m.field ?? ''))
    })
  })
}
