/**
 * Ask for a cross-chain swap, and check every byte of the answer before you
 * sign.
 *
 * @module
 */
export { quote, type Options } from './client.js'
export { verify } from './verify.js'
export { Invalid, Mismatch, Refusal, Unproven, type Fault } from './errors.js'
export type { Pins } from './pins.js'
export type { Request } from './request.js'
export type * from './types.js'
