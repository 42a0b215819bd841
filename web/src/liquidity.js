// What the pools can pay now, as the server says. Nothing of it is pinned, so it
// only advises: the server refuses what cannot be paid, and so do the contracts.

import { tokens } from "./amount.js";

const reasons = {
  POOL_PAUSED: "a pool is paused",
  POOL_SHORT: "the pool that pays is empty",
  POOL_CAPPED: "the pool that pays has reached its limit for today",
  POOL_UNKNOWN: "the state of its pools is not known",
  ROUTE_CLOSED: "it is closed on chain",
  ISSUER_FEE_UNAVAILABLE: "the issuer asks more for a burn than the service bears",
  DEPLOYMENT_DIFFERS: "a contract is not as it should be",
};

/** isOff tells whether no amount of a route can be paid now. */
export const isOff = (r) => r?.paused === true || r?.available === "0";

/** availability says what a route can pay now; empty when that is nothing to mention. */
export function availability(r) {
  if (isOff(r)) return `Not available now: ${reasons[r.reason] ?? "its pools cannot pay"}.`;
  if (typeof r?.available !== "string" || !/^(0|[1-9]\d{0,77})$/.test(r.available)) return "";
  return `Up to ${tokens(r.available, r.destToken)} can be paid now.`;
}
