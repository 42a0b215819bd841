// Made from docs/openapi.json by npm run types.

/** `x-invariants` lists what a client may rely on in every quote. */
export type Quote = {
  /** The contract that must receive the source transaction. */
  to: Address
  srcToken: Token
  destToken: Token
  srcAmount: Integer
  /** What arrives, after all fees, in the destination token's smallest unit. */
  destAmount: Integer
  fee: Fee
  approval?: Approval
  methodParameters: MethodParameters
  route: Route
  decoded?: Decoded
  calls?: Calls
  proof?: Proof
}

/** An EVM address, in EIP-55. */
export type Address = `0x${string}`

export type Token = {
  address: Address
  symbol: string
  decimals: number
  /** The network's chain ID, also on privacy routes. */
  chainId: number
}

/** A non-negative integer in decimal. */
export type Integer = string

/** All amounts are in the destination token's smallest unit. */
export type Fee = {
  /** Chain of the pool that pays out, where the fees are computed. */
  chainId: number
  token: "destination"
  protocol: Share
  integrator: {
    /** In percent: 0.3 is 0.3 %. */
    percentage: number
    amount: Integer
    id?: `0x${string}`
    address?: Address
  }
  total: {
    amount: Integer
  }
}

export type Share = {
  /** In percent: 0.3 is 0.3 %. */
  percentage: number
  amount: Integer
}

/** Absent when the source token is native. */
export type Approval = {
  token: Address
  spender: Address
  amount: Integer
  calldata: Hex
  /** `approve(spender, 0)`: only for tokens that refuse to change an allowance that is not zero. */
  resetCalldata?: Hex
}

/** Bytes in hexadecimal. */
export type Hex = `0x${string}`

export type MethodParameters = {
  calldata: Hex
  value: Quantity
}

/** A non-negative integer in hexadecimal, without leading zeros. */
export type Quantity = `0x${string}`

export type Route = {
  type: RouteType
}

/** `DIRECT` calls one of our pools, `CCTP_INBOUND` burns through the issuer's messenger. */
export type RouteType = "DIRECT" | "CCTP_INBOUND"

/** `methodParameters.calldata` taken apart, with `include=decoded`. Integers of more than 32 bits are decimal strings. */
export type Decoded = {
  /** The function, with the types and names of its arguments. */
  function: string
  arguments: PoolArguments | BurnArguments
  hook?: Hook
  /** Where in `methodParameters.calldata`, in bytes, the amount (32 bytes) and the recipient start. */
  offsets: {
    amount: number
    recipient: number
  }
}

/** Of `swap`, on `DIRECT` routes; with `refundTo` of `swapFor`. */
export type PoolArguments = {
  dstChain: Integer
  amount: Integer
  recipient: Hex
  recipientType: 0 | 2
  dstToken: Address
  integratorId: Bytes32
  refundTo?: Address
}

/** 32 bytes in hexadecimal. */
export type Bytes32 = `0x${string}`

/** Of `depositForBurnWithHook`, on `CCTP_INBOUND` routes. */
export type BurnArguments = {
  amount: Integer
  /** The issuer's number of the chain where the burn is minted; not a chain ID. */
  destinationDomain: number
  mintRecipient: Bytes32
  burnToken: Address
  destinationCaller: Bytes32
  maxFee: Integer
  minFinalityThreshold: number
  hookData: Hex
}

/** What a burn's `hookData` says. */
export type Hook = {
  dstChain: Integer
  dstToken: Address
  integratorId: Bytes32
  recipientType: 0 | 2
  recipient: Hex
}

/** The parameter of EIP-5792 `wallet_sendCalls`, with `include=calls`: the approval, after its reset where the token wants one, then the call. */
export type Calls = {
  version: "2.0.0"
  chainId: Quantity
  /** Whether there is more than one call. */
  atomicRequired: boolean
  calls: Call[]
}

export type Call = {
  to: Address
  data: Hex
  value: Quantity
}

/** Shielding only, with `include=proof`. `random` and the recipient's master public key give the note's public key; the ephemeral key opens the ciphertext. It can spend nothing. */
export type Proof = {
  random: `0x${string}`
  shieldPrivateKey: `0x${string}`
}

export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: Code
  param?: string
  limits?: Limits
  /** With `POOL_SHORT` and `POOL_CAPPED`: the most that one swap without integrator could be paid now, in the destination token's smallest unit. */
  available?: string
  /** With `POOL_CAPPED`: when the amount fits again, if nothing else is paid until then. Absent when it is more than the cap ever lets out at once. */
  retryAt?: string
  /** Whether the same request may succeed later. */
  retryable: boolean
  requestId: string
  /** The same as `detail`. */
  error: string
  errors?: {
    code: Code
    param?: string
    detail: string
    limits?: Limits
  }[]
}

/** Stable: a code never changes its meaning, and the list only grows. */
export type Code = "QUERY_MALFORMED" | "PARAM_MISSING" | "PARAM_REPEATED" | "PARAM_TOO_LONG" | "PARAM_MISSPELT" | "PARAM_INVALID" | "AMOUNT_INVALID" | "AMOUNT_TOO_LOW" | "AMOUNT_TOO_HIGH" | "CHAIN_INVALID" | "CHAIN_UNSUPPORTED" | "TOKEN_INVALID" | "TOKEN_UNSUPPORTED" | "PAIR_UNSUPPORTED" | "HASH_INVALID" | "ADDRESS_CHECKSUM_MISMATCH" | "RECIPIENT_INVALID" | "RECIPIENT_ZERO" | "RECIPIENT_IS_CONTRACT" | "RECIPIENT_TYPE_MISMATCH" | "REFUND_TO_INVALID" | "REFUND_TO_ZERO" | "REFUND_TO_IS_CONTRACT" | "REFUND_TO_UNSUPPORTED" | "INTEGRATOR_INVALID" | "INTEGRATOR_NOT_REGISTERED" | "INTEGRATOR_INACTIVE" | "INTEGRATOR_NOT_SUPPORTED" | "ZK_NON_ASCII" | "ZK_LENGTH" | "ZK_MIXED_CASE" | "ZK_BECH32" | "ZK_PREFIX" | "ZK_CHARSET" | "ZK_CHECKSUM" | "ZK_PADDING" | "ZK_VERSION" | "ZK_MASTER_KEY_RANGE" | "ZK_VIEWING_KEY_POINT" | "ZK_VIEWING_KEY_NONCANONICAL" | "ZK_VIEWING_KEY_SMALL_ORDER" | "ZK_VIEWING_KEY_TORSION" | "ZK_CHAIN_MISMATCH" | "RATE_LIMITED" | "REGISTRY_UNAVAILABLE" | "ISSUER_FEE_UNAVAILABLE" | "STATUS_UNAVAILABLE" | "POOL_PAUSED" | "POOL_SHORT" | "POOL_CAPPED" | "POOL_UNKNOWN" | "ROUTE_CLOSED" | "DEPLOYMENT_DIFFERS" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "URI_TOO_LONG" | "INTERNAL"

/** The amounts that are accepted, both ends included. */
export type Limits = {
  token: string
  decimals: number
  min: Integer
  max: Integer
  minHuman: string
  maxHuman: string
}

/** The orders of a transaction. */
export type Tracking = {
  /** When this was true */
  asOf: string
  /** The sum of the orders' revisions */
  revision: number
  /** The sum of the orders' steps */
  step: number
  /** Why there are no orders */
  reason?: "not_found" | "pending" | "reverted" | "no_order" | "reorganised"
  /** The settler does not answer: this was its last word */
  stale?: boolean
  /** How many more orders the transaction has: an answer lists a hundred, and as many burns that are no orders yet. Everything else is said of those that are listed */
  omitted?: number
  chains?: Looked[]
  orders: Status[]
}

/** How far a chain was read. */
export type Looked = {
  chainId: number
  head: number
  final: number
}

/** Where one order is. `(revision, step)` never falls: `step` grows along the way, `revision` when a reorganisation took something away. */
export type Status = {
  orderId?: Bytes32
  status: "unknown" | "confirming" | "attesting" | "paying" | "paid" | "delivering" | "claimable" | "refunding" | "done" | "refunded"
  /** What it waits for, such as `finality`, `liquidity`, `paused`, `issuer`, `unclaimed` */
  reason?: string
  revision: number
  step: number
  /** When the status began */
  since?: string
  /** When swaps of this kind are usually done. Always to come: without it, no time can be named */
  eta?: string
  /** It takes longer than usual, or waits for something that time alone does not bring */
  delayed: boolean
  amounts?: TrackedAmounts
  legs: Leg[]
  action?: Action
  order?: Order
}

export type TrackedAmounts = {
  deposited: Integer
  pays: Integer
}

/** One transaction of the swap. */
export type Leg = {
  kind: "burn" | "deposit" | "payment" | "mint" | "claim" | "cancel" | "refund" | "reclaim" | "return"
  chainId: number
  txHash: Bytes32
  block?: number
  blockHash?: Bytes32
  /** Of the block */
  time?: string
  final: boolean
}

/** A call that any account can send to move the swap on. */
export type Action = {
  kind: "claim" | "relay" | "mint" | "reclaim"
  chainId: number
  to: Address
  data: Hex
  /** Not before this time */
  after?: string
}

/** The order as its source contract recorded it. Its hash without the deadline is `orderId`. */
export type Order = {
  srcPlace: string
  srcPool: Address
  refundTo: Address
  nonce: string
  srcDecimals: number
  amount: string
  dstPlace: string
  dstPool: Address
  dstToken: Address
  rate: number
  integratorId: Bytes32
  recipientType: number
  recipient: Hex
  deadline: number
}
