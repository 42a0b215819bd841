// The quote console: the request, checked while it is typed.

import { formatUnits, parseUnits } from "/page/js/client.js";
import { h } from "./dom.js";
import { estimateOf, faultsOf, hintOf, looksPrivate, sentence } from "./fields.js";
import { isOff } from "./liquidity.js";
import { offerRefund, optional, unfold } from "./more.js";
import { fillOptions, fillPlaces } from "./pickers.js";
import { shields, unshields } from "./world.js";

const typed = ["amount", "recipient", ...optional];
const pair = ["srcChain", "srcToken", "dstChain", "dstToken"];
const params = [...pair, ...typed];
const $ = (id) => document.getElementById(id);

/**
 * A Console is the form. It calls changed() whenever the request changes, and
 * submitted() when the user presses the button.
 */
export class Console {
  fields = Object.fromEntries(params.map((p) => [p, $(p)]));
  served = new Map(); // the server's faults, by parameter; removed when it is changed
  recipients = { public: "", private: "" };
  given = {}; // values in which a link differs from the form's spelling: sent as they are, until they are changed
  locked = false;
  include = null; // the include of a link, until the next change

  constructor(world, { changed, submitted }) {
    this.world = world;
    this.changed = changed;
    const f = this.fields;
    for (const p of pair) f[p].addEventListener("change", () => this.pick({ [p]: f[p].value }));
    for (const p of typed) f[p].addEventListener("input", () => this.edited(p));
    $("flip").addEventListener("click", () => this.flip());
    $("least").addEventListener("click", () => this.setAmount(this.route.limits.min));
    $("most").addEventListener("click", () => this.setAmount(this.route.limits.max));
    $("console").addEventListener("submit", (event) => {
      event.preventDefault();
      submitted();
    });
  }

  get route() {
    return this.world.find(this.values());
  }

  values() {
    return Object.fromEntries(params.map((p) => [p, typed.includes(p) ? this.fields[p].value.replace(/\s+/g, "") : this.fields[p].value]));
  }

  /** lock keeps people from changing the form while a swap is sent. */
  lock(locked) {
    $("entry").disabled = this.locked = locked;
    $("ask-hint").textContent = locked ? "A swap is being sent: the form is locked until that has ended, or you stop it." : "";
  }

  /** fill sets the form from a deep link, in which the amount is in smallest units. */
  fill(link) {
    if (this.locked) return;
    const at = Object.fromEntries(pair.map((p) => [p, link.get(p)]));
    this.show(this.world.find(at) ?? { ...at, odd: true });
    const amount = link.get("amount") ?? "";
    const decimals = this.route?.srcToken.decimals;
    const plain = decimals !== undefined && /^(0|[1-9]\d*)$/.test(amount);
    this.fields.amount.value = plain ? formatUnits(BigInt(amount), decimals) : amount;
    this.setRecipient(link.get("recipient") ?? "");
    for (const p of optional) this.fields[p].value = link.get(p) ?? "";
    this.include = link.get("include");
    this.given = Object.fromEntries(typed.map((p) => [p, link.get(p) ?? ""]).filter(([p, text]) => (p === "amount" ? !plain : /\s/.test(text))));
    unfold(optional.filter((p) => link.get(p)));
    offerRefund(this.route);
    queueMicrotask(() => this.refresh()); // checking a private recipient takes a while: the request is sent meanwhile
  }

  /** choose sets the route and leaves the rest as it is. */
  choose(route) {
    if (this.locked) return;
    this.show(route);
    offerRefund(route);
    this.served.clear();
    this.given = {};
    this.include = null;
    this.refresh();
    this.changed();
  }

  /** renew shows the same choice after what the pools can pay has changed. */
  renew() {
    if (this.route) this.show(this.route);
    this.refresh();
  }

  // pick keeps as much of the choice as the routes allow: first the field that was
  // just picked, then its token, then the other end.
  pick(change) {
    this.choose(this.world.nearest({ ...this.values(), ...change }, "dstChain" in change));
  }

  flip() {
    const back = this.route && this.world.reverse(this.route);
    if (back) this.choose(back);
  }

  setAmount(units) {
    this.fields.amount.value = formatUnits(BigInt(units), this.route.srcToken.decimals);
    this.edited("amount");
  }

  setRecipient(text) {
    this.fields.recipient.value = text;
    this.recipients[looksPrivate(text) ? "private" : "public"] = text;
  }

  edited(param) {
    this.served.delete(param);
    this.include = null;
    delete this.given[param];
    if (param === "recipient") this.setRecipient(this.fields.recipient.value);
    this.refresh();
    this.changed();
  }

  /**
   * show fills the pickers for a route. An odd one is from a link and not served: it
   * is shown as given, beside all served ones.
   */
  show(route) {
    const { world, fields: f } = this;
    const [srcToken, dstToken] = route.odd ? [route.srcToken, route.dstToken] : [route.srcToken.symbol, route.destToken.symbol];
    const reach = route.odd ? world.routes : world.from(route.srcChain, srcToken);
    const symbols = (list, token) => [...new Set(list.map((r) => r[token].symbol))];
    fillPlaces(f.srcChain, world, world.routes.map((r) => r.srcChain), route.srcChain);
    fillOptions(f.srcToken, symbols(world.from(route.srcChain), "srcToken"), srcToken);
    const off = (place) => reach.filter((r) => r.dstChain === place).every(isOff);
    fillPlaces(f.dstChain, world, reach.map((r) => r.dstChain), route.dstChain, off);
    fillOptions(f.dstToken, symbols(reach.filter((r) => String(r.dstChain) === String(route.dstChain)), "destToken"), dstToken);
    this.swapRecipient();
  }

  // swapRecipient keeps one recipient for public and one for private routes, so that
  // reversing a swap does not lose an address.
  swapRecipient() {
    const route = this.route;
    if (!route) return;
    const kind = shields(route) ? "private" : "public";
    const f = this.fields.recipient;
    if (looksPrivate(f.value) !== (kind === "private")) f.value = this.recipients[kind];
    f.placeholder = kind === "private" ? "0zk1…" : "0x…";
  }

  /** local has the faults that the page itself finds, by parameter. */
  local() {
    return faultsOf(this.values(), this.route);
  }

  /**
   * request is the request to send, or null while a field is missing or wrong. With
   * force it is sent, and the server reports the faults.
   */
  request(force) {
    const route = this.route;
    const { amount, recipient, refundTo, integratorId, ...at } = this.values();
    if (!force && (!route || !amount || !recipient || this.local().size > 0)) return null;
    const units = route ? parseUnits(amount, route.srcToken.decimals) : undefined;
    const request = { ...at, amount: String(units ?? amount), recipient };
    for (const [p, text] of Object.entries({ refundTo, integratorId })) if (text) request[p] = text;
    Object.assign(request, this.given);
    return request;
  }

  /** blame shows the server's faults at their fields, and returns those without a field. */
  blame(faults) {
    this.served.clear();
    const rest = [];
    for (const f of faults) {
      const param = f.param === "recipientType" ? "recipient" : f.param;
      if (params.includes(param)) this.served.set(param, { text: sentence(f.detail), code: f.code });
      else rest.push(f);
    }
    this.refresh();
    const first = params.find((p) => this.served.has(p));
    unfold([...this.served.keys()]);
    if (first) this.fields[first].focus({ preventScroll: true });
    return rest;
  }

  /** missing marks the fields that the button cannot do without. */
  missing() {
    for (const p of ["amount", "recipient"]) {
      if (!this.fields[p].value.trim()) this.served.set(p, { text: p === "amount" ? "How much?" : "Who is paid?" });
    }
    this.refresh();
    const first = params.find((p) => this.fields[p].getAttribute("aria-invalid") === "true");
    if (first) this.fields[first].focus();
  }

  refresh() {
    const wrong = this.local();
    for (const [p, e] of this.served) wrong.set(p, e);
    for (const p of params) this.mark(p, wrong.get(p));
    const route = this.route;
    $("flip").disabled = !route || !this.world.reverse(route);
    $("flip-hint").textContent = route && $("flip").disabled ? `${route.srcToken.symbol} only goes this way` : "";
    $("least").disabled = $("most").disabled = !route;
    document.body.dataset.veil = String(Boolean(route && (shields(route) || unshields(route))));
    $("estimate").textContent = estimateOf(this.values(), route, this.world.pins);
  }

  mark(param, fault) {
    const hint = $(`${param}-hint`);
    this.fields[param].setAttribute("aria-invalid", String(Boolean(fault)));
    hint.classList.toggle("wrong", Boolean(fault));
    hint.replaceChildren(...(fault ? [fault.text, " ", fault.code ? h("a", { class: "why", href: `/errors#${anchor(fault.code)}` }, fault.code) : ""] : [hintOf(param, this.route, this.values())]));
  }
}

const anchor = (name) => name.toLowerCase().replaceAll("_", "-");
