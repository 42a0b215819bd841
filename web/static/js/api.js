// Asking the server, and keeping count of what is left of the budget that all
// of a client's requests share.

/** A Problem is an error the server explained. */
export class Problem extends Error {
  constructor(body, retryAfter) {
    super(body.detail ?? "The server gave no reason.");
    this.body = body;
    this.code = body.code ?? "UNKNOWN";
    this.retryAfter = retryAfter;
  }

  /** faults lists what is wrong, parameter by parameter. */
  get faults() {
    return this.body.errors ?? [{ code: this.code, param: this.body.param, detail: this.message, limits: this.body.limits }];
  }
}

/** budget is what the headers last said: {limit, left, reset, at}, or null. */
export let budget = null;

const watchers = new Set();

/** watchBudget calls back whenever the budget is heard of. */
export function watchBudget(callback) {
  watchers.add(callback);
  if (budget) callback(budget);
}

function readBudget(headers) {
  const left = /;r=(\d+)(?:;t=(\d+))?/.exec(headers.get("RateLimit") ?? "");
  const policy = /;q=(\d+);w=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "");
  if (!left || !policy) return;
  budget = { limit: Number(policy[1]), window: Number(policy[2]), left: Number(left[1]), reset: Number(left[2] ?? 0), at: Date.now() };
  for (const w of watchers) w(budget);
}

/** ask gets a path and returns its JSON, or throws a Problem. */
export async function ask(path, signal) {
  const response = await reach(path, signal);
  readBudget(response.headers);
  const body = await response.json().catch(() => ({ detail: `The server answered with status ${response.status} and no explanation.` }));
  if (!response.ok) throw new Problem(body, Number(response.headers.get("Retry-After") ?? 0));
  return body;
}

/** health reads the health check, which has a body whatever its status. */
export async function health() {
  return (await reach("/v3/swap/healthcheck")).json();
}

async function reach(path, signal) {
  try {
    return await fetch(path, { signal, headers: { Accept: "application/json" }, credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ code: "UNREACHABLE", detail: "The server cannot be reached. Check the connection and try again." }, 0);
  }
}
