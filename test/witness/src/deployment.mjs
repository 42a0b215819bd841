// Our own contracts are in no published table. They are taken from where the
// service says they are, its list of routers and its pins; what can be checked
// is that each serves one (place, token) only.

import { getAddress } from 'ethers'
import { messenger } from './facts.mjs'
import { key } from './pairs.mjs'

const checksummed = address => getAddress(address.toLowerCase())

export class Deployment {
  constructor({ routers, receiver }) {
    this.receiver = checksummed(receiver)
    this.pools = new Map(routers.map(r => [key(r.chainId, r.srcToken), checksummed(r.router)]))
    const pools = routers.filter(r => r.type === 'DIRECT').map(r => key(r.network, r.router))
    if (new Set(pools).size !== pools.length) throw new Error('two pools share a contract')
  }

  // target is the contract that a swap of the pair calls.
  target(pair) {
    return pair.burns ? messenger : this.pools.get(key(pair.src, pair.srcToken.address))
  }
}
