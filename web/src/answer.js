// The answer on the page, drawn for each verdict, and marked when it is stale.

import { printable } from "/page/js/client.js";
import { human, tokens } from "./amount.js";
import { h, say, tabs } from "./dom.js";
import { summary } from "./result.js";
import { SendPanel } from "./sendview.js";
import { integratePanel } from "./snippets.js";
import { Gate, headline, unknown } from "./verdict.js";
import { refusalCard, verdictLine } from "./verdictview.js";
import { verifyPanel } from "./verifyview.js";

const $ = (id) => document.getElementById(id);

/** Answer is the part beside the form: one answer at a time, or none. */
export class Answer {
  shown = null; // the spelling of the request whose answer is shown
  sendPanel = null; // of the answer that is shown, if it can be sent

  /** lock(busy) is called when a swap begins to be sent, and when that has ended. */
  constructor(world, wallets, lock) {
    Object.assign(this, { world, wallets, lock });
  }

  /** busy reports whether the answer is being sent: it must stay in view. */
  get busy() {
    return this.sendPanel?.busy ?? false;
  }

  /** draw shows a verdict in place of the one before. */
  draw(verdict, { request, route, spelling }) {
    if (this.busy) return;
    this.sendPanel?.retire();
    this.sendPanel = null;
    this.shown = spelling;
    if (verdict.verdict === "refused") this.refuse(verdict);
    else this.hold(verdict, request, route);
    $("result").classList.remove("stale");
    performance.mark("drawn");
  }

  // refuse shows only the fault of a refused answer.
  refuse(verdict) {
    $("result").replaceChildren(refusalCard(verdict));
    say(`Refused. ${printable(verdict.field)} ${headline(verdict)}`);
    if (!typing()) {
      $("fault").focus({ preventScroll: true });
      $("fault").scrollIntoView({ block: "center" });
    }
  }

  // hold shows an answer that is proved or unproven. The proof of a private recipient
  // is no longer needed, and is not kept.
  hold({ verdict, reasons, quote: { proof, ...quote } }, request, route) {
    const judged = { verdict, reasons };
    const gate = new Gate(judged);
    this.sendPanel = new SendPanel({ wallets: this.wallets, quote, route, gate, world: this.world, request, lock: this.lock });
    const panels = tabs("Answer", [
      { name: "verify", label: "Verify", panel: verifyPanel({ ...quote, proof: proof !== undefined }, gate) },
      { name: "send", label: "Send", panel: this.sendPanel.element },
      { name: "integrate", label: "Integrate", panel: integratePanel(request, quote, route, gate) },
    ]);
    $("estimate").textContent = human(quote.destAmount, quote.destToken.decimals);
    $("result").replaceChildren(summary(quote, route, this.world, request, gate),
      h("section", { class: "card details", id: "details", "aria-label": "Details" }, verdictLine(judged, gate), panels.element));
    say(`The recipient gets ${tokens(quote.destAmount, quote.destToken)}. ${headline(judged)} ${gate.reasons.map((r) => unknown(r.code).says).join(" ")}`);
  }

  /** age closes an answer while the form has another request. */
  age(stale) {
    $("result").classList.toggle("stale", stale && this.shown !== null);
    this.sendPanel?.gate.age(stale);
  }
}

// typing reports whether the focus is in a field, where it must stay.
const typing = () => document.activeElement?.matches("input, textarea, select") ?? false;
