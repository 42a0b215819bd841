// The page: it joins the console, the answer and the explorer.

import { ask, budget, health, Problem, watchBudget } from "./api.js";
import { connect } from "./devnet.js";
import { h, icon, say, tabs } from "./dom.js";
import { drawBudget, drawExplorer, drawHealth } from "./explorer.js";
import { Console } from "./form.js";
import { canOpen } from "./note.js";
import { summary } from "./result.js";
import { SendPanel, Wallets } from "./sendview.js";
import { integratePanel } from "./snippets.js";
import { human } from "./units.js";
import { verify } from "./verify.js";
import { verdict, verifyPanel } from "./verifyview.js";
import { load, query, shields } from "./world.js";

const $ = (id) => document.getElementById(id);
const pause = 400; // milliseconds of rest before typing becomes a request
const reserve = 5; // requests the page leaves to the button, and to other programs

let world, form, wallets;
let sendPanel = null; // of the answer that is shown, once it is checked
let shown = null; // the spelling of the request whose answer is shown
let timer, flight;

async function start() {
  wallets = new Wallets();
  watchBudget(drawBudget);
  addEventListener("hashchange", view);
  view();
  try {
    world = await load();
  } catch (error) {
    return trouble(error);
  }
  form = new Console(world, { changed, submitted });
  drawExplorer(world, (route) => {
    location.hash = "quote";
    form.choose(route);
  });
  const greeting = greet();
  const link = new URLSearchParams(location.search);
  if (link.size) {
    form.fill(link);
    quote(form.request(true));
  } else {
    await greeting;
    form.fill(opening(world.routes[0]));
  }
  drawExamples();
}

// opening is what the form starts with: the first route, and a hundred times
// the least it takes.
const opening = (r) =>
  new URLSearchParams({ srcChain: r.srcChain, srcToken: r.srcToken.symbol, dstChain: r.dstChain, dstToken: r.destToken.symbol, amount: BigInt(r.limits.min) * 100n, recipient: form.recipients.public });

// greet shows the service's state, and offers the devnet's accounts if there
// are any.
async function greet() {
  try {
    const state = await health();
    drawHealth(state);
    const devnet = await connect(state);
    if (!devnet) return;
    wallets.addDevnet(devnet);
    form.recipients = { public: devnet.accounts[0]?.address ?? "", private: devnet.private ?? "" };
    $("banner-text").textContent = "Devnet: these contracts are real on this machine’s own chains, and nowhere else.";
  } catch (error) {
    $("health").textContent = "State unknown";
  }
}

function view() {
  const explorer = location.hash === "#explorer";
  $("quote-view").hidden = explorer;
  $("explorer-view").hidden = !explorer;
  for (const a of document.querySelectorAll("nav a[data-view]")) {
    if ((a.dataset.view === "explorer") === explorer) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
}

function changed() {
  clearTimeout(timer);
  flight?.abort();
  $("form-error").replaceChildren();
  const request = form.request(false);
  const link = form.request(true);
  history.replaceState(null, "", `/?${query(link)}${location.hash}`);
  const same = request !== null && query(request) === shown && sendPanel !== null;
  age(!same);
  $("result").setAttribute("aria-busy", "false");
  const sparing = !same && request !== null && scarce();
  $("ask-hint").textContent = sparing ? "Few requests are left in this minute: press the button to spend one." : "";
  if (!same && request && !sparing) timer = setTimeout(() => quote(request), pause);
}

// scarce tells whether typing should stop spending what is left.
const scarce = () => budget !== null && budget.left <= reserve && Date.now() < budget.at + 1000 * budget.reset;

function submitted() {
  clearTimeout(timer);
  $("ask-hint").textContent = "";
  const request = form.request(false);
  if (!request) return form.missing();
  quote(request);
}

async function quote(request) {
  flight?.abort();
  flight = new AbortController();
  const { signal } = flight;
  const route = form.route;
  $("result").setAttribute("aria-busy", "true");
  try {
    const extra = route && shields(route) && canOpen() ? { include: "proof" } : {};
    const answer = await ask(`/v3/swap/quote?${query({ ...request, ...extra })}`, signal);
    if (!route) throw new Problem({ detail: "The server knows this pair and its list of routes does not: reload the page." });
    draw(request, answer, route);
    await new Promise((done) => setTimeout(done)); // people read the answer while the page checks it
    const report = await verify(request, answer, route, world);
    if (!signal.aborted) explain(request, answer, route, report);
  } catch (error) {
    if (error.name !== "AbortError") trouble(error);
  } finally {
    if (!signal.aborted) $("result").setAttribute("aria-busy", "false");
  }
}

/** draw shows what a quote says, before anything is known about its bytes. */
function draw(request, answer, route) {
  sendPanel?.retire();
  sendPanel = null;
  const details = h("section", { class: "card details", id: "details", "aria-label": "Details" }, h("p", { class: "soft" }, "Checking every byte…"));
  $("result").replaceChildren(summary(answer, route, world, request), details);
  $("result").classList.remove("stale");
  shown = query(request);
  performance.mark("drawn");
}

// explain fills in what the page found out. The proof that came with a private
// answer has done its work, and is kept nowhere.
function explain(request, { proof, ...answer }, route, report) {
  sendPanel = new SendPanel({ wallets, quote: answer, route, report, world, request });
  const badge = h("span", { class: `badge ${report.ok ? "ok" : "bad"}` }, icon(report.ok ? "ok" : "bad"), `${report.count("ok")}/${report.all().length - report.count("note")}`);
  const panels = tabs("Answer", [
    { name: "verify", label: h("span", {}, "Verify ", badge), panel: verifyPanel(report) },
    { name: "send", label: "Send", panel: sendPanel.element },
    { name: "integrate", label: "Integrate", panel: integratePanel(request, answer, route) },
  ]);
  $("details").replaceChildren(panels.element);
  say(`The recipient gets ${human(BigInt(answer.destAmount), answer.destToken.decimals)} ${answer.destToken.symbol}. ${verdict(report)}`);
}

// An answer is stale while the form asks for something else; it is fresh again
// when the form comes back to it.
function age(stale) {
  $("result").classList.toggle("stale", stale && shown !== null);
  sendPanel?.age(stale);
}

// trouble puts an error where it belongs: at the fields it is about, or below
// the form.
function trouble(error) {
  if (!(error instanceof Problem)) throw error;
  age(true);
  const rest = form ? form.blame(error.faults) : error.faults;
  const again = error.retryAfter ? ` Try again in ${error.retryAfter} s.` : "";
  $("form-error").replaceChildren(...rest.map((f) => h("p", {}, f.detail, f.detail.includes("try again") ? "" : again)));
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const zk = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990";

// Examples pay well-known test keys: good for looking, not for sending.
const examples = [
  ["Stablecoin to the hub", { srcChain: 1, srcToken: "USDC", dstChain: 369, dstToken: "USDC", amount: "1000000000", recipient: alice }],
  ["Burn through CCTP", { srcChain: 42161, srcToken: "USDC", dstChain: 369, dstToken: "USDC", amount: "2500000000", recipient: alice }],
  ["Native ETH", { srcChain: 8453, srcToken: "ETH", dstChain: 369, dstToken: "WETH", amount: "1500000000000000000", recipient: alice }],
  ["Shield into a privacy pool", { srcChain: 1, srcToken: "USDT", dstChain: 69696969, dstToken: "USDC", amount: "500000000", recipient: zk }],
  ["Unshield to a public chain", { srcChain: 69696969, srcToken: "USDC", dstChain: 8453, dstToken: "USDC", amount: "750000000", recipient: alice }],
];

function drawExamples() {
  $("examples").replaceChildren(...examples.filter(([, e]) => world.find(e)).map(([label, e]) =>
    h("a", { class: "example", href: `/?${query(e)}`, onclick: (event) => {
      event.preventDefault();
      form.fill(new URLSearchParams(Object.entries(e)));
      history.replaceState(null, "", `/?${query(e)}`);
      quote(form.request(true));
    } }, h("span", {}, label), icon("arrow"))));
}

start();
