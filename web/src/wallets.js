// The choice of where to send from.

import { discover } from "./wallet.js";

/**
 * Wallets is the choice of where to send from. It outlives quotes: a wallet
 * that is connected once stays so.
 */
export class Wallets {
  list = [];
  chosen = null; // {name, provider, account, devnet}
  watchers = new Set();

  constructor() {
    discover((w) => {
      this.list.push(w);
      this.tell();
    });
  }

  /** addDevnet offers the accounts of the local chains. */
  addDevnet(devnet) {
    for (const a of devnet.accounts) {
      this.list.push({ name: `Devnet: ${a.name}`, icon: null, provider: devnet.provider(a), devnet });
    }
    this.tell();
  }

  async choose(wallet) {
    const [account] = await wallet.provider.request({ method: "eth_requestAccounts" });
    if (!account) throw new Error("The wallet shares no account.");
    this.chosen = { ...wallet, account };
    wallet.provider.on?.("accountsChanged", ([now]) => this.turn(wallet, now));
    this.tell();
  }

  // turn follows the user to another account of the wallet.
  turn(wallet, account) {
    if (this.chosen?.provider !== wallet.provider) return;
    this.chosen = account ? { ...wallet, account } : null;
    this.tell();
  }

  watch(callback) {
    this.watchers.add(callback);
    return () => this.watchers.delete(callback);
  }

  tell() {
    for (const w of this.watchers) w();
  }
}
