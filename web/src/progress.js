// The way of a swap: its legs as they come, and the call that moves it on. What is
// shown is what the server says; the order's ID and the call are derived again here.

import { Contradiction, Invalid, isOver, parseHash, printable, prove, Refusal, Unreadable, waitFor } from "/page/js/client.js";
import { tokens } from "./amount.js";
import { code, copyButton, h, icon, redraw, say, short } from "./dom.js";
import { stepList } from "./steps.js";
import { reason, switchTo, transact } from "./wallet.js";

const titles = {
  unknown: "Not found", confirming: "Waiting for the deposit to be final", attesting: "Waiting for the issuer’s signature", paying: "The payment is due",
  paid: "Paid, and not final yet", delivering: "Being minted at the destination", claimable: "There is a claim to take", refunding: "The deposit is on its way back",
  done: "Done", refunded: "Refunded",
};

/** titleOf is the status in words. A burn that is signed waits for another thing than one that is not. */
const titleOf = ({ status, legs: [first] }) => (status === "attesting" && first?.final ? "Signed, and becoming an order" : titles[status]);

const legs = {
  burn: "Burned", deposit: "Deposited", payment: "Paid", mint: "Minted", claim: "Claimed", cancel: "Cancelled", refund: "Refunded", reclaim: "Taken back", return: "Minted back",
};

const calls = { claim: "Send the money to its owner", reclaim: "Take the deposit back", relay: "Open the order with the issuer’s signature", mint: "Mint with the issuer’s signature" };

const reasons = {
  not_found: "No chain that is read has this transaction. A new one takes a few seconds to be seen.", pending: "The transaction is not read in a block yet.", reverted: "The transaction failed: nothing was swapped.",
  no_order: "The transaction opened no order.", reorganised: "Its block was replaced; the deposit is looked for again.", finality: "A block is not final yet.", liquidity: "The paying pool has too little at the moment.",
  paused: "The paying pool is paused.", closed: "The paying pool takes no more orders from this source.", cap: "The paying pool has paid as much as it may at once.", backlog: "The source has too many payments that are not accounted for yet.",
  chain: "A chain cannot be read at the moment.", fee: "Gas costs too much at the moment.", budget: "Gas costs more than this swap pays for; it is tried again tomorrow.", recipient: "The recipient’s account did not take the payment; it is tried again alone.", refused: "The paying pool refused the payment; an operator looks at it.",
  operator: "An operator of the service holds this payment back.", unpayable: "No pool can pay this order: the deposit goes back.", inconsistent: "What the chains say does not fit together; an operator looks at it.", issuer: "The issuer has not signed yet.", undelivered: "Signed, and not minted yet.", in_flight: "A transaction of the settler is under way.", purse: "The settler has no coins for gas there at the moment.", unclaimed: "The money is there for its owner.", deadline: "Too late to pay: the deposit goes back.",
};

/** Progress is the view of one transaction, wherever its element is shown. */
export class Progress {
  notes = h("div");
  result = h("div", { "aria-live": "polite" });
  element = h("div", { class: "progress" }, this.notes, this.result);
  leaving = new AbortController();

  constructor(world, wallets) {
    Object.assign(this, { world, wallets });
  }

  /** stop asks no more. */
  stop() {
    this.leaving.abort();
  }

  /** follow shows a transaction until its orders are at their end. */
  async follow(hash, srcChain) {
    const { signal } = this.leaving;
    this.explorers = await fetch("/page/explorers.json").then((r) => r.json()).catch(() => ({}));
    try {
      const tx = parseHash(hash);
      const onRetry = (error, seconds) => this.note(`${trouble(error)} The page asks again in ${seconds} s.`);
      await waitFor(location.origin, tx, { ...(srcChain && { srcChain }), until: (t) => this.news(tx, t), onRetry, signal });
    } catch (error) {
      if (!signal.aborted) this.note(trouble(error));
    }
  }

  // note says what is wrong with asking. What is known of the swap stays below it.
  note(text) {
    redraw(this.notes, text && h("p", { class: "wrong", role: "alert" }, text));
  }

  // news draws an answer, and reports whether it is the last one.
  news(tx, t) {
    this.note(null);
    const said = JSON.stringify([t.orders, t.reason, t.stale, t.omitted]);
    if (said !== this.said) this.draw(tx, t); // an answer without news takes no focus and no message away
    this.said = said;
    return isOver(t);
  }

  async draw(tx, t) {
    const orders = t.orders.length ? t.orders : [{ status: "unknown", reason: t.reason, legs: [] }];
    const cards = await Promise.all(orders.map((s) => this.card(tx, s, t.stale)));
    const more = t.omitted && h("p", { class: "soft" }, `The transaction has ${t.omitted} more orders, which are not listed.`);
    redraw(this.result, ...cards, more || null);
    say(orders.map(titleOf).join(", "));
  }

  async card(tx, s, stale) {
    let lie = null;
    const checked = await prove(tx, s, this.world.pins, {}).then((r) => r.status, (e) => void (lie = e));
    const text = lie instanceof Contradiction ? lie.message : "The server’s answer is not one that this page can read.";
    if (lie) return h("div", { class: "card" }, h("p", { class: "wrong", role: "alert" }, icon("bad"), printable(text)));
    const bad = s.status === "refunding" || s.status === "refunded" || s.status === "claimable" || s.status === "unknown";
    return h("div", { class: "card", "data-status": s.status },
      h("h2", {}, h("span", { class: `status ${s.status === "done" ? "ok" : "note"}` }, titleOf(s))),
      this.what(s),
      s.reason && h("p", { class: bad ? "" : "soft" }, reasons[s.reason] ?? `It waits: ${printable(s.reason)}.`),
      s.delayed && h("p", { class: "soft" }, "This takes longer than usual."),
      stale && h("p", { class: "soft" }, "The settler does not answer; this was its last word."),
      s.eta && h("p", { class: "soft" }, `Usually done at ${clock(s.eta)}.`),
      stepList([...s.legs.map((l) => this.leg(l)), ...next(s)]),
      s.status === "refunded" && s.order && !/^0x0+$/.test(s.order.refundTo) && h("p", {}, "The deposit went to ", code(s.order.refundTo), "."),
      this.action(checked));
  }

  // what says which swap it is, if the order is one of the pinned routes.
  what({ order: o, amounts }) {
    const is = (r) => r.srcChain === Number(o.srcPlace) && r.dstChain === Number(o.dstPlace) && (r.type === "CCTP_INBOUND" || r.router.toLowerCase() === o.srcPool.toLowerCase());
    const r = o && this.world.routes.find(is);
    if (!r) return null;
    const recipient = o.recipientType === 2 ? "a private address" : code(short(o.recipient), { title: o.recipient });
    return h("p", {}, `${tokens(amounts.deposited, r.srcToken)} ${this.world.where(r.srcChain)} to ${r.destToken.symbol} ${this.world.where(r.dstChain)}, for `, recipient);
  }

  leg(l) {
    const url = this.explorer(l.chainId);
    return {
      title: `${legs[l.kind] ?? printable(String(l.kind))} ${this.world.where(l.chainId)}`, state: l.final ? "done" : "doing", hash: l.txHash,
      detail: [l.time && clock(l.time), l.final ? "final" : "not final yet"].filter(Boolean).join(", "),
      more: url && h("a", { href: `${url}/tx/${l.txHash}`, target: "_blank", rel: "noopener noreferrer" }, "Explorer"),
    };
  }

  explorer(chain) {
    const url = this.explorers[chain];
    return typeof url === "string" && url.startsWith("https://") ? url : null;
  }

  // action offers the call when it may be sent now. Only calls that were derived here
  // are offered.
  action(s) {
    const a = s.action;
    const label = a && calls[a.kind];
    if (!label) return null;
    if (a.after && Date.parse(a.after) > Date.now()) return s.delayed ? h("p", { class: "soft" }, `From ${new Date(a.after).toLocaleString()} on, anyone can take the deposit back for its owner.`) : null;
    const note = h("p", { class: "hint", role: "status" });
    const button = h("button", { type: "button", class: "primary", onclick: () => this.send(a, note) }, label);
    return h("div", { class: "action" }, button, note, h("p", { class: "soft" }, `Anyone can send this call on ${this.world.name(a.chainId)}: `, copyButton(() => JSON.stringify({ to: a.to, data: a.data }), "Copy the call")));
  }

  async send(a, note) {
    try {
      if (!this.wallets.chosen) {
        const [first] = this.wallets.list;
        if (!first) throw new Error("No wallet announced itself to this page. Copy the call instead.");
        await this.wallets.choose(first);
      }
      const { provider, account } = this.wallets.chosen;
      await switchTo(provider, a.chainId);
      const hash = await transact(provider, { from: account, to: a.to, data: a.data });
      note.textContent = `Sent: ${hash}`;
    } catch (error) {
      note.textContent = reason(error);
    }
  }
}

// next is the leg that is waited for.
function next({ status }) {
  const title = { confirming: "Pay the recipient", attesting: "Open the order", paying: "Pay the recipient", paid: "Wait until the payment is final", delivering: "Mint at the destination", refunding: "Return the deposit" }[status];
  return title ? [{ title, state: "todo", detail: "" }] : [];
}

// trouble says in words why there is no answer, and what that means for the swap.
function trouble(error) {
  if (error instanceof Invalid) return "This is not the hash of a transaction: 0x and 64 digits.";
  if (error instanceof Unreadable) return "The server’s answer is not one that this page can read.";
  if (!(error instanceof Refusal)) return "The server cannot be reached.";
  if (error.code !== "STATUS_UNAVAILABLE") return printable(error.faults[0].detail);
  return "This server cannot say where swaps are: it has no settler to ask, or the settler does not answer. The swap does not depend on that; the explorers of its chains show its transactions.";
}

const clock = (time) => new Date(time).toLocaleString();
