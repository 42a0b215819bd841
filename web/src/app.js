// The page: it joins the console, the answer and the explorer. The TypeScript
// client judges every answer before anything of it is shown.

import { Invalid, judge } from "/page/js/client.js";
import { Answer } from "./answer.js";
import { answerTo, ask, budget, health, Problem, problem, watchBudget } from "./ask.js";
import { connect } from "./devnet.js";
import { h, icon } from "./dom.js";
import { examples, opening } from "./examples.js";
import { drawBudget, drawExplorer, drawHealth } from "./explorer.js";
import { detailOf } from "./fields.js";
import { Console } from "./form.js";
import { Wallets } from "./wallets.js";
import { load, query, shields } from "./world.js";

const $ = (id) => document.getElementById(id);
const pause = 400; // milliseconds of rest before typing becomes a request
const reserve = 5; // requests the page leaves to the button, and to other programs

let world, form, wallets, answer;
let timer, flight;

async function start() {
  wallets = new Wallets();
  watchBudget(drawBudget);
  addEventListener("hashchange", view);
  const lists = load();
  view();
  try {
    world = await lists;
  } catch (error) {
    return trouble(error);
  }
  form = new Console(world, { changed, submitted });
  answer = new Answer(world, wallets);
  const link = new URLSearchParams(location.search);
  const greeting = greet();
  if (link.size) {
    form.fill(link);
    quote(form.request(true));
  } else {
    await greeting;
    form.fill(opening(world.routes[0], form.recipients.public));
  }
  view();
  drawExamples();
}

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
  } catch {
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
  if (explorer && world) explore();
}

// explore fills the explorer once, when it is first looked at.
let explored = null;

function explore() {
  explored ??= ask("/v3/app/routers").then((routers) => {
    drawExplorer(world, routers.data, (route) => {
      location.hash = "quote";
      form.choose(route);
    });
  }).catch((error) => {
    explored = null;
    $("explorer-error").textContent = `${error instanceof Problem ? error.message : "The server’s list of contracts is not one that this page can read."} Open the explorer again.`;
  });
}

function changed() {
  clearTimeout(timer);
  flight?.abort();
  $("form-error").replaceChildren();
  const request = form.request(false);
  history.replaceState(null, "", `/?${query(form.request(true))}${location.hash}`);
  const same = request !== null && spell(request) === answer.shown;
  answer.age(!same);
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

// asked is a request with what to include: a private recipient is encrypted, and
// its proof is asked for, unless a link says otherwise.
function asked(request) {
  const include = form.include ?? (form.route && shields(form.route) ? "proof" : "");
  return Object.fromEntries(Object.entries({ ...request, include }).filter(([, value]) => value !== ""));
}

const spell = (request) => query(asked(request));

async function quote(request) {
  flight?.abort();
  flight = new AbortController();
  const { signal } = flight;
  const [route, full] = [form.route, asked(request)];
  $("result").setAttribute("aria-busy", "true");
  try {
    const { body, status } = await answerTo(`/v3/swap/quote?${query(full)}`, signal);
    const verdict = judge(full, body, world.pins, { status });
    if (!route && verdict.verdict !== "refused") throw problem("The pins have this pair, and the list of routes has not: reload the page.");
    $("form-error").replaceChildren();
    answer.draw(verdict, { request, route, spelling: query(full) });
  } catch (error) {
    if (error.name !== "AbortError") trouble(error);
  } finally {
    if (!signal.aborted) $("result").setAttribute("aria-busy", "false");
  }
}

// trouble puts an error where it belongs: at the fields it is about, or below
// the form.
function trouble(error) {
  answer?.age(true);
  const { faults, retryAfter } = readable(error);
  const rest = form ? form.blame(faults) : faults;
  const again = retryAfter ? ` Try again in ${retryAfter} s.` : "";
  $("form-error").replaceChildren(...rest.map((f) => h("p", {}, f.detail, f.detail.includes("try again") ? "" : again)));
}

function readable(error) {
  if (error instanceof Problem) return error;
  if (error instanceof Invalid) return new Problem([{ code: error.code, param: error.param, detail: detailOf(error) }]);
  reportError(error);
  return problem("This page failed over the answer, so it shows none of it. Reload the page and try again.");
}

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
