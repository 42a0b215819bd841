// The pickers of chains and tokens.

import { h } from "./dom.js";

/**
 * fillPlaces offers places in groups. Those that isOff(place) is true of are shown
 * and cannot be picked.
 */
export function fillPlaces(select, world, places, chosen, isOff = () => false) {
  const option = (p) => h("option", { value: p, disabled: isOff(p) }, `${world.name(p)} · ${p}${isOff(p) ? " · not available now" : ""}`);
  const groups = world.groups(places).map((g) => h("optgroup", { label: g.label }, g.places.map(option)));
  select.replaceChildren(...groups);
  settle(select, chosen);
}

/** fillOptions offers values as they are. */
export function fillOptions(select, values, chosen) {
  select.replaceChildren(...values.map((v) => h("option", { value: v }, v)));
  settle(select, chosen);
}

// settle selects a value; one that is not offered is added as it was given, so that
// the server's fault about it can be shown there.
function settle(select, value) {
  const text = String(value ?? "");
  if (![...select.options].some((o) => o.value === text)) select.prepend(h("option", { value: text }, text || "Choose"));
  select.value = text;
}
