// The examples of the repository, filled in with a request.

import castSwap from "../../examples/cast/swap.sh";
import ethersSwap from "../../examples/ethers/swap.mjs";
import goSwap from "../../examples/go/main.go";
import safeSwap from "../../examples/safe/swap.mjs";
import viemSwap from "../../examples/viem/swap.mjs";
import { query } from "./world.js";

const about = "Asks, verifies, approves if needed, sends, and follows to the end.";

/** sending are {name, about, text}: programs that make the swap of a request. */
export function sending(base, { include, ...request }, network) {
  const fields = Object.entries(request).map(([k, v]) => `  ${k}: '${v}',\n`).join("");
  const flags = { "refund-to": request.refundTo, integrator: request.integratorId };
  const more = Object.entries(flags).flatMap(([k, v]) => (v ? [` --${k} ${v}`] : [])).join("");
  const from = `${request.srcToken}@${request.srcChain}`, to = `${request.dstToken}@${request.dstChain}`;
  const fill = (text) => text
    .replace(/http:[^ ]+\/devnet\/(rpc|wallet)\/369/, () => `https://your-own.example`)
    .replace("http://127.0.0.1:8080", () => base)
    .replace(/const request = {[^}]*}/, () => `const request = {\n${fields}}`)
    .replace(/const query = ".*"/, () => `const query = "${query(request)}"`)
    .replace(/--from .* --recipient \w+/, () => `--from ${from} --to ${to} --units ${request.amount} --recipient ${request.recipient}${more}`)
    .replace("CHAIN=369", () => `CHAIN=${network}`);
  const files = { viem: viemSwap, ethers: ethersSwap, "go-ethereum": goSwap, cast: castSwap, Safe: safeSwap };
  return Object.entries(files).map(([name, text]) => ({ name, about, text: fill(text) }));
}
