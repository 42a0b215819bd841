// The verify panel: every check beside the bytes it is about.

import { copyButton, h, icon, roving } from "./dom.js";
import { hex } from "./bytes.js";

const words = { ok: "passes", bad: "fails", note: "cannot be checked here" };

/** verdict says in one line what a report found. */
export function verdict(report) {
  const [bad, notes, all] = [report.count("bad"), report.count("note"), report.all().length];
  if (!report.ok) return `${bad} of ${all} checks fail. Do not sign this.`;
  return notes ? `${all - notes} checks pass; ${notes} cannot be made in a browser.` : `All ${all} checks pass.`;
}

/** verifyPanel draws a report. */
export function verifyPanel(report) {
  const root = h("div", { class: "verify" });
  const bytes = h("div", { class: "bytes", tabindex: 0, role: "region", "aria-label": "Bytes to sign" }, report.parts.map((p) => hexView(p, report)));
  const checks = h("div", { class: "checks" }, report.groups.map(group));
  root.append(
    h("p", { class: `verdict ${report.ok ? "ok" : "bad"}` }, icon(report.ok ? "ok" : "bad"), h("span", {}, verdict(report))),
    h("p", { class: "soft how" }, "Computed in this browser from what you asked and from this server’s own list of routes and contracts; to trust no server, pin those. Point at a check to see its bytes; press it to keep them marked."),
    h("div", { class: "split" }, checks, bytes),
  );
  connect(root, bytes);
  roving(checks);
  return root;
}

// A group that passes is folded, except the call itself, which people came to
// see.
function group(g) {
  const worst = ["bad", "note", "ok"].find((state) => g.checks.some((c) => c.state === state));
  const passed = g.checks.filter((c) => c.state === "ok").length;
  return h("details", { class: `group ${worst}`, open: worst !== "ok" || g.checks.some((c) => c.part === "calldata") },
    h("summary", {}, icon(worst), h("span", { class: "sr" }, `${words[worst]}: `), h("h3", {}, g.title), h("span", { class: "tally" }, `${passed}/${g.checks.length}`)),
    g.about && h("p", { class: "soft" }, g.about),
    h("ul", {}, g.checks.map((c) => h("li", {}, check(c)))));
}

function check(c) {
  const body = [
    icon(c.state),
    h("span", { class: "sr" }, `${words[c.state]}: `),
    h("span", { class: "what" },
      h("span", { class: "name" }, c.name),
      h("span", { class: c.shows.length > 24 ? "shows long" : "shows" }, c.shows),
      c.state === "bad" && c.wants !== undefined && h("span", { class: "wants" }, `expected ${c.wants}`),
      c.about && h("span", { class: "about" }, c.about)),
  ];
  if (c.part === undefined) return h("div", { class: `check ${c.state}` }, body);
  return h("button", { type: "button", class: `check ${c.state}`, "data-roving": true, "data-check": c.id, "aria-pressed": "false" }, body);
}

function hexView(part, report) {
  const checks = report.all().filter((c) => c.part === part.name && c.start < part.bytes.length);
  const end = checks.at(-1)?.end ?? 0;
  const segments = checks.map((c) => segment(part.bytes.slice(c.start, c.end), c));
  if (end < part.bytes.length) segments.push(h("span", { class: "segment bad" }, hex(part.bytes.slice(end)).slice(2)));
  return h("figure", {},
    h("figcaption", {}, h("span", {}, part.name, h("span", { class: "soft" }, ` ${part.bytes.length} bytes`)), copyButton(() => hex(part.bytes))),
    h("pre", { class: "hex" }, "0x\n", segments));
}

// Each field starts a line of its own, as the words of a call do; zeros in front
// of a number are drawn lighter.
function segment(bytes, c) {
  const text = hex(bytes).slice(2);
  const zeros = /^(?:00)*/.exec(text)[0].length;
  return h("span", { class: `segment ${c.state}`, "data-segment": c.id, title: c.name }, h("span", { class: "zeros" }, text.slice(0, zeros)), text.slice(zeros), "\n");
}

// connect marks bytes and checks together, whichever of them is pointed at.
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
