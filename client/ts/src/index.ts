/**
 * Ask for a cross-chain swap, and check every byte of the answer before you
 * sign.
 *
 * @module
 */
/*! Bundled: viem - MIT License (c) 2023-present weth, LLC */
export { quote, verify, type Options } from './client.js'
export { judge, type JudgeOptions, type Verdict } from './judge.js'
export { orderId } from './order.js'
export { prove } from './prove.js'
export { Contradiction, type Node, type ProvedLeg, type Report } from './report.js'
export { isFinal, isOver, parseHash, track, waitFor, type TrackOptions, type WaitOptions } from './track.js'
export { readTracking } from './tracking.js'
export { Invalid, Mismatch, Refusal, Unproven, Unreadable, type AnswerCode, type Fault, type Finding, type Reason } from './errors.js'

// For programs that show quotes or read user input.
export { allowanceCall, balanceCall, functions } from './calldata.js'
export { split } from './derive.js'
export { parsePrivate, type PrivateAddress } from './note.js'
export { checkPins, parsePins } from './pinfile.js'
export { findRoute, native, parseAddress, type Pair, type PinnedRoute, type PinnedToken, type Pins } from './pins.js'
export { parseIntegrator, parseRecipient, parseRefundTo, type Recipient, type Request } from './request.js'
export { spans, type Span } from './spans.js'
export { formatUnits, parseUnits, printable } from './text.js'
export type * from './types.js'
