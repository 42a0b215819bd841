// The witness as a process. The first line on standard input says where the
// service publishes its contracts; the witness answers with what it would like
// to see asked. Every other line is a piece of evidence, and at the end of the
// input it gives its verdict.

import { createInterface } from 'node:readline'
import { Witness } from './check.mjs'
import { Deployment } from './deployment.mjs'
import { wallet, zkAddress } from './note.mjs'
import { networkOf, pairs, strangers } from './pairs.mjs'

// A wallet is known by three addresses: one for all chains, one for each network
// that has a privacy pool.
const addresses = w => [0, 1, 56].map(chain => ({ chain, address: zkAddress(w, chain) }))

const wish = p => ({
  srcChain: p.src, srcToken: p.srcToken, dstChain: p.dst, dstToken: p.dstToken, dstNetwork: networkOf(p.dst),
  min: p.min.toString(), max: p.max.toString(), burns: p.burns, shields: p.shields, private: p.private, v1: p.v1
})

const say = answer => process.stdout.write(JSON.stringify(answer) + '\n')

function begin({ seed, wallets, deployment, routes }) {
  const known = Array.from({ length: wallets }, (_, n) => wallet(seed, n))
  const recipients = known.flatMap(w => addresses(w).map(a => ({ ...a, wallet: w })))
  say({ pairs: pairs.map(wish), strangers: strangers(routes), recipients: recipients.map(({ chain, address }) => ({ chain, address })) })
  return new Witness(new Deployment(deployment), new Map(recipients.map(r => [r.address, r.wallet])))
}

function examine(witness, evidence) {
  try {
    return witness.check(evidence)
  } catch (e) {
    return [{ path: '', got: e.message, want: 'an answer that can be read' }]
  }
}

let witness, most
const verdict = { checked: 0, refuted: 0, first: [] }
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (!witness) {
    witness = begin(message)
    most = message.most
    continue
  }
  const mismatches = examine(witness, message)
  verdict.checked++
  if (mismatches.length === 0) continue
  verdict.refuted++
  if (verdict.first.length < most) verdict.first.push({ id: message.id, url: message.url, mismatches })
}
say(verdict)
