import { getAddress, isAddress } from 'viem'
import { Invalid } from './errors.js'
import { checkPins, issuerRate } from './pinfile.js'
import type { Address, Code, RouteType } from './types.js'

/**
 * The facts that an answer is compared with: a file written by `hubquote pins`,
 * reviewed, and kept where the server and its operator cannot change it. Tokens are
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

/** Where a request starts and ends, as it spells it. */
export type Pair = { srcChain: string; srcToken: string; dstChain: string; dstToken: string }

/** Finds the pinned route for a pair. */
export function findRoute(pins: Pins, pair: Pair): PinnedRoute {
  checkPins(pins)
  const from = findToken(pins, pair.srcChain, pair.srcToken, 'srcToken')
  const to = findToken(pins, pair.dstChain, pair.dstToken, 'dstToken')
  const route = pins.routes.find((r) => r.from === from?.at && r.to === to?.at)
  const router = pins.routers.find((r) => r.from === from?.at)
  if (!from || !to || !route || !router) {
    throw new Invalid('PAIR_UNSUPPORTED', 'dstToken', 'the pins have no route for this pair; hubquote routes lists those there are')
  }
  return {
    type: router.type as RouteType,
    dstPlace: pair.dstChain,
    src: from.token,
    dst: to.token,
    shields: Object.hasOwn(pins.privacy, pair.dstChain),
    router: router.router as Address,
    min: BigInt(router.min),
    max: BigInt(router.max),
    feeChain: route.feeChain,
    millionths: BigInt(route.millionths),
    issuer: [issuerRate(router.issuerBps?.[0]), issuerRate(router.issuerBps?.[1])],
  }
}

/** Reads the ID of a chain or privacy pool in its one spelling. */
export function parsePlace(text: string, param: string): string {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new Invalid('CHAIN_INVALID', param, 'not a chain ID: write it in decimal digits without leading zeros')
  return text
}

/** Reads a symbol in any letter case, or an address; the zero address is taken for the chain's own coin. */
export function parseToken(text: string, param: string): { symbol: string } | { address: Address } {
  if (/^[0-9a-zA-Z]{1,11}$/.test(text)) return { symbol: text.toUpperCase() }
  const address = parseAddress(text, param, 'TOKEN_INVALID')
  return { address: BigInt(address) === 0n ? native : address }
}

/** Finds a token at a place, by symbol or by address. */
function findToken(pins: Pins, place: string, text: string, param: string): { at: string; token: PinnedToken } | undefined {
  const network = Object.hasOwn(pins.privacy, place) ? pins.privacy[place] : place
  const name = parseToken(text, param)
  for (const t of pins.tokens) {
    const [symbol = '', chain] = t.token.split('@')
    if (chain !== String(network)) continue
    if ('symbol' in name ? name.symbol !== symbol : name.address !== t.address) continue
    const token = { symbol, address: t.address as Address, decimals: t.decimals, chainId: Number(chain), approveReset: t.approveReset ?? false }
    return { at: `${symbol}@${place}`, token }
  }
  return undefined
}

/** Reads an address in lower case, in upper case, or with a correct EIP-55 checksum. */
export function parseAddress(text: string, param = 'recipient', code: Code = 'RECIPIENT_INVALID'): Address {
  const digits = text.slice(2)
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new Invalid(code, param, 'not an address: write 0x and 40 hexadecimal digits')
  if (mixed && !isAddress(text)) throw new Invalid('ADDRESS_CHECKSUM_MISMATCH', param, 'the capital letters do not match the EIP-55 checksum: check every digit')
  return getAddress(`0x${digits.toLowerCase()}`)
}
