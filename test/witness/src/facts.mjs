// What the specification and the published tables say, copied by hand: nothing
// here comes from the service, so that a wrong entry in its catalog is seen.

import { getAddress } from 'ethers'

export const hub = 369

// Virtual IDs and the network under each (spec 2.8).
export const privacyNetwork = { 69696969: 1, 96969696: 56 }

export const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

// [chain, symbol, address, decimals]. Decimals belong to the contract, never to
// the symbol: USDC has 18 on chain 56.
const tokenTable = [
  [1, 'USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6],
  [1, 'USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 6],
  [1, 'DAI', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 18],
  [1, 'WETH', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 18],
  [1, 'ETH', native, 18],
  [10, 'USDC', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 6],
  [25, 'USDC', '0x3D7F2C478aAfdB65542BCB44bCeeC05849999d2D', 6],
  [56, 'USDC', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18],
  [56, 'USDT', '0x55d398326f99059fF775485246999027B3197955', 18],
  [56, 'DAI', '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3', 18],
  [56, 'USD1', '0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d', 18],
  [56, 'WETH', '0x2170Ed0880ac9A755fd29B2688956BD959F933F8', 18],
  [130, 'USDC', '0x078D782b760474a361dDA0AF3839290b0EF57AD6', 6],
  [137, 'USDC', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 6],
  [143, 'USDC', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603', 6],
  [146, 'USDC', '0x29219dd400f2Bf60E5a23d13Be72B486D4038894', 6],
  [369, 'USDC', '0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07', 6],
  [369, 'WETH', '0x02DcdD04e3F455D838cd1249292C58f3B79e3C3C', 18],
  [480, 'USDC', '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1', 6],
  [999, 'USDC', '0xb88339CB7199b77E23DB6E890353E22632Ba630f', 6],
  [1329, 'USDC', '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392', 6],
  [1672, 'USDC', '0xC879C018dB60520F4355C26eD1a6D572cdAC1815', 6],
  [2818, 'USDC', '0xCfb1186F4e93D60E60a8bDd997427D1F33bc372B', 6],
  [4663, 'ETH', native, 18],
  [8453, 'USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6],
  [8453, 'ETH', native, 18],
  [42161, 'USDC', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 6],
  [43114, 'USDC', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 6],
  [57073, 'USDC', '0x2D270e6886d130D724215A266106e6832161EAEd', 6],
  [59144, 'USDC', '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', 6],
  [98866, 'USDC', '0x222365EF19F7947e5484218551B56bb3965Aa7aF', 6]
]

// getAddress throws on a wrong checksum, so a slip of the copying hand is
// caught here.
export const tokens = tokenTable.map(([chainId, symbol, address, decimals]) =>
  ({ address: getAddress(address), symbol, decimals, chainId }))

export const tokenOn = (chain, symbol) => tokens.find(t => t.chainId === chain && t.symbol === symbol)

// The issuer's number of each source chain. It is a table because it follows
// from nothing: domain 10 is chain 130, and chain 10 is domain 2.
export const domain = {
  43114: 1, 10: 2, 42161: 3, 137: 7, 130: 10, 59144: 11, 146: 13, 480: 14, 143: 15,
  1329: 16, 999: 19, 57073: 21, 98866: 22, 2818: 30, 1672: 31, 25: 32
}

export const burnChains = Object.keys(domain).map(Number)

export const messenger = getAddress('0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d')

// Inbound burns are minted, and outbound ones start, on the gateway (D17).
export const gateway = { chain: 8453, domain: 6, finality: 1000 }

// Smallest and largest amount in hundredths of a token (spec 8).
export const limits = symbol => symbol.endsWith('ETH') ? [1n, 2_000n] : [1_000n, 2_500_000n]

// USDT on 1 refuses to change an allowance that is not zero (D15).
export const needsReset = token => token.symbol === 'USDT' && token.chainId === 1

// What the first version lists (spec 9.3).
export const v1Places = [1, 369, 8453, 56, 137, 42161, 69696969, 96969696]
