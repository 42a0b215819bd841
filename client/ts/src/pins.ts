import { getAddress, isAddress } from 'viem'
import { Invalid } from './errors.js'
import type { Address, RouteType } from './types.js'

/**
 * What an answer is held against: a file written by `hubquote pins`, reviewed,
 * and kept where the server and whoever runs it cannot change it. Tokens are
 * named symbol@place throughout.
 */
export type Pins = {
  format: string
  deployment: string
  reference: boolean
  catalog: string
  burn: { domain: number; receiver: string; finality: number }
  integrators: { maxMillionths: number; known: { id: string; millionths: number }[] }
  privacy: Record<string, number>
  tokens: { token: string; address: string; decimals: number; approveReset?: boolean }[]
  routers: { from: string; type: string; router: string; min: string; max: string; issuerBps?: string[] }[]
  routes: { from: string; to: string; feeChain: number; millionths: number }[]
}

/** A token on one network. */
export type PinnedToken = { symbol: string; address: Address; decimals: number; chainId: number; approveReset: boolean }

/** A pinned pair with all that its quotes depend on. */
export type PinnedRoute = {
  type: RouteType
  dstPlace: string
  src: PinnedToken
  dst: PinnedToken
  shields: boolean
  router: Address
  min: bigint
  max: bigint
  feeChain: number
  millionths: bigint
  /** For burns: what the issuer may charge, in billionths of a basis point. */
  issuer: [bigint, bigint]
}

/** The address that stands for a chain's own coin. */
export const native: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const format = 'hubquote-pins/1'

/** Where a request starts and ends, as it spells it. */
export type Pair = { srcChain: string; srcToken: string; dstChain: string; dstToken: string }

/** Finds the pinned route for a pair. */
export function findRoute(pins: Pins, pair: Pair): PinnedRoute {
  if (pins.format !== format) throw new Error(`the pins are not in the format ${format}: write them with hubquote pins of the same version`)
  const from = findToken(pins, pair.srcChain, pair.srcToken, 'srcToken')
  const to = findToken(pins, pair.dstChain, pair.dstToken, 'dstToken')
  const route = pins.routes.find((r) => r.from === from?.at && r.to === to?.at)
  const router = pins.routers.find((r) => r.from === from?.at)
  if (!from || !to || !route || !router) {
    throw new Invalid('PAIR_UNSUPPORTED', 'dstToken', 'the pins have no route for this pair; hubquote routes lists those there are')
  }
  return {
    type: routeType(router.type),
    dstPlace: pair.dstChain,
    src: from.token,
    dst: to.token,
    shields: Object.hasOwn(pins.privacy, pair.dstChain),
    router: checksummed(router.router),
    min: BigInt(router.min),
    max: BigInt(router.max),
    feeChain: route.feeChain,
    millionths: BigInt(route.millionths),
    issuer: [parseUnits(router.issuerBps?.[0] ?? '0', 9), parseUnits(router.issuerBps?.[1] ?? '0', 9)],
  }
}

function routeType(type: string): RouteType {
  if (type !== 'DIRECT' && type !== 'CCTP_INBOUND') throw new Error(`the pins have a router of the unknown type ${type}`)
  return type
}

/** Finds a token at a place, by symbol in any letter case or by address. */
function findToken(pins: Pins, place: string, name: string, param: string): { at: string; token: PinnedToken } | undefined {
  const network = Object.hasOwn(pins.privacy, place) ? pins.privacy[place] : Number(place)
  const address = name.startsWith('0x') ? parseAddress(name, param) : undefined
  const wanted = address === '0x0000000000000000000000000000000000000000' ? native : address
  for (const t of pins.tokens) {
    const [symbol, chain] = t.token.split('@')
    if (!symbol || chain !== String(network)) continue
    if (wanted ? checksummed(t.address) !== wanted : symbol !== name.toUpperCase()) continue
    const token = { symbol, address: checksummed(t.address), decimals: t.decimals, chainId: Number(chain), approveReset: t.approveReset ?? false }
    return { at: `${symbol}@${place}`, token }
  }
  return undefined
}

/** Reads an address in lower case, in upper case, or with a correct EIP-55 checksum. */
export function parseAddress(text: string, param: string): Address {
  const digits = text.slice(2)
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new Invalid('RECIPIENT_INVALID', param, 'not an EVM address')
  if (mixed && !isAddress(text)) throw new Invalid('ADDRESS_CHECKSUM_MISMATCH', param, 'the capital letters do not match the EIP-55 checksum')
  return getAddress(`0x${digits.toLowerCase()}`)
}

/** An address of the pins, which were reviewed: a checksum that is wrong there is a typing error. */
function checksummed(text: string): Address {
  if (!isAddress(text)) throw new Error(`the pins have an address with a wrong checksum, ${text}`)
  return getAddress(text)
}

/** Reads a decimal number exactly, as a count of its smallest units. */
export function parseUnits(text: string, decimals: number): bigint {
  const [whole = '', fraction = '', more] = text.split('.')
  if (more !== undefined || !/^\d+$/.test(whole) || !/^\d*$/.test(fraction) || fraction.length > decimals) {
    throw new Error(`not a decimal number with at most ${decimals} decimals: ${text}`)
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
