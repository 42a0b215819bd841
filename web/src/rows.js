// A quote that holds, as rows: one for each field, and one for each argument of
// its calls, with the bytes it takes.

import { functions, spans } from "/page/js/client.js";
import { tokens } from "./amount.js";

/**
 * groupsOf are {title, about, rows}. A row is {name, shows, about}; one that
 * stands for bytes also has {part, start, end}.
 */
export function groupsOf(quote) {
  const fields = (list) => list.map(([path, about]) => ({ name: path, shows: read(quote, path), about })).filter((r) => r.shows !== undefined);
  const { srcToken, approval, methodParameters } = quote;
  return [
    { title: "Call", about: functionOf(quote),
      rows: [...argumentsOf("calldata", methodParameters.calldata), ...fields([["methodParameters.value", valueAbout(methodParameters.value)]])] },
    { title: "Contract", about: sameServer, rows: fields([
      ["to", `the one contract pinned for ${srcToken.symbol} here`], ["route.type", "the kind of this contract"], ["srcToken.chainId", "the network to send on"]]) },
    { title: "Approval", about: approval ? functions.approve : "The chain’s own coin needs none.", rows: [
      ...fields([["approval.token", "the source token"], ["approval.spender", "the contract that is called"], ["approval.amount", "exactly what the swap takes"]]),
      ...argumentsOf("approval.calldata", approval?.calldata), ...argumentsOf("approval.resetCalldata", approval?.resetCalldata)] },
    { title: "Tokens and amounts", about: "", rows: fields(tokenFields(quote)) },
    { title: "Fees", about: "Each a share of the amount in the destination token, rounded down.", rows: fields(feeFields(quote)) },
    { title: "Asked for besides", about: "", rows: Object.keys(besides).filter((name) => quote[name]).map((name) => ({ name, shows: "equal in every field", about: besides[name] })) },
  ].filter((g) => g.rows.length > 0 || g.title === "Approval");
}

function functionOf({ route, methodParameters }) {
  if (route.type === "CCTP_INBOUND") return functions.burn;
  return spans(methodParameters.calldata).some((s) => s.name === "refundTo") ? functions.poolFor : functions.pool;
}

const sameServer = "Held against the pins this server hands out: that finds drift and tampering on the way, not a dishonest operator. Against that, pin reviewed contracts and use a client.";

// read finds a field by its path, as text.
function read(quote, path) {
  const value = path.split(".").reduce((v, key) => v?.[key], quote);
  return value === undefined ? undefined : String(value);
}

const valueAbout = (value) => (value === "0x0" ? "no native coin goes with it" : "the amount itself, in the chain’s own coin");

const tokenFields = ({ srcToken, destToken, srcAmount, destAmount }) => [
  ["srcToken.address", ""], ["srcToken.symbol", ""], ["srcToken.decimals", ""],
  ["destToken.address", ""], ["destToken.symbol", ""], ["destToken.decimals", ""], ["destToken.chainId", ""],
  ["srcAmount", `${tokens(srcAmount, srcToken)}, as asked for`],
  ["destAmount", `${tokens(destAmount, destToken)}: what the fees leave`],
];

const feeFields = ({ fee, destToken }) => [
  ["fee.protocol.percentage", "as pinned"],
  ["fee.protocol.amount", tokens(fee.protocol.amount, destToken)],
  ["fee.integrator.percentage", fee.integrator.id ? "as pinned" : "no integrator takes part"],
  ["fee.integrator.amount", tokens(fee.integrator.amount, destToken)],
  ["fee.integrator.id", "as asked for"],
  ["fee.integrator.address", "where it is paid: the wallet it is named by"],
  ["fee.total.amount", tokens(fee.total.amount, destToken)],
  ["fee.chainId", "where the pool that pays out is"],
  ["fee.token", "fees are counted in the destination token"],
];

const besides = {
  decoded: "the call in words",
  calls: "for wallet_sendCalls",
  proof: "makes the encrypted recipient again, to the byte; it is kept nowhere",
};

// argumentsOf are the rows of one call, which together take all its bytes.
const argumentsOf = (part, call) => (call ? spans(call) : []).map((s) => ({ part, start: s.start, end: s.end, ...wording(s) }));

function wording({ name, kind, start, end, text }) {
  const size = end - start;
  if (kinds[kind]) return { name: kinds[kind][0](name), shows: kind === "padding" ? `${size} zero bytes` : text, about: kinds[kind][1] };
  if (kind === "bytes" && size > 32) return { name, shows: `${size} bytes`, about: "encrypted for the address you gave; the proof makes the same bytes" };
  const zero = /^0x(00){32}$/.test(text);
  return { name, shows: zero ? `${size} zero bytes` : text, about: zero ? "none is named" : (abouts[name.replace("hookData.", "")] ?? "") };
}

const kinds = {
  selector: [() => "function", "which function is called"],
  offset: [(name) => `offset of ${name}`, "where it begins"],
  length: [(name) => `length of ${name}`, "in bytes"],
  padding: [() => "padding", "zeros to a whole word"],
};

const abouts = {
  dstChain: "the destination as asked for",
  amount: "in the source token’s smallest units",
  recipientType: "0 is an EVM address, 2 an encrypted one",
  dstToken: "on the destination’s network",
  integratorId: "as asked for",
  recipient: "who is paid, as asked for",
  refundTo: "who gets the deposit back if the swap cannot be paid, as asked for",
  destinationDomain: "the issuer’s number of the chain where the burn is minted",
  mintRecipient: "the receiver, which reads the hook",
  burnToken: "USDC on the source chain",
  destinationCaller: "the only one who may mint, so that the hook cannot be skipped",
  maxFee: "the issuer’s fee at most; the service bears it",
  minFinalityThreshold: "fast transfer",
  spender: "the contract that is called",
};
