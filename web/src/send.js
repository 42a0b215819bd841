// Sending a quote: the steps, in the order that is safe, each of them checked
// before the next. Starting again is harmless until the swap itself is sent, and
// stopping is possible whenever the wallet has no open request.

import { allowance, balanceOf, hasCode, landed, quantity, reason, switchTo, transact } from "./wallet.js";
import { tokens } from "./amount.js";

/**
 * A Sending performs a quote that holds with one wallet. Its steps are {name,
 * label, state, detail, hash}, where state is "todo", "doing", "done",
 * "skipped" or "failed"; notify() is called on every change, and may() before
 * each transaction: it reports whether this quote may still be sent.
 */
export class Sending {
  hash = null; // of the swap, once it is sent
  busy = false;
  stopped = false;

  constructor({ provider, account, quote, chainName, pause, notify, may }) {
    Object.assign(this, { provider, account, quote, pause, notify, may });
    const { approval, srcToken } = quote;
    const step = (name, label) => ({ name, label, state: "todo", detail: "", hash: null });
    this.steps = [
      step("chain", `Switch to ${chainName}`),
      step("contract", "Find the contract there"),
      step("funds", `Have enough ${srcToken.symbol}`),
      ...(approval?.resetCalldata ? [step("reset", "Set the old allowance to zero")] : []),
      ...(approval ? [step("approve", `Allow the contract to take ${tokens(approval.amount, srcToken)}`)] : []),
      step("swap", "Send the swap"),
    ];
  }

  step(name) {
    return this.steps.find((s) => s.name === name);
  }

  /** run performs the remaining steps. A failure is shown in its step. */
  async run() {
    if (this.busy || this.hash) return;
    this.busy = true;
    this.arm();
    for (const s of this.steps) Object.assign(s, { state: "todo", detail: "", hash: null });
    try {
      await this.prepare();
      await this.allow();
      await this.swap();
    } catch (error) {
      const at = this.steps.find((s) => s.state === "doing") ?? this.steps[0];
      this.set(at.name, "failed", this.consequence(error));
    }
    this.busy = false;
    this.notify();
  }

  consequence(error) {
    if (!this.hash) return `${reason(error)} Nothing was swapped.`;
    return this.stopped ? "Stopped waiting. The swap was sent and may still be carried out: look for its hash before you send another." : reason(error);
  }

  // arm makes a reader that fails once stop() is called. Requests to sign do not use
  // it, because they cannot be taken back.
  arm() {
    this.stopped = false;
    const halt = new Promise((_, reject) => (this.halt = () => reject(new Error("Stopped."))));
    halt.catch(() => {}); // when nothing is read at that moment
    this.reader = { request: (call) => Promise.race([halt, this.provider.request(call)]) };
  }

  /** stop ends the sequence before its next transaction. */
  stop() {
    this.stopped = true;
    this.halt();
    this.notify();
  }

  set(name, state, detail = "") {
    Object.assign(this.step(name), { state, detail });
    this.notify();
  }

  async prepare() {
    const { reader: provider, quote, account } = this;
    this.set("chain", "doing");
    await switchTo(provider, quote.srcToken.chainId);
    this.set("chain", "done");

    // A call to an address without code succeeds and keeps the money.
    this.set("contract", "doing");
    for (const address of [quote.to, quote.approval?.token]) {
      if (address && !(await hasCode(provider, address))) throw new Error(`There is no contract at ${address} on the chain this wallet sees.`);
    }
    this.set("contract", "done");

    this.set("funds", "doing");
    const { srcToken } = quote;
    const balance = await balanceOf(provider, quote.approval?.token, account);
    const units = tokens(balance, srcToken);
    if (balance < BigInt(quote.srcAmount)) throw new Error(`The account has ${units}.`);
    this.set("funds", "done", `The account has ${units}.`);
  }

  async allow() {
    const { approval } = this.quote;
    if (!approval) return;
    const need = BigInt(approval.amount);
    const has = () => allowance(this.reader, approval.token, this.account, approval.spender);
    let now = await has();
    const enough = now >= need;
    if (approval.resetCalldata) {
      if (enough || now === 0n) this.set("reset", "skipped", "There is nothing to reset.");
      else await this.transaction("reset", { to: approval.token, data: approval.resetCalldata });
    }
    if (enough) return this.set("approve", "skipped", "The allowance is large enough.");
    await this.transaction("approve", { to: approval.token, data: approval.calldata });
    now = await has();
    if (now < need) {
      this.set("approve", "doing");
      throw new Error("The allowance is still too small: the wallet may have lowered it.");
    }
  }

  async swap() {
    const { to, methodParameters } = this.quote;
    await switchTo(this.reader, this.quote.srcToken.chainId); // the user may have switched chains
    await this.transaction("swap", { to, data: methodParameters.calldata, value: quantity(methodParameters.value) });
  }

  async transaction(name, tx) {
    this.set(name, "doing", "Waiting for the wallet.");
    if (this.stopped) throw new Error("Stopped.");
    if (!this.may()) throw new Error("Stopped: the form no longer asks for this quote, or it is no longer accepted.");
    const hash = await transact(this.provider, { from: this.account, value: "0x0", ...tx });
    this.step(name).hash = hash;
    if (name === "swap") this.hash = hash;
    this.set(name, "doing", "Waiting for a block.");
    await landed(this.reader, hash, this.pause);
    this.set(name, "done");
  }
}
