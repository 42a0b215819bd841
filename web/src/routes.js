// The server's lists, compared with the pins: no figure of the form may depend on a
// value that was not compared.

import { findRoute, formatUnits } from "/page/js/client.js";

/** at is a route as a request names it. */
export const at = (r) => ({ srcChain: String(r.srcChain), srcToken: r.srcToken.symbol, dstChain: String(r.dstChain), dstToken: r.destToken.symbol });

/** compare sorts routes into those that the pins agree with, and the others. */
export function compare(routes, pins) {
  const sorted = { agreed: [], others: [] };
  for (const r of routes) (agrees(r, pins) ? sorted.agreed : sorted.others).push(r);
  return sorted;
}

function agrees(r, pins) {
  try {
    const pinned = spell(asListed(findRoute(pins, at(r))));
    return [r.srcChain, r.dstChain].every(Number.isInteger) && r.limits.token === r.srcToken.symbol && r.limits.decimals === r.srcToken.decimals && spell(r) === pinned;
  } catch {
    return false; // the pins have no such pair, or the route is of another shape
  }
}

// asListed is a pinned route as the server lists it.
const asListed = (p) => ({
  srcToken: p.src, destToken: p.dst, type: p.type, router: p.router, recipientType: p.shields ? 2 : 0,
  fee: { chainId: p.feeChain, percentage: Number(formatUnits(p.millionths, 4)) },
  limits: { min: String(p.min), max: String(p.max) },
});

// spell writes all fields of a route that are used and pinned, with their types.
const spell = ({ srcToken, destToken, type, router, recipientType, fee, limits }) =>
  JSON.stringify([token(srcToken), token(destToken), type, router, recipientType, fee.chainId, fee.percentage, limits.min, limits.max]);

const token = ({ symbol, address, decimals, chainId }) => [symbol, address, decimals, chainId];

/** pinnedRouters are the contracts of a list that the pins agree with. */
export const pinnedRouters = (routers, pins) =>
  routers.filter((r) => pins.routers.some((p) => p.from === `${r.symbol}@${r.chainId}` && p.router === r.router && p.type === r.type));
