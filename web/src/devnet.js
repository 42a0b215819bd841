// The local chains, when the server runs some: test accounts to send from, and
// the progress of an order. web/README.md describes what is served.

/**
 * connect returns a Devnet if the health check lists one, or null. Other servers
 * have nothing below /devnet/, so they are not asked.
 */
export async function connect(health) {
  if (!health.checks.some((c) => c.name === "devnet" && c.status === "ok")) return null;
  return new Devnet(await get("/devnet/config.json"));
}

async function get(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The devnet answered ${response.status}.`);
  return response.json();
}

export class Devnet {
  constructor(config) {
    this.accounts = config.accounts;
    this.private = config.private ?? null;
  }

  /** provider speaks EIP-1193 for one account, whose key the local nodes hold. */
  provider(account) {
    let chain = 1;
    const own = {
      eth_requestAccounts: () => [account.address],
      eth_chainId: () => `0x${chain.toString(16)}`,
      wallet_switchEthereumChain: ([{ chainId }]) => void (chain = Number(chainId)),
    };
    return { request: async ({ method, params = [] }) => (own[method] ? own[method](params) : rpc(chain, method, params)) };
  }

  /** on reads one chain, whatever a wallet is on. */
  on(chain) {
    return { request: ({ method, params = [] }) => rpc(chain, method, params) };
  }

  /** order is the progress of the order that a transaction opened. */
  order(hash) {
    return get(`/devnet/orders/${hash}`);
  }
}

let id = 0;

async function rpc(chain, method, params) {
  const response = await fetch(`/devnet/rpc/${chain}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
  });
  const answer = await response.json();
  if (answer.error) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  return answer.result;
}
