import { getAddress, numberToHex, pad } from 'viem'
import { approveCall, burnCall, functions, hookData, offsets, poolCall, poolName, type Order } from './calldata.js'
import { native, type PinnedRoute, type PinnedToken, type Pins } from './pins.js'
import { zeroId, type Asked } from './request.js'
import type { Address, Approval, Bytes32, Calls, Decoded, Fee, Hex, Proof, Quote, Token } from './types.js'

/** The parts of an answer that cannot be derived; bounded elsewhere. */
export type Claims = {
  /** An integrator's rate in millionths. */
  rate: bigint
  maxFee: bigint
  /** The 160 bytes of an encrypted recipient. */
  note: Hex
  proof: Proof
}

const million = 1_000_000n

/** Derives the quote for a request, by the same rules as the server. */
export function derive(asked: Asked, pins: Pins, claims: Claims): Quote {
  const { route, amount, recipient, include } = asked
  const order: Order = {
    dstChain: BigInt(route.dstPlace),
    amount,
    recipient: 'address' in recipient ? (recipient.address.toLowerCase() as Hex) : claims.note,
    recipientType: 'address' in recipient ? 0 : 2,
    dstToken: route.dst.address,
    integratorId: asked.integratorId,
  }
  const isNative = route.src.address === native
  const calldata = route.type === 'DIRECT' ? poolCall(order, asked.refundTo) : burnCall(order, burnOf(route, pins, claims))
  const quote: Quote = {
    to: route.router,
    srcToken: tokenOf(route.src),
    destToken: tokenOf(route.dst),
    srcAmount: String(amount),
    ...split(route, amount, claims.rate, asked.integratorId),
    ...(!isNative && { approval: approvalOf(route, amount) }),
    methodParameters: { calldata, value: numberToHex(isNative ? amount : 0n) },
    route: { type: route.type },
  }
  if (include.decoded) quote.decoded = decodedOf(order, asked, pins, claims)
  if (include.calls) quote.calls = callsOf(quote, route.src.chainId)
  if (include.proof && route.shields) quote.proof = claims.proof
  return quote
}

function tokenOf(t: PinnedToken): Token {
  return { address: t.address, symbol: t.symbol, decimals: t.decimals, chainId: t.chainId }
}

function burnOf(route: PinnedRoute, pins: Pins, claims: Claims) {
  const { domain, receiver, finality } = pins.burn
  return { domain, receiver: receiver as Address, token: route.src.address, maxFee: claims.maxFee, finality }
}

/**
 * Splits an amount into fees and the rest, in the destination token. The amount
 * is rescaled once and rounded down; so is each fee; the user gets the rest.
 *
 * @param rate an integrator's, in millionths
 */
export function split(route: PinnedRoute, amount: bigint, rate = 0n, integratorId = zeroId): { destAmount: string; fee: Fee } {
  const gross = (amount * 10n ** BigInt(route.dst.decimals)) / 10n ** BigInt(route.src.decimals)
  const protocol = (gross * route.millionths) / million
  const integrator = (gross * rate) / million
  const fee: Fee = {
    chainId: route.feeChain,
    token: 'destination',
    protocol: { percentage: percent(route.millionths), amount: String(protocol) },
    integrator: {
      percentage: percent(rate),
      amount: String(integrator),
      ...(integratorId !== zeroId && { id: integratorId, address: walletOf(integratorId) }),
    },
    total: { amount: String(protocol + integrator) },
  }
  return { destAmount: String(gross - protocol - integrator), fee }
}

/** An integrator's ID is its wallet: the registry has no other. */
const walletOf = (id: Bytes32): Address => getAddress(`0x${id.slice(26)}`)

/** Exact: both are the double that is nearest to the same decimal. */
const percent = (millionths: bigint) => Number(millionths) / 10_000

function approvalOf(route: PinnedRoute, amount: bigint): Approval {
  return {
    token: route.src.address,
    spender: route.router,
    amount: String(amount),
    calldata: approveCall(route.router, amount),
    ...(route.src.approveReset && { resetCalldata: approveCall(route.router, 0n) }),
  }
}

function decodedOf(o: Order, { route, refundTo }: Asked, pins: Pins, claims: Claims): Decoded {
  const said = { dstChain: String(o.dstChain), dstToken: o.dstToken, integratorId: o.integratorId, recipientType: o.recipientType, recipient: o.recipient }
  if (route.type === 'DIRECT') {
    const { dstChain, recipient, recipientType, dstToken, integratorId } = said
    return {
      function: functions[poolName(refundTo)],
      arguments: { dstChain, amount: String(o.amount), recipient, recipientType, dstToken, integratorId, ...(refundTo && { refundTo }) },
      offsets: offsets[poolName(refundTo)],
    }
  }
  const receiver = pad(pins.burn.receiver as Address).toLowerCase() as Hex
  return {
    function: functions.burn,
    arguments: {
      amount: String(o.amount),
      destinationDomain: pins.burn.domain,
      mintRecipient: receiver,
      burnToken: route.src.address,
      destinationCaller: receiver,
      maxFee: String(claims.maxFee),
      minFinalityThreshold: pins.burn.finality,
      hookData: hookData(o),
    },
    hook: said,
    offsets: { amount: offsets.burn.amount, recipient: offsets.burn.recipient },
  }
}

function callsOf(quote: Quote, chainId: number): Calls {
  const calls = []
  if (quote.approval) {
    const { token, calldata, resetCalldata } = quote.approval
    if (resetCalldata) calls.push({ to: token, data: resetCalldata, value: '0x0' as const })
    calls.push({ to: token, data: calldata, value: '0x0' as const })
  }
  calls.push({ to: quote.to, data: quote.methodParameters.calldata, value: quote.methodParameters.value })
  return { version: '2.0.0', chainId: numberToHex(chainId), atomicRequired: calls.length > 1, calls }
}
