// The published vectors, and the table of altered answers.

import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

const read = (path) => readFileSync(new URL(path, root), "utf8");

/** published is docs/vectors.json: {pins, vectors}. */
export const published = JSON.parse(read("docs/vectors.json"));

/** mutations are the rows of the table that all verifiers are held to. */
export const mutations = () => JSON.parse(read("test/mutations/mutations.json")).mutations;

// The vectors' quotes are compact JSON, in the shortest spelling of numbers: so
// is what this writes.
const base = (name) => JSON.stringify(published.vectors.find((v) => v.name === name).quote);

/** answerOf is the body that a row's server answers, as bytes. */
export function answerOf(row) {
  if (row.base64 !== undefined) return Buffer.from(row.base64, "base64");
  const edited = (row.edits ?? []).reduce(edit, base(row.base));
  return Buffer.from((row.prefix ?? "") + edited + (row.suffix ?? "") + " ".repeat(row.pad ?? 0));
}

function edit(text, { find, put }) {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${JSON.stringify(find)} occurs ${parts.length - 1} times, want once`);
  return parts.join(put);
}
