// The request and the answer as code.

import { copyButton, h, tabs } from "./dom.js";
import { sending } from "./sending.js";
import { closedNote } from "./verdictview.js";
import { query, unshields } from "./world.js";

/** integratePanel shows a quote and its request as code, once the gate is open. */
export function integratePanel(request, quote, route, gate) {
  const root = h("div");
  const draw = () => root.replaceChildren(gate.open ? forms(request, quote, route) : closedNote(gate, "copied"));
  gate.watch(draw);
  draw();
  return root;
}

function forms(request, quote, route) {
  const list = snippets(request, quote, route).map(({ name, about, text }) => ({
    name, label: name,
    panel: h("figure", { class: "snippet" },
      h("figcaption", {}, h("span", { class: "soft" }, about), copyButton(() => text)),
      h("pre", { tabindex: 0, "aria-label": name }, h("code", {}, text))),
  }));
  return tabs("Integrate", list).element;
}

/** snippets are {name, about, text}. */
export function snippets(request, quote, route) {
  const base = `${location.origin}`;
  return [
    { name: "JSON", about: "The server’s answer.", text: JSON.stringify(quote, null, 2) },
    { name: "curl", about: "The same request. No key is needed.", text: `curl '${base}/v3/swap/quote?${query(request)}'` },
    { name: "Go", about: "The client verifies the answer to the last byte before it returns it.", text: goSnippet(base, request) },
    { name: "TypeScript", about: "The client verifies the answer to the last byte before it returns it.", text: tsSnippet(base, request) },
    { name: "Calls", about: unshields(route) ? "For a privacy wallet to run in one private transaction." : "For wallet_sendCalls (EIP-5792): all or nothing, in one confirmation.", text: callsText(quote, route) },
    ...(unshields(route) ? [] : sending(base, request, quote.srcToken.chainId)),
  ];
}

// lines breaks a query into lines: behind the pair, and between addresses.
const lines = (request) => query(request).split(/(?=&amount|&recipient|&refundTo|&integratorId)/);

function goSnippet(base, request) {
  return `package main

import (
	"context"
	"fmt"
	"log"

	"hubquote/client"
)

func main() {
	// Written once by "hubquote pins", reviewed, and kept by you.
	pins, err := client.ReadPins("pins.json")
	if err != nil {
		log.Fatal(err)
	}
	c, err := client.New("${base}", client.WithPins(pins))
	if err != nil {
		log.Fatal(err)
	}
	request, err := client.ParseRequest(
		${lines(request).map((l) => JSON.stringify(l)).join(" +\n\t\t\t")})
	if err != nil {
		log.Fatal(err)
	}
	quote, err := c.Quote(context.Background(), request)
	if err != nil {
		log.Fatal(err) // nothing that must not be signed gets past here
	}
	fmt.Printf("send %x to %s\\n", quote.Payload.Calldata, quote.Payload.To)
}
`;
}

function tsSnippet(base, request) {
  const fields = Object.entries(request).map(([k, v]) => `  ${k}: ${JSON.stringify(v)},`);
  return `import { readFileSync } from "node:fs";
import { parsePins, quote } from "@hubquote/client";

// Written once by "hubquote pins", reviewed, and kept by you.
const pins = parsePins(readFileSync("pins.json"));

const request = {
${fields.join("\n")}
};
const answer = await quote("${base}", request, pins); // throws rather than return what must not be signed

console.log("send", answer.methodParameters.calldata, "to", answer.to);
`;
}

// calls lists what to send, in order.
function calls({ to, approval, methodParameters }) {
  const call = (address, data, value = "0x0") => ({ to: address, data, value });
  return [
    ...(approval?.resetCalldata ? [call(approval.token, approval.resetCalldata)] : []),
    ...(approval ? [call(approval.token, approval.calldata)] : []),
    call(to, methodParameters.calldata, methodParameters.value),
  ];
}

function callsText(quote, route) {
  const list = calls(quote);
  if (unshields(route)) return JSON.stringify(list, null, 2);
  return JSON.stringify({ version: "2.0.0", chainId: `0x${quote.srcToken.chainId.toString(16)}`, atomicRequired: list.length > 1, calls: list }, null, 2);
}
