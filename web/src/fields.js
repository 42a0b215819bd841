// Input, checked before a request by the client's own parsers, so that a field and a
// verdict never differ.

import { findRoute, parseAddress, parseIntegrator, parsePrivate, parseRefundTo, parseUnits, split } from "/page/js/client.js";
import { human } from "./amount.js";
import { availability } from "./liquidity.js";
import { takesRefund } from "./more.js";
import { sameAddress, shields, unshields } from "./world.js";

/** looksPrivate tells a 0zk address from an EVM address by its first letters. */
export const looksPrivate = (text) => /^0zk/i.test(text);

/** faultsOf are the faults of the input: {text} by parameter. */
export function faultsOf({ amount, recipient, refundTo, integratorId }, route) {
  const wrong = {
    amount: route && amount && amountFault(amount, route),
    recipient: route && recipient && recipientFault(recipient, route),
    refundTo: refundTo && refundFault(refundTo, route),
    integratorId: integratorId && integratorFault(integratorId),
  };
  return new Map(Object.entries(wrong).filter(([, text]) => text).map(([param, text]) => [param, { text }]));
}

// amountFault is the fault of an amount, or null.
function amountFault(text, { srcToken, limits }) {
  const units = parseUnits(text, srcToken.decimals);
  if (units === undefined) return `Write digits and at most one point; ${srcToken.symbol} has ${srcToken.decimals} decimals here.`;
  if (units < BigInt(limits.min)) return `The least is ${human(limits.min, srcToken.decimals)} ${srcToken.symbol}.`;
  if (units > BigInt(limits.max)) return `The most is ${human(limits.max, srcToken.decimals)} ${srcToken.symbol} per swap.`;
  return null;
}

// recipientFault is the fault of a recipient, or null.
function recipientFault(text, route) {
  if (shields(route)) return looksPrivate(text) ? faultOf(() => privateRecipient(text, route.destToken.chainId)) : "This swap ends in a privacy pool: it pays a 0zk address.";
  if (looksPrivate(text)) return "This swap pays out in public: it needs an EVM address.";
  return faultOf(() => parseAddress(text, "recipient")) ?? (sameAddress(text, zero) ? "The zero address cannot be paid." : null);
}

const zero = `0x${"0".repeat(40)}`;

// refundFault is the fault of an address for refunds, or null.
const refundFault = (text, route) =>
  faultOf(() => parseRefundTo(text)) ?? (takesRefund(route) ? null : "This swap starts with a burn, which goes back to the account that burns: leave this empty.");

// integratorFault is the fault of an integrator's ID, or null.
const integratorFault = (text) => faultOf(() => parseIntegrator(text));

/** hintOf is the hint of a field without a fault. */
export function hintOf(param, route, { recipient, refundTo }) {
  if (param === "integratorId") return "A registered partner's wallet address. Its fee is added to the quote.";
  if (!route) return "";
  const { limits, srcToken } = route;
  if (param === "amount") return `${human(limits.min, srcToken.decimals)} to ${human(limits.max, srcToken.decimals)} ${srcToken.symbol} per swap`;
  if (param === "srcChain" && unshields(route)) return "Unshielding: the swap starts inside a privacy pool.";
  if (param === "dstChain" && shields(route)) return "Shielding: the swap ends inside a privacy pool.";
  if (param === "dstToken") return availability(route);
  if (param === "refundTo") return refundHint(refundTo, route);
  return param === "recipient" ? recipientHint(recipient, route) : "";
}

function refundHint(text, route) {
  const purpose = unshields(route)
    ? "An address on the privacy pool’s chain that gets the deposit back if the swap cannot be paid; anyone can link it with this swap. Without it, the recipient does."
    : `An address on ${route.srcName} that gets the deposit back if the swap cannot be paid; without it, the sender does.`;
  return text && !checksummed(text) ? `${purpose} ${unchecked}` : purpose;
}

const checksummed = (text) => /[a-f]/.test(text) && /[A-F]/.test(text);
const unchecked = "No checksum in this spelling: check every digit.";

function recipientHint(text, route) {
  if (!text) return shields(route) ? "The 0zk address of the recipient’s privacy wallet" : `An EVM address on ${route.dstName}`;
  if (shields(route)) return "Checksum, keys and network are fine.";
  return checksummed(text) ? "The EIP-55 checksum is fine." : unchecked;
}

/**
 * estimateOf is the received amount by the client's arithmetic, without an
 * integrator, until there is an answer.
 */
export function estimateOf(values, route, pins) {
  const amount = route && parseUnits(values.amount, route.srcToken.decimals);
  if (!amount) return "0";
  return human(split(findRoute(pins, values), amount).destAmount, route.destToken.decimals);
}

/** detailOf is an error of the client's without the field and code in front of it. */
export const detailOf = (error) => error.message.replace(/^\w+: [A-Z0-9_]+: /, "");

/** sentence begins with a capital and ends with a full stop. */
export const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");

function faultOf(read) {
  try {
    read();
    return null;
  } catch (error) {
    return sentence(detailOf(error));
  }
}

let last = { key: null, fault: null }; // the form checks the same address often

function privateRecipient(text, network) {
  const key = `${network} ${text}`;
  if (last.key !== key) {
    last = { key, fault: null };
    try {
      parsePrivate(text, network);
    } catch (error) {
      last.fault = error;
    }
  }
  if (last.fault) throw last.fault;
}
