// Wallets of the browser, found by EIP-6963, and their requests.

import { allowanceCall, balanceCall } from "/page/js/client.js";

/** discover calls back with each wallet that announces itself, once. */
export function discover(found) {
  const seen = new Set();
  addEventListener("eip6963:announceProvider", ({ detail }) => {
    const { info, provider } = detail ?? {};
    if (!info?.uuid || !provider?.request || seen.has(info.uuid)) return;
    seen.add(info.uuid);
    const icon = /^data:image\//.test(info.icon ?? "") ? info.icon : null;
    found({ name: String(info.name), icon, provider });
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
}

/** quantity writes a number for JSON-RPC. */
export const quantity = (n) => `0x${BigInt(n).toString(16)}`;

// chainOf asks which chain a provider is on.
const chainOf = async (provider) => Number(await provider.request({ method: "eth_chainId" }));

/** switchTo asks a provider to switch to a chain, and checks that it did. */
export async function switchTo(provider, chainId) {
  if ((await chainOf(provider)) === chainId) return;
  await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: quantity(chainId) }] });
  const now = await chainOf(provider);
  if (now !== chainId) throw new Error(`The wallet is on chain ${now}, not on ${chainId}.`);
}

/** hasCode reports whether there is a contract at an address. */
export async function hasCode(provider, address) {
  const code = await provider.request({ method: "eth_getCode", params: [address, "latest"] });
  return /^0x[0-9a-f]{2}/i.test(code);
}

async function view(provider, to, data) {
  const answer = await provider.request({ method: "eth_call", params: [{ to, data }, "latest"] });
  if (!/^0x[0-9a-f]{64}$/i.test(answer)) throw new Error(`There is no token at ${to} that answers.`);
  return BigInt(answer);
}

/** balanceOf reads a token's balance; without a token, the native coin's. */
export async function balanceOf(provider, token, owner) {
  if (token) return view(provider, token, balanceCall(owner));
  return BigInt(await provider.request({ method: "eth_getBalance", params: [owner, "latest"] }));
}

export const allowance = (provider, token, owner, spender) => view(provider, token, allowanceCall(owner, spender));

/** transact has a transaction signed and sent, and returns its hash. */
export const transact = (provider, tx) => provider.request({ method: "eth_sendTransaction", params: [tx] });

/** landed waits until a transaction is in a block, and fails if it reverted. */
export async function landed(provider, hash, pause = 1000) {
  for (;;) {
    const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    if (receipt?.status === "0x1") return receipt;
    if (receipt) throw new Error("The transaction was reverted: nothing moved but the gas it cost.");
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** reason is the message of a wallet's error. */
export function reason(error) {
  if (error?.code === 4001) return "Declined in the wallet.";
  if (error?.code === 4902) return "The wallet does not know this chain: add it there first.";
  return String(error?.data?.message ?? error?.message ?? error);
}
