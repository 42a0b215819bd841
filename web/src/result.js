// The summary of an answer: amounts and fees.

import { code, copyButton, h, icon } from "./dom.js";
import { human, tokens } from "./amount.js";
import { direction, duration, query, shields, unshields } from "./world.js";

/** summary draws a quote that holds. */
export function summary(quote, route, world, request, gate) {
  const link = copyButton(() => `${location.origin}/?${query(request)}`, "Link");
  gate.watch(() => (link.disabled = gate.stale));
  return h(
    "section", { class: "card summary", "aria-labelledby": "summary-title" },
    h("div", { class: "chips" },
      h("h2", { id: "summary-title", class: "sr" }, "Quote"),
      chip(direction(route), shields(route) || unshields(route) ? "veil" : "", shields(route) || unshields(route) ? "shield" : null),
      chip(quote.route.type, quote.route.type === "CCTP_INBOUND" ? "cctp" : ""),
      duration(route) && chip(duration(route)),
      link,
    ),
    h("div", { class: "flow" },
      side("You send", quote.srcAmount, quote.srcToken, world.where(route.srcChain)),
      icon("arrow"),
      side("Recipient gets", quote.destAmount, quote.destToken, world.where(route.dstChain)),
    ),
    hops(route, world),
    feeBar(quote),
    h("dl", { class: "facts" },
      fact("Contract", code(quote.to), h("span", { class: "soft" }, `${quote.route.type === "CCTP_INBOUND" ? "the issuer’s messenger" : `the ${quote.srcToken.symbol} pool`}, to be called: a plain transfer to it makes no order`)),
      fact("On chain", `${quote.srcToken.chainId}`, h("span", { class: "soft" }, unshields(route) ? "the network under the privacy pool" : world.name(route.srcChain))),
      request.refundTo && fact("Refund", code(request.refundTo), h("span", { class: "soft" }, "gets the deposit back if the swap cannot be paid")),
    ),
  );
}

const chip = (text, kind = "", shape = null) => h("span", { class: `chip ${kind}` }, shape && icon(shape), text);

const side = (label, amount, token, place) =>
  h("div", { class: "side" },
    h("span", { class: "label" }, label),
    h("strong", { class: "amount" }, human(amount, token.decimals), " ", h("span", { class: "symbol" }, token.symbol)),
    h("span", { class: "soft" }, place),
  );

const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

function hops(route, world) {
  const items = world.hops(route).map((hop) => h("li", { class: world.isPrivate(hop.place) ? "veil" : "" }, h("strong", {}, world.name(hop.place)), h("span", {}, hop.act)));
  return h("ol", { class: "hops", "aria-label": "The way it goes" }, items);
}

/** feeBar draws the split; shares too thin to see are given a visible width. */
function feeBar({ destAmount, destToken, fee }) {
  const rest = 100 - fee.protocol.percentage - fee.integrator.percentage;
  const parts = [
    { name: "Recipient", kind: "you", amount: destAmount, percentage: rest },
    { name: "Protocol fee", kind: "protocol", amount: fee.protocol.amount, percentage: fee.protocol.percentage },
    { name: "Integrator fee", kind: "integrator", amount: fee.integrator.amount, percentage: fee.integrator.percentage },
  ].filter((p) => p.amount !== "0");
  const bar = h("div", { class: "bar", "aria-hidden": "true" }, parts.map((p) => {
    const piece = h("span", { class: p.kind });
    piece.style.flexGrow = String(p.percentage);
    return piece;
  }));
  const legend = h("ul", { class: "legend" }, parts.map((p) =>
    h("li", {}, h("span", { class: `dot ${p.kind}` }), `${p.name} `, h("strong", {}, tokens(p.amount, destToken)), ` · ${Number(p.percentage.toFixed(4))} %`)));
  return h("div", { class: "fees", role: "group", "aria-label": "Fee split" }, bar, legend);
}
