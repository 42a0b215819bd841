// The lists of the server, and lookups in them.

import { native, parsePins } from "/page/js/client.js";
import { ask, problem } from "./ask.js";
import { compare } from "./routes.js";

const hub = 369;

/**
 * load reads the routes, and the pins that quotes are compared with. A route that
 * differs from the pins is not offered.
 */
export async function load() {
  const [routes, pins] = await Promise.all([ask("/v3/app/routes"), ask("/page/pins.json", parsePins)]);
  const { agreed, others } = compare(Array.isArray(routes.data) ? routes.data : [], pins);
  if (agreed.length === 0) throw problem("The server’s routes and pins are not ones that this page can use. Reload the page.");
  return new World(agreed, pins, others.length);
}

/** renew reads again what the pools can pay, and reports whether that has changed. */
export async function renew(world) {
  const { data } = await ask("/v3/app/routes");
  return (Array.isArray(data) ? data : []).filter((r) => world.update(r)).length > 0;
}

export class World {
  constructor(routes, pins, unoffered = 0) {
    Object.assign(this, { routes, pins, unoffered });
    this.names = new Map();
    for (const r of this.routes) {
      this.names.set(r.srcChain, title(r.srcName)).set(r.dstChain, title(r.dstName));
    }
    this.gateway = this.routes.find((r) => isPublic(r) && r.fee.chainId !== r.destToken.chainId)?.fee.chainId;
  }

  name(place) {
    return this.names.get(place) ?? `Chain ${place}`;
  }

  /** where is the name of a place with a preposition. */
  where(place) {
    const name = this.name(place);
    return this.isPrivate(place) ? `in the ${name[0].toLowerCase()}${name.slice(1)}` : `on ${name}`;
  }

  /** find returns the route a request names, or undefined. */
  find({ srcChain, srcToken, dstChain, dstToken }) {
    return this.routes.find(
      (r) => is(r.srcChain, srcChain) && is(r.dstChain, dstChain) && isToken(r.srcToken, srcToken) && isToken(r.destToken, dstToken),
    );
  }

  /**
   * nearest returns the route that keeps most of the choice: the source, its token,
   * then the other end, which comes second when it was just picked.
   */
  nearest(want, farEndPicked) {
    const rank = (r) =>
      (is(r.srcChain, want.srcChain) ? 32 : 0) + (farEndPicked && is(r.dstChain, want.dstChain) ? 24 : 0) +
      (isToken(r.srcToken, want.srcToken) ? 8 : 0) + (is(r.dstChain, want.dstChain) ? 4 : 0) +
      (isToken(r.destToken, want.dstToken) ? 2 : 0) + (isPublic(r) ? 1 : 0);
    return this.routes.reduce((best, r) => (rank(r) > rank(best) ? r : best));
  }

  /** update takes over what a listed route can pay, and reports whether it was something else. */
  update(listed) {
    const known = this.routes.find((r) => r.srcChain === listed?.srcChain && r.dstChain === listed.dstChain && r.srcToken.symbol === listed.srcToken?.symbol && r.destToken.symbol === listed.destToken?.symbol);
    if (!known) return false;
    const changed = ["available", "paused", "reason"].some((k) => known[k] !== listed[k]);
    for (const k of ["available", "paused", "reason"]) known[k] = listed[k];
    return changed;
  }

  /** reverse returns the route in the other direction, or undefined. */
  reverse(r) {
    return this.find({ srcChain: r.dstChain, srcToken: r.destToken.symbol, dstChain: r.srcChain, dstToken: r.srcToken.symbol });
  }

  /** from returns the routes that start at a place, of one token or of all. */
  from(place, token) {
    return this.routes.filter((r) => is(r.srcChain, place) && (!token || isToken(r.srcToken, token)));
  }

  /** to returns the routes that end at a place, of one token or of all. */
  to(place, token) {
    return this.routes.filter((r) => is(r.dstChain, place) && (!token || isToken(r.destToken, token)));
  }

  /** groups are the places in groups: {label, places}. */
  groups(places) {
    const burns = new Set(this.routes.filter((r) => r.type === "CCTP_INBOUND").map((r) => r.srcChain));
    const sorted = [...new Set(places)].sort((a, b) => this.name(a).localeCompare(this.name(b)));
    const of = (label, test) => ({ label, places: sorted.filter(test) });
    return [
      of("Hub", (p) => p === hub),
      of("Chains with our pools", (p) => p !== hub && !burns.has(p) && !this.isPrivate(p)),
      of("Privacy pools", (p) => this.isPrivate(p)),
      of("Chains through CCTP", (p) => burns.has(p)),
    ].filter((g) => g.places.length > 0);
  }

  /** isPrivate reports whether a place is a privacy pool: its chain ID is another network's. */
  isPrivate(place) {
    const r = this.routes.find((r) => r.srcChain === place || r.dstChain === place);
    return r !== undefined && (r.srcChain === place ? r.srcToken : r.destToken).chainId !== place;
  }

  /** hops are the places a swap passes, and what happens there. */
  hops(r) {
    const payout = { place: r.dstChain, act: "paid out" };
    if (shields(r)) return [{ place: r.srcChain, act: "deposited" }, { place: r.dstChain, act: "shielded" }];
    if (unshields(r)) return [{ place: r.srcChain, act: "unshielded, deposited" }, payout];
    if (r.type === "CCTP_INBOUND") return [{ place: r.srcChain, act: "burned" }, { place: this.gateway, act: "minted" }, payout];
    if (r.fee.chainId !== r.destToken.chainId) return [{ place: r.srcChain, act: "deposited" }, { place: r.fee.chainId, act: "burned" }, { place: r.dstChain, act: "minted" }];
    return [{ place: r.srcChain, act: "deposited" }, payout];
  }
}

// is compares places as they are spelled: 0x171 is not a spelling of 369.
const is = (place, text) => String(place) === String(text);

const title = (name) => name[0].toUpperCase() + name.slice(1);

const zero = `0x${"0".repeat(40)}`;

/** isToken reports whether a symbol or an address names a token. */
export function isToken(token, text) {
  return token.symbol === String(text).toUpperCase() || sameAddress(token.address, text === zero ? native : text);
}

/** sameAddress compares two spellings of an address. */
export const sameAddress = (a, b) => String(a).toLowerCase() === String(b).toLowerCase();

export const shields = (r) => r.recipientType === 2;
export const unshields = (r) => r.srcToken.chainId !== r.srcChain;
const isPublic = (r) => !shields(r) && !unshields(r);

/** direction is the direction of a route in a word. */
export function direction(r) {
  if (shields(r)) return "Shielding";
  if (unshields(r)) return "Unshielding";
  return r.dstChain === hub ? "Inbound" : "Outbound";
}

/** duration is the typical time as text, or null when unknown. */
export function duration(r) {
  const s = r.typicalSeconds;
  if (!s) return null;
  return s < 90 ? `about ${s} s` : `about ${Math.round(s / 60)} min`;
}

/** query writes a request for the quote endpoint and deep links. */
export function query(request) {
  return new URLSearchParams(Object.entries(request).filter(([, v]) => v !== "" && v !== undefined)).toString();
}
