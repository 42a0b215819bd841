// The page: the console, the answer and the explorer. The TypeScript client checks
// every answer before any part of it is shown.

import { Invalid, judge } from "/page/js/client.js";
import { Answer } from "./answer.js";
import { answerTo, ask, budget, health, Problem, problem, watchBudget } from "./ask.js";
import { connect } from "./devnet.js";
import { h, icon } from "./dom.js";
import { examples, opening } from "./examples.js";
import { drawBudget, drawExplorer, drawHealth } from "./explorer.js";
import { detailOf } from "./fields.js";
import { Console } from "./form.js";
import { Track } from "./track.js";
import { Wallets } from "./wallets.js";
import { load, query, renew, shields } from "./world.js";

const $ = (id) => document.getElementById(id);
const pause = 400; // milliseconds without typing before a request is sent
const outlook = 30_000; // milliseconds from one look at what the pools can pay to the next
const reserve = 5; // requests the page leaves to the button, and to other programs

let world, form, wallets, answer, timer, flight;

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
  answer = new Answer(world, wallets, lock);
  warn(world.unoffered);
  const link = new URLSearchParams(location.search);
  const greeting = greet();
  if (link.has("tx")) {
    view();
    new Track(world, wallets).follow(link.get("tx"), link.get("srcChain"));
    return;
  }
  if (link.size) {
    form.fill(link);
    quote(question(form.request(true)));
  } else {
    await greeting;
    form.fill(opening(world.routes[0], form.recipients.public));
  }
  view();
  drawExamples();
  setInterval(lookAgain, outlook);
  addEventListener("visibilitychange", lookAgain);
}

// lookAgain shows what the pools can pay now. It only advises, so a failure is silent.
async function lookAgain() {
  if (document.hidden || form.locked || scarce()) return;
  const changed = await renew(world).catch(() => false);
  if (changed && !form.locked) form.renew();
}

// warn says that the server lists pairs which the pins do not agree with.
function warn(pairs) {
  if (pairs > 0) $("unoffered").textContent = `${pairs} of the server’s pairs ${pairs > 1 ? "are" : "is"} not offered: its list and its pins do not agree. Reload the page; if it stays so, tell the operator.`;
}

// greet shows the service's state, and the devnet's accounts if there are any.
async function greet() {
  try {
    const state = await health();
    drawHealth(state);
    world.settled = state.checks.some((c) => c.name === "settler" && c.status !== "off");
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
  const tracked = !explorer && new URLSearchParams(location.search).has("tx");
  $("quote-view").hidden = explorer || tracked;
  $("track-view").hidden = !tracked;
  $("explorer-view").hidden = !explorer;
  for (const a of document.querySelectorAll("nav a[data-view]")) {
    if ((a.dataset.view === "explorer") === explorer) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  if (explorer && world) explore();
}

// explore fills the explorer once, when it is first opened.
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
  const wanted = request && question(request);
  history.replaceState(null, "", `/?${query(form.request(true))}${location.hash}`);
  const same = wanted !== null && wanted.spelling === answer.shown;
  answer.age(!same);
  $("result").setAttribute("aria-busy", "false");
  const sparing = !same && request !== null && scarce();
  $("ask-hint").textContent = sparing ? "Few requests are left in this minute: press the button to spend one." : "";
  if (!same && wanted && !sparing && !answer.busy) timer = setTimeout(() => quote(wanted), pause);
}

// scarce reports whether few requests are left, so that typing must not send one.
const scarce = () => budget !== null && budget.left <= reserve && Date.now() < budget.at + 1000 * budget.reset;

function submitted() {
  $("ask-hint").textContent = "";
  const request = form.request(false);
  if (!request) return form.missing();
  quote(question(request));
}

// A question holds everything that its answer is checked and shown with, taken when
// it is sent: the form may have changed when the answer comes. The proof of a private
// recipient is requested, unless a link says otherwise.
function question(asked) {
  const route = form.route;
  const include = form.include ?? (route && shields(route) ? "proof" : "");
  const request = Object.fromEntries(Object.entries({ ...asked, include }).filter(([, value]) => value !== ""));
  return { request, route, pins: world.pins, spelling: query(request) };
}

// stands reports whether the form still has the request of a question.
const stands = ({ spelling }) => spelling === question(form.request(true)).spelling;

async function quote(asked) {
  if (answer.busy) return;
  clearTimeout(timer);
  flight?.abort();
  flight = new AbortController();
  const { signal } = flight;
  $("result").setAttribute("aria-busy", "true");
  try {
    const { body, status } = await answerTo(`/v3/swap/quote?${asked.spelling}`, signal);
    if (signal.aborted || !stands(asked)) return;
    const verdict = judge(asked.request, body, asked.pins, { status });
    if (!asked.route && verdict.verdict !== "refused") throw problem("The pins have this pair, and the list of routes has not: reload the page.");
    $("form-error").replaceChildren();
    answer.draw(verdict, asked);
  } catch (error) {
    if (!signal.aborted && stands(asked)) trouble(error);
  } finally {
    if (!signal.aborted) $("result").setAttribute("aria-busy", "false");
  }
}

// lock keeps the form unchanged while a swap is sent: no other quote is requested or
// shown.
function lock(busy) {
  if (busy) {
    clearTimeout(timer);
    flight?.abort();
    $("result").setAttribute("aria-busy", "false");
  }
  form.lock(busy);
}

// trouble shows an error at its fields, or below the form.
function trouble(error) {
  answer?.age(true);
  const { faults, retryAfter } = readable(error);
  const rest = form ? form.blame(faults) : faults;
  const again = retryAfter ? ` Try again in ${retryAfter} s.` : "";
  $("form-error").replaceChildren(...rest.map((f) => h("p", {}, f.detail, f.detail.includes("try again") ? "" : again)));
  if (form && faults.some((f) => unpaid.test(f.code))) lookAgain();
}

const unpaid = /^(POOL_|ROUTE_CLOSED$|DEPLOYMENT_DIFFERS$)/; // codes about what the pools can pay

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
      quote(question(form.request(true)));
    } }, h("span", {}, label), icon("arrow"))));
}

start();
