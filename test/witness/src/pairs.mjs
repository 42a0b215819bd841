// The pair tables of the specification (1.1 and 1.2), written out row by row.

import { burnChains, gateway, hub, limits, native, privacyNetwork, tokenOn, v1Places } from './facts.mjs'

const privatePlaces = Object.keys(privacyNetwork).map(Number)

export const networkOf = place => privacyNetwork[place] ?? place

const publicRows = [
  ...[1, 8453, 56, ...burnChains].flatMap(chain => [['USDC', chain, 'USDC', hub], ['USDC', hub, 'USDC', chain]]),
  ...[1, 8453, 4663].flatMap(chain => [['ETH', chain, 'WETH', hub], ['WETH', hub, 'ETH', chain]]),
  ['USDT', 1, 'USDC', hub], ['DAI', 1, 'USDC', hub], ['USDT', 56, 'USDC', hub],
  ['USD1', 56, 'USDC', hub]
]

const privateRows = privatePlaces.flatMap(pool => [
  ...[hub, 1, 8453, 56].flatMap(chain => [['USDC', chain, 'USDC', pool], ['USDC', pool, 'USDC', chain]]),
  ...[1, 56].flatMap(chain => [['USDT', chain, 'USDC', pool], ['DAI', chain, 'USDC', pool]]),
  ['USD1', 56, 'USDC', pool],
  ['ETH', 1, 'WETH', pool], ['WETH', 1, 'WETH', pool], ['WETH', hub, 'WETH', pool],
  ['WETH', pool, 'WETH', hub], ['WETH', pool, 'ETH', 1], ['WETH', pool, 'WETH', 1]
])

function pair([srcSymbol, src, dstSymbol, dst]) {
  const srcToken = tokenOn(networkOf(src), srcSymbol)
  const [min, max] = limits(srcSymbol).map(n => n * 10n ** BigInt(srcToken.decimals - 2))
  return {
    src, dst, srcToken, min, max,
    dstToken: tokenOn(networkOf(dst), dstSymbol),
    burns: burnChains.includes(src),
    native: srcToken.address === native,
    shields: dst in privacyNetwork,
    private: src in privacyNetwork || dst in privacyNetwork,
    millionths: dst === hub && !(src in privacyNetwork) ? 3_000n : 5_000n,
    feeChain: burnChains.includes(dst) ? gateway.chain : networkOf(dst),
    v1: v1Places.includes(src) && v1Places.includes(dst)
  }
}

export const pairs = [...publicRows, ...privateRows].map(pair)

// A request names a token by symbol in any letters or by address; the zero
// address is another name for the native coin (D4).
const names = token => [token.symbol, token.address, ...(token.address === native ? ['0x' + '0'.repeat(40)] : [])]

// key makes one word of what identifies a thing, whatever its letters.
export const key = (...parts) => parts.join(' ').toLowerCase()

const byRequest = new Map(pairs.flatMap(p =>
  names(p.srcToken).flatMap(s => names(p.dstToken).map(d => [key(p.src, s, p.dst, d), p]))))

export function pairOf(query) {
  const found = byRequest.get(key(query.srcChain, query.srcToken, query.dstChain, query.dstToken))
  if (!found) throw new Error('the specification lists no such pair')
  return found
}

// strangers are the pairs that only one side knows: these tables, or the
// service's list of routes.
export function strangers(routes) {
  const theirs = routes.map(r => key(r.srcChain, r.srcToken.address, r.dstChain, r.destToken.address))
  const ours = pairs.map(p => key(p.src, p.srcToken.address, p.dst, p.dstToken.address))
  return [...theirs.filter(k => !ours.includes(k)), ...ours.filter(k => !theirs.includes(k))]
}
