import { getAddress, isAddress } from 'viem'
import { Invalid } from './errors.js'
import { Literal, readAnswer, type Json } from './json.js'
import type { Pins } from './pins.js'
import { parseIntegrator } from './request.js'
import { parseUnits } from './text.js'

const format = 'hubquote-pins/1'
const maxRate = 10_000 // 1 %, in millionths
const maxDecimals = 36
const uint32 = 2 ** 32 - 1

export const broken = (what: string) => new Invalid('PARAM_INVALID', 'pins', what)

/** Throws unless a value has the right form. */
type Shape = (value: unknown, path: string) => void

const shape = (holds: (value: unknown) => boolean, write: string): Shape => (value, path) => {
  if (!holds(value)) throw broken(`${path}: write ${write}`)
}

const text = shape((v) => typeof v === 'string', 'a text')
const boolean = shape((v) => typeof v === 'boolean', 'true or false')
const integer = (min: number, max: number) =>
  shape((v) => Number.isInteger(v) && (v as number) >= min && (v as number) <= max && !Object.is(v, -0), `a whole number from ${min} to ${max}`)
const chain = integer(1, 9_999_999_999)
const address = shape((v) => typeof v === 'string' && isAddress(v) && getAddress(v) === v, 'an address with its EIP-55 checksum')
const coin = shape((v) => typeof v === 'string' && /^[0-9A-Z]{1,11}@[1-9][0-9]{0,9}$/.test(v), 'a token and its chain as in USDC@369')
const rate = integer(1, maxRate)

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v)

/** Exactly these members; those of more may be left out. */
function object(members: Record<string, Shape>, more: Record<string, Shape> = {}): Shape {
  const shapes = new Map(Object.entries({ ...members, ...more }))
  return (value, path) => {
    if (!isObject(value)) throw broken(`${path}: write an object`)
    for (const [key, member] of Object.entries(value)) {
      const is = shapes.get(key)
      if (!is) throw broken(`${path}: there is no such key as ${key}`)
      is(member, `${path}.${key}`)
    }
    for (const key of Object.keys(members)) if (!Object.hasOwn(value, key)) throw broken(`${path}: ${key} is missing`)
  }
}

const listOf = (item: Shape): Shape => (value, path) => {
  if (!Array.isArray(value)) throw broken(`${path}: write a list`)
  for (let i = 0; i < value.length; i++) item(value[i], `${path}[${i}]`)
}

const pair = shape((v) => Array.isArray(v) && v.length === 2 && v.every((t) => typeof t === 'string'), 'a list of two texts')

const privacy: Shape = (value, path) => {
  if (!isObject(value)) throw broken(`${path}: write an object`)
  for (const [pool, network] of Object.entries(value)) {
    chain(network, `${path}.${pool}`)
    if (!/^[1-9][0-9]{0,9}$/.test(pool) || pool === String(network)) throw broken(`${path}: ${pool} is no privacy pool`)
  }
}

const file = object({
  format: text, deployment: text, reference: boolean, catalog: text,
  burn: object({ domain: integer(0, uint32), receiver: address, finality: integer(0, uint32) }),
  integrators: object({ maxMillionths: integer(0, maxRate), known: listOf(object({ id: text, millionths: integer(0, maxRate) })) }),
  privacy,
  tokens: listOf(object({ token: coin, address, decimals: integer(1, maxDecimals) }, { approveReset: boolean })),
  routers: listOf(object({ from: coin, type: text, router: address, min: text, max: text }, { issuerBps: pair })),
  routes: listOf(object({ from: coin, to: coin, feeChain: chain, millionths: rate })),
})

const checked = new WeakMap<object, string>()
const frozen = new WeakSet<object>() // and checked

/**
 * Throws {@link Invalid} unless pins are complete and consistent. Pins that were
 * checked are checked again only if something in them has changed, which those of
 * {@link parsePins} cannot.
 */
export function checkPins(pins: Pins): void {
  if (!pins) throw new Invalid('PARAM_MISSING', 'pins', 'there is nothing to compare the answer with: write a file with hubquote pins, review it, and pass its content')
  if (frozen.has(pins)) return
  if (!isObject(pins) || pins.format !== format) throw broken(`not in the format ${format}: write them with hubquote pins of the same version`)
  const now = JSON.stringify(pins)
  if (checked.get(pins) === now) return
  file(pins, 'pins')
  checkIntegrators(pins.integrators)
  checkTokens(pins)
  for (const router of pins.routers) checkRouter(router, pins)
  once(pins.routers.map((r) => r.from), 'router')
  checkRoutes(pins)
  checked.set(pins, now)
}

function once(names: string[], what: string): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw broken(`the ${what} ${twice} is listed twice`)
}

const isZero = (address: string) => BigInt(address) === 0n

function checkIntegrators({ maxMillionths, known }: Pins['integrators']): void {
  once(known.map((k) => idOf(k.id)), 'integrator')
  const over = known.find((k) => k.millionths > maxMillionths)
  if (over) throw broken(`the integrator ${over.id} takes more than maxMillionths`)
}

function idOf(text: string): string {
  try {
    return parseIntegrator(text)
  } catch {
    throw broken(`${text} is no integrator ID`)
  }
}

const chainOf = (coin: string) => coin.slice(coin.indexOf('@') + 1)

function checkTokens({ tokens, privacy }: Pins): void {
  for (const { token, address } of tokens) {
    if (Object.hasOwn(privacy, chainOf(token))) throw broken(`token ${token}: name the network, not the privacy pool`)
    if (isZero(address)) throw broken(`token ${token}: the address is zero`)
  }
  once(tokens.map((t) => t.token), 'token')
  once(tokens.map((t) => `${t.address}@${chainOf(t.token)}`), 'token')
}

/** Makes sure that a token is listed on the network under its place. */
function checkEnd(coin: string, { tokens, privacy }: Pins): void {
  const place = chainOf(coin)
  const network = Object.hasOwn(privacy, place) ? String(privacy[place]) : place
  const listed = coin.slice(0, -place.length) + network
  if (!tokens.some((t) => t.token === listed)) throw broken(`${coin}: the token is not listed`)
}

const isAmount = (text: string) => /^[1-9][0-9]{0,77}$/.test(text) && BigInt(text) < 2n ** 256n

function checkRouter({ from, type, router, min, max, issuerBps }: Pins['routers'][number], pins: Pins): void {
  checkEnd(from, pins)
  if (!isAmount(min) || !isAmount(max) || BigInt(min) > BigInt(max)) throw broken(`router ${from}: min and max are not a range of amounts`)
  if (isZero(router)) throw broken(`router ${from}: the router is the zero address`)
  const fits = type === 'DIRECT' ? !issuerBps : type === 'CCTP_INBOUND' && issuerBps && !isZero(pins.burn.receiver)
  if (!fits) throw broken(`router ${from}: the type is neither DIRECT nor CCTP_INBOUND, or does not fit the rest: a burn needs issuerBps and a receiver, and nothing else has them`)
  const [low, high] = (issuerBps ?? []).map(issuerRate)
  if (low !== undefined && high !== undefined && low > high) throw broken(`router ${from}: issuerBps is not a range`)
}

/** 100 basis points: the issuer's dearest source charges 14. */
const maxIssuerRate = 100n * 10n ** 9n

/** Reads basis points in billionths of one. */
export function issuerRate(bps = '0'): bigint {
  const rate = bps.length > 13 ? undefined : parseUnits(bps, 9)
  if (rate === undefined || rate > maxIssuerRate) throw broken(`${bps} is no number of basis points from 0 to 100`)
  return rate
}

function checkRoutes(pins: Pins): void {
  const sources = new Set(pins.routers.map((r) => r.from))
  for (const { from, to } of pins.routes) {
    if (!sources.has(from)) throw broken(`route ${from} to ${to}: no router takes ${from}`)
    checkEnd(to, pins)
  }
  once(pins.routes.map((r) => `${r.from} to ${r.to}`), 'route')
  if (pins.routes.length === 0) throw broken('there are no routes')
}

/**
 * Reads the text of a file that `hubquote pins` wrote. Unlike JSON.parse it
 * refuses a key that is there twice, and a number in another spelling. What it
 * returns cannot be changed.
 */
export function parsePins(text: string | Uint8Array): Pins {
  const read = readAnswer(text)
  if (!read) throw broken('not one JSON object in UTF-8')
  if (read.repeated !== undefined) throw broken(`the key ${read.repeated} is repeated`)
  const pins = plain(read.value) as Pins
  checkPins(pins)
  frozen.add(pins)
  return pins
}

/** Makes ordinary values, which cannot be changed. */
function plain(value: Json): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(plain))
  if (value instanceof Map) return Object.freeze(Object.fromEntries([...value].map(([key, v]) => [key, plain(v)])))
  if (!(value instanceof Literal)) return value
  if (!/^([1-9][0-9]*|0|true|false|null)$/.test(value.text)) throw broken(`${value.text} is no whole number in its one spelling`)
  return JSON.parse(value.text)
}
