// The pinned compiler from npm. It takes a minute for all contracts, so what it
// answered is kept outside of the tree, by the hash of the compiler and of the
// question: a fresh clone asks the same, and gets the same.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hubquote", "solc");
const keep = 16;
const compiler = readFileSync(join(dirname(createRequire(import.meta.url).resolve("solc")), "soljson.js"));

/** version names the compiler. */
export const version = () => cached("version", (solc) => solc.version());

/** compile answers the compiler's standard JSON input. All sources are in it. */
export const compile = (input) => cached(`compile ${input}`, (solc) => solc.compile(input));

async function cached(question, answer) {
  const file = join(folder, createHash("sha256").update(compiler).update(question).digest("hex"));
  try {
    const known = readFileSync(file, "utf8");
    utimesSync(file, new Date(), new Date());
    return known;
  } catch {
    const { default: solc } = await import("solc");
    const text = answer(solc);
    store(file, text);
    return text;
  }
}

// A cache that cannot be written costs time and nothing else.
function store(file, text) {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
    const files = readdirSync(folder).map((name) => join(folder, name));
    const newest = files.map((path) => ({ path, used: statSync(path).mtimeMs })).sort((a, b) => b.used - a.used);
    for (const { path } of newest.slice(keep)) rmSync(path, { force: true });
  } catch (err) {
    console.error(`not kept: ${err.message}`);
  }
}
