// The answer a request must get, in each version, built from the specification.

import { getAddress, zeroPadValue } from 'ethers'
import { approve, burnArguments, burnCall, burnFunction, burnOffsets, hookData, poolCall, poolFunction, poolOffsets, quantity, refundFunction, refundOffsets } from './calldata.mjs'
import { needsReset } from './facts.mjs'
import { inSource, maxFee, percent, split } from './fees.mjs'

const zeroAddress = '0x' + '0'.repeat(40)
const zeroID = '0x' + '0'.repeat(64)

// An integrator is named by its wallet or by the wallet padded to 32 bytes.
export const integratorID = name => zeroPadValue('0x' + name.slice(-40).toLowerCase(), 32)

// A swap is a request with everything the answer is made of: the registry's
// entry if an integrator is named, the issuer's rate if the route burns, the
// note if it shields.
export function swapOf({ pair, query, deployment, registry, issuer, note }) {
  const amount = BigInt(query.amount)
  const order = {
    dstChain: BigInt(pair.dst),
    amount,
    recipient: note ?? (query.recipient ?? zeroAddress).toLowerCase(),
    recipientType: pair.shields ? 2 : 0,
    dstToken: pair.dstToken.address,
    integratorId: query.integratorId ? integratorID(query.integratorId) : zeroID,
    ...(query.refundTo && { refundTo: getAddress(query.refundTo.toLowerCase()) })
  }
  const swap = { pair, amount, order, registry, to: deployment.target(pair), fees: split(pair, amount, BigInt(registry?.rate ?? 0)) }
  if (pair.burns) swap.burn = burnArguments(pair, amount, maxFee(amount, issuer.bps), deployment.receiver, hookData(order))
  swap.calldata = swap.burn ? burnCall(swap.burn) : poolCall(order)
  swap.approval = pair.native ? undefined : approvalOf(swap)
  return swap
}

function approvalOf({ pair, amount, to }) {
  const approval = { token: pair.srcToken.address, spender: to, amount: amount.toString(), calldata: approve(to, amount) }
  return needsReset(pair.srcToken) ? { ...approval, resetCalldata: approve(to, 0n) } : approval
}

const head = ({ pair, amount, fees, to }) => ({
  to, srcToken: pair.srcToken, destToken: pair.dstToken, srcAmount: amount.toString(), destAmount: fees.received.toString()
})

const methodParameters = ({ pair, amount, calldata }) => ({ calldata, value: pair.native ? quantity(amount) : '0x0' })

const route = ({ pair }) => ({ type: pair.burns ? 'CCTP_INBOUND' : 'DIRECT' })

function feeOf({ pair, order, fees, registry }) {
  const integrator = { percentage: percent(registry?.rate ?? 0), amount: fees.integrator.toString() }
  if (registry) Object.assign(integrator, { id: order.integratorId, address: getAddress(registry.wallet) })
  return {
    chainId: pair.feeChain,
    token: 'destination',
    protocol: { percentage: percent(pair.millionths), amount: fees.protocol.toString() },
    integrator,
    total: { amount: fees.total.toString() }
  }
}

export const faces = {
  v3: swap => ({ ...head(swap), fee: feeOf(swap), approval: swap.approval, methodParameters: methodParameters(swap), route: route(swap) }),

  revision1: swap => ({
    ...head(swap),
    fee: { percentage: percent(swap.pair.millionths), amount: swap.fees.protocol.toString(), token: 'destination' },
    approval: swap.approval, methodParameters: methodParameters(swap), route: route(swap)
  }),

  v1: swap => {
    const [from, into] = [swap.pair.srcToken.address, swap.pair.dstToken.address]
    return {
      ...head(swap),
      fee: { percentage: percent(swap.pair.millionths), amount: inSource(swap.pair, swap.amount).toString() },
      methodParameters: methodParameters(swap),
      route: { paths: [from, into], swaps: [{ pool: swap.to, in: from, out: into }] }
    }
  }
}

// Integers of more than 32 bits are decimal strings in JSON.
const shown = args => Object.fromEntries(Object.entries(args).map(([k, v]) => [k, typeof v === 'bigint' ? v.toString() : v]))

export const extras = {
  decoded({ order, burn }) {
    if (order.refundTo) return { function: refundFunction, arguments: shown(order), offsets: refundOffsets }
    if (!burn) return { function: poolFunction, arguments: shown(order), offsets: poolOffsets }
    const { amount, ...hook } = order
    return { function: burnFunction, arguments: shown(burn), hook: shown(hook), offsets: burnOffsets }
  },

  calls(swap) {
    const { approval, to } = swap
    const { calldata: data, value } = methodParameters(swap)
    const approvals = [approval?.resetCalldata, approval?.calldata].filter(Boolean)
    const calls = [...approvals.map(data => ({ to: approval.token, data, value: '0x0' })), { to, data, value }]
    return { version: '2.0.0', chainId: quantity(swap.pair.srcToken.chainId), atomicRequired: calls.length > 1, calls }
  }
}

// refusal is what the specification determines of the answer to an amount out
// of range (spec 8, D23).
export function refusal({ srcToken, min, max }, amount) {
  const human = n => {
    const digits = n.toString().padStart(srcToken.decimals + 1, '0')
    return `${digits.slice(0, -srcToken.decimals)}.${digits.slice(-srcToken.decimals)}`.replace(/\.?0+$/, '')
  }
  return {
    status: 400, code: amount < min ? 'AMOUNT_TOO_LOW' : 'AMOUNT_TOO_HIGH', param: 'amount', retryable: false,
    limits: { token: srcToken.symbol, decimals: srcToken.decimals, min: min.toString(), max: max.toString(), minHuman: human(min), maxHuman: human(max) }
  }
}
