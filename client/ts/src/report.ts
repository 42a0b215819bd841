import type { Pins } from './pins.js'
import type { Leg, Status } from './types.js'

/** Calls a JSON-RPC method of the caller's own node of a chain. */
export type Node = (method: string, params: unknown[]) => Promise<unknown>

/** A leg and whether the caller's node has shown it. */
export type ProvedLeg = Leg & { proved: boolean; why?: string }

/** A status and what is known about it. */
export type Report = {
  /** Without an action that could not be derived here: a wallet must not be handed a call of the server's choice. */
  status: Status
  legs: ProvedLeg[]
  /** The chains themselves show the status. */
  proved: boolean
  /** What the payment's event says, once proved. */
  received?: bigint
}

/** A part of a status that a node or the pins contradict. */
export class Contradiction extends Error {
  override name = 'Contradiction'

  constructor(readonly field: string, readonly found: string) {
    super(`the status is not true: ${field} is not what the chain or the pins say: ${found}`)
  }
}

/** A contract of ours on a network. */
export type Contract = { chainId: number; address: string }

/** Where the contracts are that open and pay orders, by the pins. */
export type Deployment = { contracts: Contract[]; gateway: number | undefined; networkOf: (place: string) => number }

/** Takes the pools and the receiver from the pins. */
export function deploymentOf(pins: Pins): Deployment {
  const networkOf = (place: string) => pins.privacy[place] ?? Number(place)
  const placeOf = (coin: string) => coin.slice(coin.indexOf('@') + 1)
  const pools = pins.routers.filter((r) => r.type === 'DIRECT').map((r) => ({ chainId: networkOf(placeOf(r.from)), address: r.router }))
  const gateway = pins.routes.find((r) => r.feeChain !== networkOf(placeOf(r.to)))?.feeChain
  return { contracts: gateway === undefined ? pools : [...pools, { chainId: gateway, address: pins.burn.receiver }], gateway, networkOf }
}

/**
 * The pinned contract of a place: on its network, or on the one that takes and pays for it. An address
 * alone is not enough, since many networks can have the same one.
 */
export function contractAt({ contracts, gateway, networkOf }: Deployment, place: string, address: string): Contract | undefined {
  const on = (chain: number | undefined) => contracts.find((c) => c.chainId === chain && same(c.address, address))
  return on(networkOf(place)) ?? on(gateway)
}

/** Whether two spellings are of the same hash or address. */
export const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

