// The explorer: the routes with their contracts and limits, and the state of the
// service.

import { code, copyButton, h, roving, short } from "./dom.js";
import { human } from "./amount.js";
import { isOff } from "./liquidity.js";
import { at, pinnedRouters } from "./routes.js";
import { direction, duration, query } from "./world.js";

const $ = (id) => document.getElementById(id);
const symbols = ["USDC", "USDT", "DAI", "USD1", "ETH", "WETH"];

/** drawExplorer fills the explorer; open(route) takes a route to the console. */
export function drawExplorer(world, routers, open) {
  world.routers = pinnedRouters(routers, world.pins);
  const columns = [...symbols, ...new Set(world.routes.map((r) => r.srcToken.symbol))].filter((s, i, all) => all.indexOf(s) === i);
  const veiled = world.routes.filter((r) => ["Shielding", "Unshielding"].includes(direction(r))).length;
  $("served-count").textContent = `${world.routes.length} pairs: ${world.routes.length - veiled} public, ${veiled} private.`;
  $("matrix").replaceChildren(matrix(world, columns, (place, symbol) => detail(world, place, symbol, open)));
  roving($("matrix"));
  $("fee-table").replaceChildren(...feeRows(world));
  $("limit-table").replaceChildren(...limitRows(world));
  $("contract-table").replaceChildren(...world.routers.map((r) => contractRow(world, r)));
  detail(world, world.routes[0].srcChain, world.routes[0].srcToken.symbol, open);
  const others = routers.length - world.routers.length;
  $("explorer-error").textContent = others ? `${others} of the server’s ${routers.length} contracts ${others > 1 ? "are" : "is"} not listed: its list and its pins do not agree. Reload the page; if it stays so, tell the operator.` : "";
  $("explored").hidden = false;
}

function matrix(world, columns, choose) {
  const groups = world.groups(world.routes.flatMap((r) => [r.srcChain, r.dstChain]));
  const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Chain"), columns.map((s) => h("th", { scope: "col" }, s))));
  const bodies = groups.map((g) =>
    h("tbody", {},
      h("tr", { class: "divide" }, h("th", { scope: "rowgroup", colspan: columns.length + 1 }, g.label)),
      g.places.map((p) => h("tr", {}, h("th", { scope: "row" }, world.name(p), h("span", { class: "soft" }, ` ${p}`)), columns.map((s) => h("td", {}, cell(world, p, s, choose)))))));
  return h("table", {}, head, bodies);
}

function cell(world, place, symbol, choose) {
  const [from, to] = [world.from(place, symbol).length, world.to(place, symbol).length];
  if (!from && !to) return h("span", { class: "none", "aria-hidden": "true" }, "·");
  const side = (kind, arrow, n, words) =>
    h("span", { class: n ? kind : "never" }, n ? [h("span", { "aria-hidden": "true" }, arrow), ` ${n}`] : "–", h("span", { class: "sr" }, ` ${words}`));
  return h("button", { type: "button", class: world.isPrivate(place) ? "cell veil" : "cell", "data-roving": true, "data-cell": `${symbol}@${place}`, "aria-pressed": "false", onclick: () => choose(place, symbol) },
    h("span", { class: "sr" }, `${symbol} ${world.where(place)}: `), side("from", "↗", from, "start here, "), side("to", "↘", to, "end here"));
}

function detail(world, place, symbol, open) {
  for (const b of document.querySelectorAll("[data-cell]")) b.setAttribute("aria-pressed", String(b.dataset.cell === `${symbol}@${place}`));
  const [from, to] = [world.from(place, symbol), world.to(place, symbol)];
  const token = from[0]?.srcToken ?? to[0].destToken;
  const router = world.routers.find((r) => r.chainId === place && r.symbol === symbol);
  const link = (r, text) => h("li", { class: isOff(r) ? "off" : null }, h("a", { href: `/?${query(at(r))}`, onclick: (e) => { e.preventDefault(); open(r); } }, text), h("span", { class: "soft" }, ` ${r.fee.percentage} %${duration(r) ? `, ${duration(r)}` : ""}${isOff(r) ? ", not available now" : ""}`));
  $("detail").replaceChildren(
    h("h2", {}, `${symbol} ${world.where(place)}`),
    h("dl", { class: "facts" },
      fact("Token", code(short(token.address), { title: token.address }), copyButton(() => token.address), h("span", { class: "soft" }, `${token.decimals} decimals, chain ${token.chainId}`)),
      router && fact(router.type === "CCTP_INBOUND" ? "Messenger" : "Pool", code(short(router.router), { title: router.router }), copyButton(() => router.router)),
      from[0] && fact("Limits", `${range(from[0])} ${symbol}`)),
    from.length > 0 && h("h3", {}, `Send it to (${from.length})`), from.length > 0 && h("ul", { class: "ways" }, from.map((r) => link(r, `${r.destToken.symbol} ${world.where(r.dstChain)}`))),
    to.length > 0 && h("h3", {}, `Receive it from (${to.length})`), to.length > 0 && h("ul", { class: "ways" }, to.map((r) => link(r, `${r.srcToken.symbol} ${world.where(r.srcChain)}`))),
  );
}

const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
const row = (name, ...cells) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((c) => h("td", {}, c)));

function feeRows(world) {
  return ["Inbound", "Outbound", "Shielding", "Unshielding"].map((d) => {
    const routes = world.routes.filter((r) => direction(r) === d);
    return row(d, `${routes.length} pairs`, [...new Set(routes.map((r) => `${r.fee.percentage} %`))].join(", "));
  });
}

const range = ({ limits, srcToken }) => `${human(limits.min, srcToken.decimals)} to ${human(limits.max, srcToken.decimals)}`;

function limitRows(world) {
  const rows = new Map();
  for (const r of world.routes) rows.set(range(r), (rows.get(range(r)) ?? new Set()).add(r.srcToken.symbol));
  return [...rows].map(([range, set]) => row([...set].join(", "), range));
}

const contractRow = (world, r) =>
  h("tr", {}, h("th", { scope: "row" }, world.name(r.chainId), h("span", { class: "soft" }, ` ${r.chainId}`)), h("td", {}, r.symbol), h("td", {}, r.type === "CCTP_INBOUND" ? "Messenger" : "Pool"), h("td", {}, code(r.router)), h("td", {}, copyButton(() => r.router)));

/** drawHealth shows the state of the service. */
export function drawHealth(health) {
  const state = { ok: "ok", degraded: "note", draining: "bad" }[health.status] ?? "note";
  $("health").className = `status ${state}`;
  $("health").textContent = { ok: "Operational", degraded: "Degraded", draining: "Stopping" }[health.status] ?? health.status;
  $("service").replaceChildren(
    fact("Status", health.status), fact("Version", health.version || "unknown"), fact("Deployment", health.catalog.deployment, health.catalog.reference ? h("span", { class: "soft" }, "reference: nothing on a public chain") : null),
    fact("Catalog", code(short(health.catalog.digest), { title: health.catalog.digest }), copyButton(() => health.catalog.digest)),
    ...health.checks.map((c) => fact(c.name, h("span", { class: `status ${{ ok: "ok", down: "bad" }[c.status] ?? "note"}` }, c.status), h("span", { class: "soft" }, c.detail ?? ""))),
  );
}

/** drawBudget shows the requests that are left. */
export function drawBudget({ limit, left, window }) {
  $("budget").replaceChildren(`${left}/${limit}`, h("span", { class: "words" }, " requests"), " left");
  const gauge = $("gauge");
  Object.assign(gauge, { max: limit, value: left, low: limit / 4, optimum: limit });
  $("budget-text").textContent = `${left} of ${limit} requests left in any ${window} seconds`;
}
