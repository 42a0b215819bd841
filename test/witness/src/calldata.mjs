// Calls, encoded and read back by ethers from their signatures (D14, D15, D17, D18).

import { Interface, solidityPacked, zeroPadValue } from 'ethers'
import { gateway } from './facts.mjs'

export const poolFunction =
  'swap(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId)'
export const refundFunction =
  'swapFor(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId, address refundTo)'
export const burnFunction =
  'depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, ' +
  'bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)'

const abi = new Interface([poolFunction, refundFunction, burnFunction, 'approve(address spender, uint256 amount)'].map(f => 'function ' + f))
const [pool, refund, burn, approval] = ['swap', 'swapFor', 'depositForBurnWithHook', 'approve'].map(name => abi.getFunction(name))

// The selectors are published; that these signatures have them is worth a stop.
for (const [f, selector] of [[pool, '0x095ff22d'], [refund, '0xaddb3d3d'], [burn, '0x779b432d'], [approval, '0x095ea7b3']]) {
  if (f.selector !== selector) throw new Error(`${f.name} has selector ${f.selector}, not ${selector}`)
}

export const approve = (spender, amount) => abi.encodeFunctionData(approval, [spender, amount])

export const poolCall = a => {
  const args = [a.dstChain, a.amount, a.recipient, a.recipientType, a.dstToken, a.integratorId]
  return a.refundTo ? abi.encodeFunctionData(refund, [...args, a.refundTo]) : abi.encodeFunctionData(pool, args)
}

export const burnCall = a =>
  abi.encodeFunctionData(burn, [a.amount, a.destinationDomain, a.mintRecipient, a.burnToken, a.destinationCaller,
    a.maxFee, a.minFinalityThreshold, a.hookData])

export const hookData = a => solidityPacked(
  ['uint256', 'address', 'bytes32', 'uint8', 'bytes'],
  [a.dstChain, a.dstToken, a.integratorId, a.recipientType, a.recipient])

export function burnArguments(pair, amount, maxFee, receiver, hook) {
  return {
    amount, maxFee, hookData: hook,
    destinationDomain: gateway.domain,
    mintRecipient: zeroPadValue(receiver, 32),
    burnToken: pair.srcToken.address,
    destinationCaller: zeroPadValue(receiver, 32),
    minFinalityThreshold: gateway.finality
  }
}

// readPoolCall returns the arguments of either deposit by name, or throws.
export const readPoolCall = data => abi.decodeFunctionData(data.startsWith(refund.selector) ? refund : pool, data).toObject()

// Byte offsets of the amount and of the recipient's first byte, counted by hand:
// selector, head words, length word, and for a burn the hook's 85 fixed bytes.
export const poolOffsets = { amount: 4 + 32, recipient: 4 + 6 * 32 + 32 }
export const refundOffsets = { amount: 4 + 32, recipient: 4 + 7 * 32 + 32 }
export const burnOffsets = { amount: 4, recipient: 4 + 8 * 32 + 32 + 85 }

// explain names the first argument in which two encodings of a call differ.
export function explain(got, want) {
  const call = abi.parseTransaction({ data: want })
  try {
    const theirs = abi.decodeFunctionData(call.fragment, got)
    const i = call.args.findIndex((arg, n) => arg !== theirs[n])
    return i < 0 ? 'encoding' : call.fragment.inputs[i].name
  } catch {
    return 'encoding'
  }
}

export const quantity = n => '0x' + n.toString(16)
