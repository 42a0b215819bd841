// Requests to the server, and the rest of the rate limit that all requests of a
// client share. A response may be anything, such as a portal's login page.

import { printable } from "/page/js/client.js";

/** Problem is the error of a request without an answer: faults are {code, param, detail}. */
export class Problem extends Error {
  constructor(faults, retryAfter = 0) {
    super(faults[0].detail);
    this.faults = faults;
    this.retryAfter = retryAfter;
  }
}

/** problem makes a Problem of one sentence. */
export const problem = (detail) => new Problem([{ detail }]);

/** budget is from the last headers: {limit, window, left, reset, at}, or null. */
export let budget = null;

const watchers = new Set();

/** watchBudget calls back whenever the budget changes. */
export function watchBudget(callback) {
  watchers.add(callback);
  if (budget) callback(budget);
}

function readBudget(headers) {
  const left = /;r=(\d{1,9})(?:;t=(\d{1,9}))?/.exec(headers.get("RateLimit") ?? "");
  const policy = /;q=(\d{1,9});w=(\d{1,9})/.exec(headers.get("RateLimit-Policy") ?? "");
  if (!left || !policy) return;
  budget = { limit: Number(policy[1]), window: Number(policy[2]), left: Number(left[1]), reset: Number(left[2] ?? 0), at: Date.now() };
  for (const w of watchers) w(budget);
}

const mostBytes = 64 * 1024; // of a quote; no honest one has a tenth of that

/** answerTo gets a quote: {status, body}, or throws the Problem that the server explains. */
export async function answerTo(path, signal) {
  const response = await reach(path, signal);
  readBudget(response.headers);
  const body = await readBytes(response, mostBytes);
  const faults = response.status >= 400 ? faultsIn(body) : [];
  if (faults.length > 0) throw new Problem(faults, seconds(response.headers.get("Retry-After")));
  return { status: response.status, body };
}

/** ask gets one of the server's lists, or throws a Problem; read throws for what is not one. */
export async function ask(path, read = readJSON) {
  const response = await reach(path);
  readBudget(response.headers);
  const body = await readBytes(response, Infinity);
  const faults = response.ok ? [] : faultsIn(body);
  if (faults.length > 0) throw new Problem(faults, seconds(response.headers.get("Retry-After")));
  const value = response.ok ? parse(body, read) : null;
  if (value === null || typeof value !== "object") throw problem(`${path} is not what this page expects (status ${response.status}). Reload the page; if you are behind a login page, log in first.`);
  return value;
}

/** health reads the health check, which has a body whatever its status. */
export async function health() {
  return (await reach("/v3/swap/healthcheck")).json();
}

// readBytes reads little more than most bytes: the size beyond that does not matter.
async function readBytes(response, most) {
  const chunks = [];
  const reader = response.body?.getReader();
  for (let size = 0; reader && size <= most; ) {
    const { value, done } = await reader.read().catch(lost);
    if (done) return joined(chunks);
    chunks.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return joined(chunks);
}

function joined(chunks) {
  const out = new Uint8Array(chunks.reduce((n, c) => n + c.length, 0));
  chunks.reduce((at, c) => (out.set(c, at), at + c.length), 0);
  return out;
}

const readJSON = (body) => JSON.parse(new TextDecoder().decode(body));

function parse(body, read = readJSON) {
  try {
    return read(body);
  } catch {
    return null;
  }
}

// faultsIn are the faults of a problem document; none for any other body.
function faultsIn(body) {
  const value = parse(body);
  const listed = Array.isArray(value?.errors) ? value.errors.flatMap(faultIn) : [];
  return listed.length > 0 ? listed : faultIn(value);
}

function faultIn(value) {
  if (typeof value?.code !== "string") return [];
  const { code, param, detail } = value;
  const said = typeof detail === "string" && detail ? lines(detail) : "The server gives no reason.";
  return [{ code: printable(code), param: typeof param === "string" ? param : "", detail: said }];
}

// lines is the text of a server, up to the length of an explanation.
const lines = (text) => (text.slice(0, 400).match(/.{1,80}/gsu) ?? []).map(printable).join("");

// seconds is the wait to show; zero for none.
const seconds = (text) => (/^[0-9]{1,5}$/.test(text ?? "") ? Number(text) : 0);

const reach = (path, signal) => fetch(path, { signal, redirect: "manual" }).catch(lost);

function lost(error) {
  if (error.name === "AbortError") throw error;
  throw problem("The server cannot be reached. Check the connection and try again.");
}
