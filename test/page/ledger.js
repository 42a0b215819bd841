// Chains small enough to reason about: balances, allowances and receipts, asked
// in JSON-RPC. They play the wallet's node, and the devnet's.

import { createHash } from "node:crypto";

const native = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const key = (...parts) => parts.join(":").toLowerCase();
const word = (n) => `0x${BigInt(n).toString(16).padStart(64, "0")}`;
const address = (data, i) => `0x${data.slice(10 + 64 * i + 24, 10 + 64 * (i + 1))}`;

export class Ledger {
  balances = new Map();
  allowances = new Map();
  sent = []; // {chain, to, data, value, kind}
  empty = new Set(); // addresses without code
  declines = 0; // how many transactions the user will decline
  waits = new Map(); // by method, what the wallet waits for before it answers
  tether = new Set(); // tokens that refuse to change an allowance that is not zero

  fund(chain, token, owner, amount) {
    this.balances.set(key(chain, token, owner), BigInt(amount));
  }

  balance(chain, token, owner) {
    return this.balances.get(key(chain, token, owner)) ?? 0n;
  }

  approve(chain, token, owner, spender, amount) {
    this.allowances.set(key(chain, token, owner, spender), BigInt(amount));
  }

  allowance(chain, token, owner, spender) {
    return this.allowances.get(key(chain, token, owner, spender)) ?? 0n;
  }

  /** answer is one JSON-RPC call on one chain. */
  answer(chain, method, params) {
    switch (method) {
      case "eth_getCode":
        return this.empty.has(params[0].toLowerCase()) ? "0x" : "0x6001";
      case "eth_getBalance":
        return `0x${this.balance(chain, native, params[0]).toString(16)}`;
      case "eth_call":
        return this.call(chain, params[0]);
      case "eth_sendTransaction":
        return this.transact(chain, params[0]);
      case "eth_getTransactionReceipt":
        return { status: this.sent.find((t) => t.hash === params[0]).status };
      default:
        throw Object.assign(new Error(`${method} is not known here`), { code: -32601 });
    }
  }

  call(chain, { to, data }) {
    const selector = data.slice(0, 10);
    if (selector === "0x70a08231") return word(this.balance(chain, to, address(data, 0)));
    if (selector === "0xdd62ed3e") return word(this.allowance(chain, to, address(data, 0), address(data, 1)));
    return "0x";
  }

  transact(chain, { from, to, data, value }) {
    if (this.declines-- > 0) throw Object.assign(new Error("User rejected the request."), { code: 4001 });
    this.declines = 0;
    const kind = data.startsWith("0x095ea7b3") ? "approve" : "swap";
    const amount = kind === "approve" ? BigInt(`0x${data.slice(74)}`) : null;
    const refused = kind === "approve" && this.tether.has(to.toLowerCase()) && amount > 0n && this.allowance(chain, to, from, address(data, 0)) > 0n;
    if (kind === "approve" && !refused) this.approve(chain, to, from, address(data, 0), amount);
    const hash = `0x${createHash("sha256").update(`${chain} ${this.sent.length}`).digest("hex")}`;
    this.sent.push({ chain, from, to, data, value, kind, amount, hash, status: refused ? "0x0" : "0x1" });
    return hash;
  }
}

/** wallet makes a page's browser announce a wallet whose node is the ledger. */
export async function wallet(page, ledger, account, { chain = 369, name = "Test wallet" } = {}) {
  let at = chain;
  await page.exposeFunction("askLedger", async (method, params) => {
    await ledger.waits.get(method);
    if (method === "eth_requestAccounts") return { result: [account] };
    if (method === "eth_chainId") return { result: `0x${at.toString(16)}` };
    if (method === "wallet_switchEthereumChain") return { result: void (at = Number(params[0].chainId)) };
    try {
      return { result: ledger.answer(at, method, params) };
    } catch (error) {
      return { error: { code: error.code, message: error.message } };
    }
  });
  await page.addInitScript((name) => {
    const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
    const provider = {
      async request({ method, params = [] }) {
        const { result, error } = await window.askLedger(method, params);
        if (error) throw error;
        return result ?? null;
      },
    };
    const detail = Object.freeze({ info: { uuid: "6d1a1c1e", name, icon, rdns: "test.wallet" }, provider });
    const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, name);
}

/**
 * devnet serves /devnet/ as README.md describes it. An order takes two looks to
 * move, and pays what land() says.
 */
export async function devnet(page, ledger, { accounts, zk, land, steps }) {
  const looks = new Map();
  await page.route("**/devnet/**", async (route) => {
    const path = new URL(route.request().url()).pathname;
    const [, , what, id] = path.split("/");
    if (what === "config.json") return route.fulfill({ json: { accounts, private: zk } });
    if (what === "orders") {
      const seen = (looks.get(id) ?? -1) + 1;
      looks.set(id, seen);
      const done = Math.min(seen, steps.length);
      if (done === steps.length) land();
      return route.fulfill({
        json: {
          state: done === steps.length ? "landed" : "pending",
          steps: steps.map((s, i) => ({ ...s, state: i < done ? "done" : i === done ? "doing" : "todo", hash: i < done ? s.hash : undefined })),
          received: done === steps.length ? steps.received : undefined,
        },
      });
    }
    const { id: call, method, params } = route.request().postDataJSON();
    return route.fulfill({ json: { jsonrpc: "2.0", id: call, result: ledger.answer(Number(id), method, params) } });
  });
}
