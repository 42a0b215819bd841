// A list of steps, each with its state, its transaction and when it happened.

import { code, copyButton, h, icon, short } from "./dom.js";

/** stepList draws steps {title, state, detail, hash, more}. */
export const stepList = (steps) =>
  h("ol", { class: "steps" }, steps.map((s) =>
    h("li", { class: s.state }, stepIcon(s.state), h("span", { class: "sr" }, `${s.state}: `),
      h("span", { class: "what" }, h("span", { class: "name" }, s.title), s.detail && h("span", { class: "about" }, s.detail),
        s.hash && h("span", { class: "about" }, code(short(s.hash), { title: s.hash }), " ", copyButton(() => s.hash, "Copy hash"), s.more ?? null)))));

const stepIcon = (state) => icon({ done: "ok", failed: "bad", skipped: "ok", doing: "wait" }[state] ?? "note");
