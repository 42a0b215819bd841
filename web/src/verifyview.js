// The verify panel: every field beside its bytes.

import { copyButton, h, icon, roving } from "./dom.js";
import { groupsOf } from "./rows.js";
import { unknown } from "./verdict.js";
import { closedNote } from "./verdictview.js";

const words = { ok: "equal", note: "not known" };

/** verifyPanel draws a quote that holds, and marks what is not known of it. */
export function verifyPanel(quote, gate) {
  const doubts = new Map(gate.reasons.map((r) => [r.field.replace(/^methodParameters\./, ""), unknown(r.code).says]));
  const groups = groupsOf(quote);
  let id = 0;
  for (const row of groups.flatMap((g) => g.rows)) {
    const doubt = doubts.get(row.name) ?? doubts.get(`${row.part}.${row.name}`);
    Object.assign(row, { id: String(id++), state: doubt ? "note" : "ok" }, doubt && { about: doubt });
  }
  const bytes = h("div", { class: "bytes", tabindex: 0, role: "region", "aria-label": "Bytes to sign" });
  const checks = h("div", { class: "checks" }, groups.map(groupView));
  const root = h("div", { class: "verify" });
  const inside = [
    h("p", { class: "soft how" }, "Derived in this browser from what you asked and the pins this server hands out, and compared. Point at a row to see its bytes; press it to keep them marked."),
    h("div", { class: "split" }, checks, bytes)];
  const draw = () => {
    bytes.replaceChildren(...(gate.open ? partsOf(quote).map((p) => hexView(p, groups)) : [h("p", { class: "soft" }, "The bytes are shown once you have accepted what is not known.")]));
    root.replaceChildren(...(gate.stale ? [closedNote(gate, "checked")] : inside));
  };
  gate.watch(draw);
  draw();
  connect(root, bytes);
  roving(checks);
  return root;
}

// A group is folded, except the call itself and groups with an unknown field.
function groupView(g) {
  const worst = g.rows.some((r) => r.state === "note") ? "note" : "ok";
  return h("details", { class: `group ${worst}`, open: worst !== "ok" || g.title === "Call" },
    h("summary", {}, icon(worst), h("span", { class: "sr" }, `${words[worst]}: `), h("h3", {}, g.title), h("span", { class: "tally" }, `${g.rows.length}`)),
    g.about && h("p", { class: "soft" }, g.about),
    h("ul", {}, g.rows.map((r) => h("li", {}, rowView(r)))));
}

function rowView(r) {
  const body = [
    icon(r.state),
    h("span", { class: "sr" }, `${words[r.state]}: `),
    h("span", { class: "what" },
      h("span", { class: "name" }, r.name),
      h("span", { class: r.shows.length > 24 ? "shows long" : "shows" }, r.shows),
      r.about && h("span", { class: "about" }, r.about)),
  ];
  if (r.part === undefined) return h("div", { class: `check ${r.state}` }, body);
  return h("button", { type: "button", class: `check ${r.state}`, "data-roving": true, "data-check": r.id, "aria-pressed": "false" }, body);
}

const partsOf = ({ methodParameters, approval }) => [
  { name: "calldata", text: methodParameters.calldata },
  { name: "approval.calldata", text: approval?.calldata },
  { name: "approval.resetCalldata", text: approval?.resetCalldata },
].filter((p) => p.text);

function hexView(part, groups) {
  const rows = groups.flatMap((g) => g.rows).filter((r) => r.part === part.name);
  return h("figure", {},
    h("figcaption", {}, h("span", {}, part.name, h("span", { class: "soft" }, ` ${part.text.length / 2 - 1} bytes`)), copyButton(() => part.text)),
    h("pre", { class: "hex" }, "0x\n", rows.map((r) => segment(part.text.slice(2 + 2 * r.start, 2 + 2 * r.end), r))));
}

// Each field starts a line of its own, as the words of a call do; zeros in front
// of a number are drawn lighter.
function segment(text, r) {
  const zeros = /^(?:00)*/.exec(text)[0].length;
  return h("span", { class: `segment ${r.state}`, "data-segment": r.id, title: r.name }, h("span", { class: "zeros" }, text.slice(0, zeros)), text.slice(zeros), "\n");
}

// connect marks the bytes and the row of a field together.
function connect(root, scroller) {
  let kept = null;
  const of = (target) => target?.closest?.("[data-check],[data-segment]");
  const id = (element) => element?.dataset.check ?? element?.dataset.segment ?? null;
  const mark = (wanted, scroll) => {
    for (const e of root.querySelectorAll("[data-check],[data-segment]")) e.classList.toggle("on", wanted !== null && id(e) === wanted);
    const bytes = scroll && wanted !== null && root.querySelector(`[data-segment="${wanted}"]`);
    if (bytes) scroller.scrollTop += bytes.getBoundingClientRect().top - scroller.getBoundingClientRect().top - scroller.clientHeight / 3;
  };
  root.addEventListener("pointerover", (e) => of(e.target) && mark(id(of(e.target)), e.target.closest("[data-check]") !== null));
  root.addEventListener("pointerout", (e) => of(e.target) && mark(kept, false));
  root.addEventListener("focusin", (e) => e.target.dataset?.check && mark(e.target.dataset.check, true));
  root.addEventListener("focusout", () => mark(kept, false));
  root.addEventListener("click", (e) => {
    const button = e.target.closest("button[data-check]");
    if (!button) return;
    kept = kept === button.dataset.check ? null : button.dataset.check;
    for (const b of root.querySelectorAll("button[data-check]")) b.setAttribute("aria-pressed", String(b.dataset.check === kept));
    mark(kept, true);
  });
}
