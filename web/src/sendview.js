// The send panel: choose a wallet, go through the steps, follow the order.

import { native } from "/page/js/client.js";
import { tokens } from "./amount.js";
import { code, h, icon, redraw, say } from "./dom.js";
import { Progress } from "./progress.js";
import { Sending } from "./send.js";
import { stepList } from "./steps.js";
import { closedNote } from "./verdictview.js";
import { balanceOf, reason } from "./wallet.js";
import { sameAddress, shields, unshields } from "./world.js";

/**
 * SendPanel performs one quote. It is closed while the quote has a reason that is not
 * accepted, and when the form has another request. While it is busy, lock(true) has
 * been called and lock(false) has not.
 */
export class SendPanel {
  element = h("div", { class: "send" });
  sending = null;
  trouble = null; // a failure outside of the steps, as text
  busy = false;
  retired = false;
  order = null;
  balances = null;

  constructor({ wallets, quote, route, gate, world, request, lock }) {
    Object.assign(this, { wallets, quote, route, gate, world, request, lock });
    const stops = [wallets, gate].map((w) => w.watch(() => this.draw()));
    this.unwatch = () => stops.forEach((stop) => stop());
    this.draw();
  }

  /** retire stops the panel of a quote that is no longer shown. */
  retire() {
    this.retired = true;
    this.live?.stop();
    this.unwatch();
    this.gate.age(true);
  }

  draw() {
    redraw(this.element, this.warning(), this.picker(), this.progress(), this.live?.element, this.landing(), this.trouble && h("p", { class: "wrong", role: "alert" }, this.trouble));
  }

  warning() {
    if (!this.gate.open) return closedNote(this.gate, "sent");
    if (unshields(this.route)) {
      return h("p", { class: "notice veil" }, icon("shield"), h("span", {},
        "This swap starts inside a privacy pool. A privacy wallet runs these calls in one private transaction: take them from Integrate, Calls. Any other wallet would pay with its public balance."));
    }
    return null;
  }

  picker() {
    const { list, chosen } = this.wallets;
    if (!this.gate.open || this.sending) return null;
    if (list.length === 0) {
      return h("p", { class: "notice" }, icon("note"), h("span", {}, "No wallet announced itself to this page. Install one that speaks EIP-6963, or take the calls from Integrate."));
    }
    const button = (w, i) =>
      h("button", { type: "button", class: "wallet", "data-key": `wallet ${i}`, "aria-pressed": String(chosen?.name === w.name && chosen?.provider === w.provider), onclick: () => this.connect(w) },
        w.icon ? h("img", { src: w.icon, alt: "", width: 24, height: 24 }) : h("span", { class: "blank" }, icon("link")), w.name);
    return h("div", {}, h("h3", { tabindex: -1, "data-fallback": true }, "Send from"), h("div", { class: "wallets" }, list.map(button)), this.account());
  }

  account() {
    const { chosen } = this.wallets;
    if (!chosen) return null;
    return h("div", { class: "account" },
      h("p", {}, "Account ", code(chosen.account)),
      h("button", { type: "button", class: "primary", "data-key": "send", onclick: () => this.start() }, "Send this swap"));
  }

  async connect(wallet) {
    this.trouble = null;
    try {
      await this.wallets.choose(wallet);
    } catch (error) {
      this.trouble = reason(error);
      this.draw();
    }
  }

  start() {
    if (!this.gate.open || this.sending) return this.draw();
    const { provider, account, devnet } = this.wallets.chosen;
    this.devnet = devnet;
    this.sending = new Sending({
      provider, account, quote: this.quote, chainName: this.world.name(this.quote.srcToken.chainId),
      pause: devnet ? 200 : 1000, notify: () => this.draw(), may: () => this.gate.open,
    });
    return this.resume();
  }

  async resume() {
    if (!this.gate.open || this.busy) return this.draw();
    this.trouble = null;
    try {
      await this.perform();
      await this.report();
    } catch (error) {
      this.trouble = `The devnet does not answer: ${reason(error)}`;
      if (!this.sending.hash) this.sending = null;
      this.draw();
    }
  }

  // perform runs the steps while the form is locked, so that the quote that is shown is
  // sent, and no other.
  async perform() {
    this.hold(true);
    try {
      if (this.devnet) this.balances ??= { before: await this.read(this.sending.account) };
      await this.sending.run();
    } finally {
      this.hold(false);
    }
  }

  hold(busy) {
    this.busy = busy;
    this.lock(busy);
    this.draw();
  }

  async report() {
    const failed = this.sending.steps.find((s) => s.state === "failed");
    say(failed ? `${failed.label}: ${failed.detail}` : "The swap is sent.");
    if (failed) return;
    this.watch();
    if (this.devnet) await this.follow();
  }

  // watch shows the way of the swap, where the server has a settler that knows it.
  watch() {
    if (!this.world.settled) return;
    this.live = new Progress(this.world, this.wallets);
    this.live.follow(this.sending.hash, String(this.quote.srcToken.chainId));
    this.draw();
  }

  progress() {
    if (!this.sending) return null;
    const { steps, busy, hash, stopped } = this.sending;
    const failed = steps.some((s) => s.state === "failed");
    return h("div", {},
      h("h3", { tabindex: -1, "data-key": "send", "data-fallback": true }, hash && !failed ? "Sent" : "Sending"),
      stepList(steps.map((s) => ({ ...s, title: s.label }))),
      hash && h("p", {}, h("a", { href: `/?tx=${hash}&srcChain=${this.quote.srcToken.chainId}` }, "Follow this swap")),
      busy && h("button", { type: "button", class: "text", "data-key": "stop", disabled: stopped, onclick: () => this.sending.stop() }, stopped ? "Stopping: decline in the wallet" : "Stop"),
      failed && !hash && this.gate.open && !busy && h("button", { type: "button", class: "primary", onclick: () => this.resume() }, "Try again"));
  }

  // follow polls the order until it has landed or failed.
  async follow() {
    for (;;) {
      this.order = await this.devnet.order(this.sending.hash);
      if (this.order.state === "landed") this.balances.after = await this.read(this.sending.account);
      this.draw();
      if (this.retired) return;
      if (this.order.state !== "pending") break;
      await new Promise((done) => setTimeout(done, 400));
    }
    say(this.order.state === "landed" ? "The order has landed." : "The order failed.");
  }

  // read reads the balances at both ends; only its owner can read a private one.
  async read(account) {
    const { route, request } = this;
    const of = ({ chainId, address }, owner) => balanceOf(this.devnet.on(chainId), sameAddress(address, native) ? null : address, owner);
    return { sender: await of(route.srcToken, account), recipient: shields(route) ? null : await of(route.destToken, request.recipient) };
  }

  landing() {
    if (!this.order) return null;
    const { state, steps, received, detail } = this.order;
    const { destToken, srcToken } = this.route;
    const title = { pending: "On its way", landed: "Landed", failed: "Failed" }[state];
    return h("div", { class: "landing" },
      h("h3", {}, title),
      stepList(steps.map((s) => ({ ...s, title: s.label }))),
      detail && h("p", { class: state === "failed" ? "wrong" : "soft" }, detail),
      received && h("p", {}, "Received ", h("strong", {}, tokens(received, destToken)),
        received === this.quote.destAmount ? ", exactly as quoted." : `; quoted were ${tokens(this.quote.destAmount, destToken)}.`),
      this.balances?.after && balanceTable(this.balances, srcToken, destToken));
  }
}

function balanceTable({ before, after }, srcToken, destToken) {
  const row = (who, token, b, a) => h("tr", {}, h("th", { scope: "row" }, who), ...[b, a].map((n) => h("td", {}, n === null ? "private" : tokens(n, token))));
  return h("table", { class: "balances" },
    h("thead", {}, h("tr", {}, ["Balance", "Before", "After"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, row("Sender", srcToken, before.sender, after.sender), row("Recipient", destToken, before.recipient, after.recipient)));
}
