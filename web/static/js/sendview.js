// The send panel: choose a wallet, go through the steps, follow the order.

import { code, copyButton, h, icon, say, short } from "./dom.js";
import { shields, unshields } from "./world.js";
import { native, sameAddress } from "./address.js";
import { Sending } from "./send.js";
import { human } from "./units.js";
import { balanceOf, discover, reason } from "./wallet.js";

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

  // turn follows a user who goes to another account in the wallet.
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

/**
 * SendPanel performs one quote. A report with a failed check is never sent, and
 * neither is a quote that the form has moved away from.
 */
export class SendPanel {
  element = h("div", { class: "send" });
  sending = null;
  trouble = null; // what went wrong outside of the steps, in words
  stale = false;
  order = null;
  balances = null;

  constructor({ wallets, quote, route, report, world, request }) {
    Object.assign(this, { wallets, quote, route, report, world, request });
    this.unwatch = wallets.watch(() => this.draw());
    this.draw();
  }

  /** age says whether the form has moved away from this quote. */
  age(stale) {
    this.stale = stale;
    if (!this.sending) this.draw();
  }

  /** retire stops the panel of a quote that is no longer shown. */
  retire() {
    this.unwatch();
    this.stale = true;
  }

  draw() {
    this.element.replaceChildren(...[this.warning(), this.picker(), this.progress(), this.landing(), this.trouble && h("p", { class: "wrong" }, this.trouble)].filter(Boolean));
  }

  warning() {
    if (!this.report.ok) return h("p", { class: "verdict bad" }, icon("bad"), h("span", {}, "A check failed, so this cannot be sent from here."));
    if (unshields(this.route)) {
      return h("p", { class: "notice veil" }, icon("shield"), h("span", {},
        "This swap starts inside a privacy pool. A privacy wallet runs these calls in one private transaction: take them from Integrate, Calls. Any other wallet would pay with its public balance."));
    }
    return null;
  }

  picker() {
    const { list, chosen } = this.wallets;
    if (!this.report.ok || this.sending) return null;
    if (list.length === 0) {
      return h("p", { class: "notice" }, icon("note"), h("span", {}, "No wallet announced itself to this page. Install one that speaks EIP-6963, or take the calls from Integrate."));
    }
    const button = (w) =>
      h("button", { type: "button", class: "wallet", "aria-pressed": String(chosen?.name === w.name && chosen?.provider === w.provider), onclick: () => this.connect(w) },
        w.icon ? h("img", { src: w.icon, alt: "", width: 24, height: 24 }) : h("span", { class: "blank" }, icon("link")), w.name);
    return h("div", {}, h("h3", {}, "Send from"), h("div", { class: "wallets" }, list.map(button)), this.account());
  }

  account() {
    const { chosen } = this.wallets;
    if (!chosen) return null;
    return h("div", { class: "account" },
      h("p", {}, "Account ", code(chosen.account), " ", copyButton(() => chosen.account)),
      h("button", { type: "button", class: "primary", disabled: this.stale, onclick: () => this.start() }, this.stale ? "The form has changed: get a new quote" : "Send this swap"));
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

  async start() {
    const { provider, account, devnet } = this.wallets.chosen;
    if (this.stale || !this.report.ok || this.sending) return;
    this.devnet = devnet;
    this.trouble = null;
    this.sending = new Sending({
      provider, account, quote: this.quote, chainName: this.world.name(this.quote.srcToken.chainId),
      pause: devnet ? 200 : 1000, notify: () => this.draw(),
    });
    try {
      if (devnet) this.balances = { before: await this.read(account) };
      await this.resume();
    } catch (error) {
      this.trouble = `The devnet does not answer: ${reason(error)}`;
      if (!this.sending.hash) this.sending = null;
      this.draw();
    }
  }

  async resume() {
    await this.sending.run();
    const failed = this.sending.steps.find((s) => s.state === "failed");
    say(failed ? `${failed.label}: ${failed.detail}` : "The swap is sent.");
    if (!failed && this.devnet) await this.follow();
  }

  progress() {
    if (!this.sending) return null;
    const { steps, busy, hash } = this.sending;
    const failed = steps.some((s) => s.state === "failed");
    return h("div", {},
      h("h3", {}, hash && !failed ? "Sent" : "Sending"),
      stepList(steps.map((s) => ({ ...s, title: s.label }))),
      failed && !hash && h("button", { type: "button", class: "primary", disabled: busy, onclick: () => this.resume() }, "Try again"));
  }

  // follow asks for the order until it has landed or failed.
  async follow() {
    for (;;) {
      this.order = await this.devnet.order(this.sending.hash);
      if (this.order.state === "landed") this.balances.after = await this.read(this.sending.account);
      this.draw();
      if (this.order.state !== "pending") break;
      await new Promise((done) => setTimeout(done, 400));
    }
    say(this.order.state === "landed" ? "The order has landed." : "The order failed.");
  }

  // read takes the balances at both ends; a private one shows to its owner only.
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
      received && h("p", {}, "Received ", h("strong", {}, `${human(BigInt(received), destToken.decimals)} ${destToken.symbol}`),
        received === this.quote.destAmount ? ", exactly as quoted." : `; quoted were ${human(BigInt(this.quote.destAmount), destToken.decimals)}.`),
      this.balances?.after && balanceTable(this.balances, srcToken, destToken));
  }
}

const stepList = (steps) =>
  h("ol", { class: "steps" }, steps.map((s) =>
    h("li", { class: s.state }, stepIcon(s.state), h("span", { class: "sr" }, `${s.state}: `),
      h("span", { class: "what" }, h("span", { class: "name" }, s.title), s.detail && h("span", { class: "about" }, s.detail),
        s.hash && h("span", { class: "about" }, code(short(s.hash), { title: s.hash }), " ", copyButton(() => s.hash, "Copy hash"))))));

const stepIcon = (state) => icon({ done: "ok", failed: "bad", skipped: "ok", doing: "wait" }[state] ?? "note");

function balanceTable({ before, after }, srcToken, destToken) {
  const row = (who, token, b, a) => h("tr", {}, h("th", { scope: "row" }, who), ...[b, a].map((n) => h("td", {}, n === null ? "private" : `${human(n, token.decimals)} ${token.symbol}`)));
  return h("table", { class: "balances" },
    h("thead", {}, h("tr", {}, ["Balance", "Before", "After"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, row("Sender", srcToken, before.sender, after.sender), row("Recipient", destToken, before.recipient, after.recipient)));
}
