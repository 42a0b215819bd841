// Elements. Text is only inserted as text, so that no text of a server or a wallet
// becomes markup.

/**
 * h makes an element. Properties that start with "on" are listeners, "class" and
 * attributes with a dash are set as they are, null and false are left out.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

const shapes = {
  ok: "M4 10.5l4 4 8-9",
  bad: "M5 5l10 10M15 5L5 15",
  note: "M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15M10 9.5v4M10 6.5v.1",
  copy: "M7 7V4h9v9h-3M4 7h9v9H4z",
  arrow: "M3 10h13M11 5l5 5-5 5",
  shield: "M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5z",
  link: "M8 12l4-4M9 5l1-1a4 4 0 016 6l-1 1M11 15l-1 1a4 4 0 01-6-6l1-1",
  wait: "M10 3a7 7 0 107 7",
};

/** icon is a small drawing that screen readers ignore. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name}`);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", shapes[name]);
  svg.append(path);
  return svg;
}

export const code = (text, properties = {}) => h("code", properties, text);

/**
 * redraw replaces the content of an element and keeps the focus: on the new element
 * with the same data-key, or on the one marked data-fallback.
 */
export function redraw(element, ...children) {
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (!active) return;
  const same = [...element.querySelectorAll("[data-key]")].find((e) => e.dataset.key === active.dataset.key && !e.disabled);
  (same ?? element.querySelector("[data-fallback]"))?.focus();
}

/** short is an address or hash as people compare them: both ends. */
export const short = (text) => `${text.slice(0, 8)}…${text.slice(-6)}`;

let live;

/** say announces a change elsewhere on the page to screen readers. */
export function say(text) {
  live ??= document.getElementById("live");
  live.textContent = text;
}

/** copyButton copies what text() returns, and says so. */
export function copyButton(text, label = "Copy") {
  const name = h("span", {}, label);
  const button = h("button", { type: "button", class: "copy", onclick: copy }, icon("copy"), name);
  async function copy() {
    name.textContent = (await toClipboard(text())) ? "Copied" : "Select and copy";
    say(name.textContent);
    setTimeout(() => (name.textContent = label), 1500);
  }
  return button;
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // the page is not served securely, or the user said no
  }
}

/**
 * tabs shows one of several panels. A tab is {name, label, panel}, where label
 * is a node or text and panel is an element.
 */
export function tabs(label, list, selected = 0) {
  const id = `tabs-${label.toLowerCase().replace(/\W+/g, "-")}`;
  const buttons = list.map((t, i) =>
    h("button", { type: "button", role: "tab", id: `${id}-${i}`, "aria-controls": `${id}-panel-${i}`, "data-tab": t.name, onclick: () => choose(i) }, t.label),
  );
  const panels = list.map((t, i) => h("div", { role: "tabpanel", id: `${id}-panel-${i}`, "aria-labelledby": `${id}-${i}`, tabindex: 0 }, t.panel));
  const bar = h("div", { role: "tablist", class: "tabs", "aria-label": label, onkeydown: move }, buttons);

  function choose(i) {
    buttons.forEach((b, j) => {
      b.setAttribute("aria-selected", String(i === j));
      b.tabIndex = i === j ? 0 : -1;
      panels[j].hidden = i !== j;
    });
    selected = i;
  }
  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose((selected + step + list.length) % list.length);
    buttons[selected].focus();
  }
  choose(selected);
  return { element: h("div", { class: "tabbed" }, bar, panels), choose, get selected() { return selected; } };
}

/** roving makes a list of buttons one stop for the Tab key; arrow keys move within it. */
export function roving(container) {
  const items = () => [...container.querySelectorAll("[data-roving]")].filter((b) => b.checkVisibility());
  container.querySelectorAll("[data-roving]").forEach((b, i) => (b.tabIndex = i ? -1 : 0));
  container.addEventListener("keydown", (event) => {
    const list = items();
    const at = list.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (at < 0 || next === undefined || !list[next]) return;
    event.preventDefault();
    list.forEach((b, i) => (b.tabIndex = i === next ? 0 : -1));
    list[next].focus();
  });
}
