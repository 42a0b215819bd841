// The texts of verdicts, and whether they allow sending.

/** Gate decides whether an answer may be sent and copied. */
export class Gate {
  accepted = new Set(); // codes of reasons
  stale = false; // whether the answer is for an earlier request
  watchers = new Set();

  constructor(verdict) {
    this.verdict = verdict;
    this.reasons = verdict.verdict === "unproven" ? verdict.reasons : [];
  }

  get open() {
    const { verdict } = this.verdict;
    if (this.stale) return false;
    return verdict === "proved" || (verdict === "unproven" && this.reasons.every((r) => this.accepted.has(r.code)));
  }

  accept(code, yes) {
    if (yes) this.accepted.add(code);
    else this.accepted.delete(code);
    this.tell();
  }

  /** age closes the gate while the form has another request. */
  age(stale) {
    if (this.stale === stale) return;
    this.stale = stale;
    this.tell();
  }

  tell() {
    for (const w of this.watchers) w();
  }

  watch(callback) {
    this.watchers.add(callback);
    return () => this.watchers.delete(callback);
  }
}

/** outdated replaces the verdict of a stale answer. */
export const outdated = "Out of date: this answer is for an earlier request. Get a new quote.";

/** closed says why a gate is closed, and how to open it. */
export const closed = (gate, use) => (gate.stale ? outdated : `This answer is not proved. Accept above what is not known, and it can be ${use}.`);

/** unknowns are the texts of reasons: what is not known, and the statement to accept. */
export const unknowns = {
  NOTE_UNPROVEN: {
    says: "Who can spend the money is not known: the recipient is encrypted, and the answer was asked for without its proof.",
    accept: "I trust this server to have encrypted my recipient and no other.",
  },
  INTEGRATOR_RATE_UNPINNED: {
    says: "Whether the integrator’s rate is the registered one is not known: the server read it on chain, and a browser without a node cannot.",
    accept: "I have seen the integrator’s fee, and accept it.",
  },
};

const other = { says: "Something about this answer is not known.", accept: "I accept that." };

export const unknown = (code) => unknowns[code] ?? other;

// refusals are the texts of codes, about a field or the whole answer.
const refusals = {
  ANSWER_STATUS: "The server did not answer with a quote.",
  ANSWER_TOO_LARGE: "The answer is larger than any quote; the rest of it was not read.",
  ANSWER_NOT_JSON: "The answer is not a quote. A login page or a proxy between you and the server may have given it.",
  FIELD_REPEATED: "is said twice, so the answer can be read in two ways.",
  FIELD_MISSING: "is missing.",
  FIELD_DIFFERS: "is not what your request comes to.",
  FIELD_EXTRA: "does not belong there.",
  INTEGRATOR_RATE_DIFFERS: "is not the share that the integrator may take.",
  MAX_FEE_DIFFERS: "is not a fee that the issuer charges.",
  NOTE_DIFFERS: "is encrypted for another recipient, or came with another proof.",
};

/** headline is a verdict in one sentence; what is refused is named before it. */
export function headline({ verdict, code }) {
  if (verdict === "proved") return "Proved: every field and every byte is what your request comes to.";
  if (verdict === "unproven") return "Not proved. Everything else is what your request comes to, but:";
  return refusals[code] ?? "is refused.";
}
