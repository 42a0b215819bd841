// A verified quote as rows: one for each field, and one for each argument of its
// calls, with the bytes it takes.

import { functions, spans } from "/page/js/client.js";
import { tokens } from "./amount.js";

/**
 * groupsOf are {title, about, rows}. A row is {name, shows, about}; one that
 * stands for bytes also has {id, part, start, end}.
 */
export function groupsOf(quote) {
  const row = (name, shows, about) => ({ name, shows: String(shows), about });
  const { to, route, srcToken, destToken, fee, methodParameters: call, approval } = quote;
  const burns = route.type === "CCTP_INBOUND";
  const groups = [
    { title: "Call", about: burns ? functions.burn : functions.pool, rows: [...argumentsOf("calldata", call.calldata), row("value", call.value, call.value === "0x0" ? "no native coin goes with it" : "the amount itself, in the chain’s own coin")] },
    { title: "Contract", about: "Held against the pins this server hands out: that finds drift and tampering on the way, not a dishonest operator. For that, pin reviewed contracts and use a client.", rows: [
      row("to", to, `the one contract pinned for ${srcToken.symbol} here`), row("route.type", route.type, "the kind of this contract"), row("srcToken.chainId", srcToken.chainId, "the network to send on")] },
    { title: "Approval", about: approval ? functions.approve : "", rows: approval ? approvalRows(approval, row) : [row("approval", "none", "the chain’s own coin needs none")] },
    { title: "Tokens and amounts", about: "", rows: [...tokenRows("srcToken", srcToken, row), ...tokenRows("destToken", destToken, row),
      row("srcAmount", quote.srcAmount, `${tokens(quote.srcAmount, srcToken)}, as asked for`), row("destAmount", quote.destAmount, `${tokens(quote.destAmount, destToken)}: what the fees leave`)] },
    { title: "Fees", about: "Each a share of the amount in the destination token, rounded down.", rows: feeRows(fee, destToken, row) },
  ];
  const asked = ["decoded", "calls", "proof"].filter((name) => quote[name]);
  if (asked.length > 0) groups.push({ title: "Asked for besides", about: "", rows: asked.map((name) => row(name, "equal in every field", besides[name])) });
  return groups;
}

// argumentsOf are the rows of one call, which together take all its bytes.
const argumentsOf = (part, call) => spans(call).map(({ name, kind, start, end, text }) =>
  ({ name: names[kind]?.(name) ?? name, part, start, end, shows: shown(kind, text, end - start), about: wordings[kind] ?? abouts[name] ?? "" }));

const names = { selector: () => "function", offset: (name) => `offset of ${name}`, length: (name) => `length of ${name}`, padding: () => "padding" };

const wordings = { selector: "which function is called", offset: "where it begins", length: "in bytes", padding: "zeros to a whole word" };

const abouts = {
  "dstChain": "the destination as asked for", "amount": "in the source token’s smallest units", "recipientType": "0 is an EVM address, 2 an encrypted one",
  "dstToken": "on the destination’s network", "integratorId": "zero when none is named", "recipient": "who is paid, as asked for",
  "destinationDomain": "the issuer’s number of the chain where the burn is minted", "mintRecipient": "the receiver, which reads the hook", "burnToken": "USDC on the source chain",
  "destinationCaller": "the only one who may mint, so that the hook cannot be skipped", "maxFee": "the issuer’s fee at most; the service bears it", "minFinalityThreshold": "fast transfer",
  "spender": "the contract that is called",
  "hookData.dstChain": "the destination as asked for", "hookData.dstToken": "on the destination’s network", "hookData.integratorId": "zero when none is named",
  "hookData.recipientType": "0 is an EVM address", "hookData.recipient": "who is paid, as asked for",
};

// Long bytes are in the hex view, whole.
function shown(kind, text, size) {
  if (/^0x(00)+$/.test(text)) return size === 1 ? "a zero byte" : `${size} zero bytes`;
  return kind === "bytes" && size > 32 ? `${size} bytes, encrypted` : text;
}

const besides = {
  decoded: "the call in words", calls: "for wallet_sendCalls",
  proof: "makes the encrypted recipient again, to the byte, from the address you gave; it is kept nowhere",
};

function approvalRows(approval, row) {
  return [
    row("approval.token", approval.token, "the source token"), row("approval.spender", approval.spender, "the contract that is called"),
    row("approval.amount", approval.amount, "exactly what the swap takes"), ...argumentsOf("approval.calldata", approval.calldata),
    ...(approval.resetCalldata ? argumentsOf("approval.resetCalldata", approval.resetCalldata) : []),
  ];
}

const tokenRows = (name, token, row) => [row(`${name}.address`, token.address, token.symbol), row(`${name}.decimals`, token.decimals, ""), ...(name === "destToken" ? [row("destToken.chainId", token.chainId, "")] : [])];

function feeRows(fee, token, row) {
  const named = fee.integrator.id !== undefined;
  return [
    row("fee.protocol.percentage", fee.protocol.percentage, "as pinned"), row("fee.protocol.amount", fee.protocol.amount, tokens(fee.protocol.amount, token)),
    row("fee.integrator.percentage", fee.integrator.percentage, named ? "" : "no integrator takes part"), row("fee.integrator.amount", fee.integrator.amount, tokens(fee.integrator.amount, token)),
    ...(named ? [row("fee.integrator.id", fee.integrator.id, "as asked for"), row("fee.integrator.address", fee.integrator.address, "where it is paid: the wallet it is named by")] : []),
    row("fee.total.amount", fee.total.amount, tokens(fee.total.amount, token)), row("fee.chainId", fee.chainId, "where the pool that pays out is"), row("fee.token", fee.token, "fees are counted in the destination token"),
  ];
}
