// The first content of the page. Examples pay well-known test keys: they are to be
// read, not sent.

import { at } from "./routes.js";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const zk = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990";

/** examples are a label and a request each. */
export const examples = [
  ["Stablecoin to the hub", { srcChain: 1, srcToken: "USDC", dstChain: 369, dstToken: "USDC", amount: "1000000000", recipient: alice }],
  ["Burn through CCTP", { srcChain: 42161, srcToken: "USDC", dstChain: 369, dstToken: "USDC", amount: "2500000000", recipient: alice }],
  ["Native ETH", { srcChain: 8453, srcToken: "ETH", dstChain: 369, dstToken: "WETH", amount: "1500000000000000000", recipient: alice }],
  ["Shield into a privacy pool", { srcChain: 1, srcToken: "USDT", dstChain: 69696969, dstToken: "USDC", amount: "500000000", recipient: zk }],
  ["Unshield to a public chain", { srcChain: 69696969, srcToken: "USDC", dstChain: 8453, dstToken: "USDC", amount: "750000000", recipient: alice }],
];

/** opening is the form's first content: a hundred times the least a route takes. */
export const opening = (r, recipient) =>
  new URLSearchParams({ ...at(r), amount: BigInt(r.limits.min) * 100n, recipient });
