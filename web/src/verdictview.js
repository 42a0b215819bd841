// The verdict, drawn: green only for a proved answer. A refused one shows the fault,
// and nothing to send or to copy.

import { printable } from "/page/js/client.js";
import { code, h, icon } from "./dom.js";
import { closed, headline, outdated, unknown } from "./verdict.js";

const looks = { proved: "ok", unproven: "note", refused: "bad" };

/**
 * verdictLine shows the verdict, with a box to tick for each reason. It is valid as
 * long as the form has the request of the answer.
 */
export function verdictLine(verdict, gate) {
  const root = h("div");
  const says = [icon(looks[verdict.verdict]), h("div", {}, h("p", {}, headline(verdict)), gate.reasons.map((r) => box(r, gate)))];
  const draw = () => {
    const state = gate.stale ? "stale" : verdict.verdict;
    if (root.dataset.verdict === state) return; // a box that was just ticked keeps the focus
    root.dataset.verdict = state;
    root.className = `verdict ${looks[state] ?? state}`;
    root.replaceChildren(...(gate.stale ? [icon("note"), h("p", {}, outdated)] : says));
  };
  gate.watch(draw);
  draw();
  return root;
}

/** closedNote is the content of a closed panel. */
export const closedNote = (gate, use) => h("p", { class: "notice" }, icon("note"), h("span", {}, closed(gate, use)));

function box(reason, gate) {
  const { says, accept } = unknown(reason.code);
  return h("div", { class: "doubt", "data-code": reason.code, "data-field": reason.field },
    h("p", {}, says),
    h("label", {}, h("input", { type: "checkbox", onchange: (e) => gate.accept(reason.code, e.target.checked) }), accept));
}

/** refusalCard is the whole view of a refused answer. */
export function refusalCard(verdict) {
  const { code: why, field, want, got } = verdict;
  const [is, must] = apart(got, want);
  return h("section", { class: "card refusal", "aria-labelledby": "refusal-title" },
    h("div", { class: "verdict bad", "data-verdict": "refused" }, icon("bad"),
      h("div", {}, h("h2", { id: "refusal-title" }, field ? "Refused. Do not sign anything for this." : "Refused. This is no quote."), h("p", {}, field && [code(printable(field)), " "], headline(verdict)))),
    h("div", { class: "check bad", id: "fault", tabindex: -1, role: "group", "aria-label": "What is wrong", "data-code": why, "data-field": field },
      h("dl", { class: "fault" },
        field && fact("Field", code(printable(field))),
        fact("Reason", code(why)),
        got !== undefined && fact("The answer says", is),
        want !== undefined && fact("It must be", must))),
    h("p", { class: "soft" }, field ? "This browser derived the answer itself and compared. The server, or something between it and you, gave another. Nothing of it can be sent or copied here." : "There is nothing in it to check, to send or to copy.", " Ask again; if it stays so, tell the operator."));
}

const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

// apart marks where two texts differ.
function apart(got = "", want = "") {
  const [a, b] = [printable(got), printable(want)];
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  let back = 0;
  while (back < Math.min(a.length, b.length) - from && a.at(-1 - back) === b.at(-1 - back)) back++;
  const marked = (text, kind) => code([text.slice(0, from), h("mark", { class: kind }, text.slice(from, text.length - back)), text.slice(text.length - back)]);
  return [marked(a, "got"), marked(b, "want")];
}
