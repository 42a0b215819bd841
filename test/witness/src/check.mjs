// One line of evidence: a request, what the service asked of others to answer
// it, and the answer. The witness says in what it would have answered otherwise.

import { explain, readPoolCall } from './calldata.mjs'
import { differences } from './compare.mjs'
import { domain, gateway } from './facts.mjs'
import { open, proves } from './note.mjs'
import { pairOf } from './pairs.mjs'
import { extras, faces, integratorID, refusal, swapOf } from './quote.mjs'

export class Witness {
  constructor(deployment, wallets) {
    this.deployment = deployment
    this.wallets = wallets // by 0zk address in lower case
    this.seen = new Set() // ephemeral keys
  }

  // check returns the mismatches of one line, each with its path in the body.
  check({ url, status, body, asked }) {
    const { pathname, searchParams } = new URL(url, 'http://witness')
    const query = Object.fromEntries(searchParams)
    const pair = pairOf(query)
    const amount = BigInt(query.amount)
    const got = JSON.parse(body)
    if (amount < pair.min || amount > pair.max) return refused(got, status, refusal(pair, amount))
    return [
      ...differences(status, 200, 'status'),
      ...spelling(body, got),
      ...differences(questions(asked), expectedQuestions(pair, query), 'asked'),
      ...this.#answer(face(pathname, query), { pair, query, ...asked }, got)
    ]
  }

  #answer(face, request, got) {
    const { found, note, random, key } = request.pair.shields ? this.#openNote(request.query, got) : { found: [] }
    const swap = swapOf({ ...request, deployment: this.deployment, note })
    const want = faces[face](swap)
    for (const extra of request.query.include?.split(',') ?? []) {
      if (extra in extras) want[extra] = extras[extra](swap)
      else if (request.pair.shields) want.proof = { random, shieldPrivateKey: key }
    }
    return [...found, ...differences(got, want).map(d => named(d, got, want))]
  }

  // openNote takes what cannot be foreseen out of the answer, and proves that it
  // pays the wallet that was asked for.
  #openNote(query, got) {
    const path = 'methodParameters.calldata.recipient'
    const w = this.wallets.get(query.recipient.toLowerCase())
    const found = []
    let note, opened
    try {
      note = readPoolCall(got.methodParameters.calldata).recipient
      opened = open(w, bytes(note))
    } catch (e) {
      return { found: [{ path, got: e.message, want: 'a note for the recipient' }], note: note ?? '0x' }
    }
    const id = opened.shieldKey.toString('hex')
    if (this.seen.has(id)) found.push({ path: 'fresh', got: 'an ephemeral key used before', want: 'a fresh one' })
    this.seen.add(id)
    const key = got.proof?.shieldPrivateKey
    if (query.include?.includes('proof') && !(/^0x[0-9a-f]{64}$/.test(key) && proves(w, bytes(note), bytes(key)))) {
      found.push({ path, got: note, want: 'what the proof accounts for' }, { path: 'proof.shieldPrivateKey', got: String(key), want: 'the key of the note' })
    }
    return { found, note, key, random: '0x' + opened.random.toString('hex') }
  }
}

const bytes = hex => Buffer.from(hex.slice(2), 'hex')

function face(pathname, query) {
  if (pathname === '/v3/swap/quote') return query.revision === '1' ? 'revision1' : 'v3'
  if (pathname === '/v1/quote' || pathname === '/swap/v1/quote') return 'v1'
  throw new Error('no quote is served at ' + pathname)
}

// A repeated field, or a number in another spelling, is lost in parsing, and two
// readers may understand it differently.
function spelling(body, got) {
  return JSON.stringify(got) === body.trimEnd() ? [] : [{ path: 'spelling', got: body, want: JSON.stringify(got) }]
}

// The registry and the issuer are asked only when needed, and for the right chain
// (D28 to D30).
const questions = ({ registry, issuer }) => ({
  registry: registry && { chain: registry.chain, id: registry.id },
  issuer: issuer && { source: issuer.source, gateway: issuer.gateway }
})

const expectedQuestions = (pair, query) => ({
  registry: query.integratorId && { chain: pair.feeChain, id: integratorID(query.integratorId) },
  issuer: pair.burns ? { source: domain[pair.src], gateway: gateway.domain } : undefined
})

function refused(got, status, want) {
  const stated = Object.fromEntries(Object.keys(want).map(k => [k, got[k]]))
  return [...differences(status, want.status, 'status'), ...differences(stated, want), ...differences(got.error, got.detail, 'error')]
}

// named adds the argument's name to a difference of calldata.
function named(difference, got, want) {
  if (difference.path !== 'methodParameters.calldata' || !got.methodParameters?.calldata) return difference
  return { ...difference, path: `${difference.path}.${explain(got.methodParameters.calldata, want.methodParameters.calldata)}` }
}
