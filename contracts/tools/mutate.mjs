// Breaks the contracts in one place at a time and counts how often the tests
// notice.
//
//   node tools/mutate.mjs [--minutes 60] [--workers 2] [src/Pool.sol ...]
//   node tools/mutate.mjs --list     what is known so far
//   node tools/mutate.mjs --check    whether mutants.txt names mutants that there are
//
// Without files it takes all that holds money. What is known is kept in
// cache/mutants.json: a run that is stopped, or that has used up its minutes,
// goes on where it was. A mutant that was killed stays so while its file is the
// same; one that lived is tried again whenever a test has changed. Survivors must
// be in mutants.txt, each with the reason.
//
// Each worker has a copy of the project in memory and a compiler that keeps
// running. Tests are linked to the contracts when they run and the optimizer is
// off, so that a mutant costs the compilation of one file and those that inherit
// from it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutantsOf } from "./mutants.mjs";

const root = join(import.meta.dirname, "..");
const enough = 90; // percent
const patience = 15 * 60_000; // milliseconds, for what a mutant may have made endless

const money = [
  "base/Ledger", "base/OrderSource", "base/TwoStepAdmin", "Pool", "Receiver", "GatewayPool", "ShieldPool", "IntegratorRegistry",
  "libraries/BurnMessage", "libraries/Burns", "libraries/FeeMath", "libraries/HookData", "libraries/RecipientBytes",
  "libraries/RollingCap", "libraries/ShieldFee", "types/Currency", "types/Order",
].map((name) => `src/${name}.sol`);

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "60" }, workers: { type: "string", default: "2" }, list: { type: "boolean" }, check: { type: "boolean" } },
});

const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);

function hashOfTests() {
  const paths = readdirSync(join(root, "test"), { recursive: true }).filter((p) => p.endsWith(".sol")).sort();
  return hash(paths.map((path) => readFileSync(join(root, "test", path))).join("\0"));
}

// ------------------------------------------------------------------- record

const recordPath = join(root, "cache/mutants.json");
const record = existsSync(recordPath) ? JSON.parse(readFileSync(recordPath, "utf8")) : {};
const tests = hashOfTests();
const sourceHash = Object.fromEntries(money.concat(positionals).map((file) => [file, hash(readFileSync(join(root, file)))]));

function fateOf(mutant) {
  const known = record[mutant.key];
  if (known?.source !== sourceHash[mutant.file]) return undefined;
  return known.fate === "lived" && known.tests !== tests ? undefined : known.fate;
}

function remember(mutant, fate) {
  record[mutant.key] = { fate, source: sourceHash[mutant.file], tests };
  mkdirSync(join(root, "cache"), { recursive: true });
  writeFileSync(recordPath, JSON.stringify(record, null, 1));
}

// ---------------------------------------------------------------------- run

const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

function newWorkshop(from, names) {
  const folder = mkdtempSync(join(memory, "mutants-"));
  for (const name of names) cpSync(join(from, name), join(folder, name), { recursive: true });
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// The first copy is compiled and tested as it is; the others are copies of it.
async function newWorkshops(count) {
  const first = newWorkshop(root, ["src", "test", "tools", "node_modules", "foundry.toml", "package.json"]);
  const compiler = await newCompiler(first);
  const { ok, said } = await test(first, stages[0]);
  if (!ok) throw new Error(`the tests fail without a mutant\n${said.slice(-3000)}`);
  compiler.kill();
  rmSync(join(first, "solc.sock"), { force: true });
  return [first, ...Array.from({ length: count - 1 }, () => newWorkshop(first, readdirSync(first)))];
}

// The compiler grows with every call, so it is replaced now and then.
async function newCompiler(folder) {
  const env = { ...process.env, SOLC_SOCKET: join(folder, "solc.sock") };
  rmSync(env.SOLC_SOCKET, { force: true });
  const child = spawn("node", ["tools/mutate-solc.mjs", "--serve"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => child.kill());
  await once(child.stdout, "data");
  return child;
}

function forge(folder, ...args) {
  const env = { ...process.env, FOUNDRY_DYNAMIC_TEST_LINKING: "true", FOUNDRY_OPTIMIZER: "false", FOUNDRY_FUZZ_RUNS: "24", FOUNDRY_INVARIANT_RUNS: "2",
    FOUNDRY_SOLC: "tools/mutate-solc.mjs", SOLC_SOCKET: join(folder, "solc.sock") };
  return new Promise((resolve) => {
    const child = spawn(join(folder, "node_modules/.bin/forge"), args, { cwd: folder, env, detached: true });
    let said = "";
    child.stdout.on("data", (text) => (said += text));
    child.stderr.on("data", (text) => (said += text));
    const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), patience);
    child.on("close", (code) => { clearTimeout(timer); resolve({ ok: code === 0, said }); });
  });
}

// Gas is that of optimized code, so its tests are left out. The cheap tests come
// first; a mutant that survives them is run with the proofs, with random values,
// and then with the invariants.
const test = (folder, args) => forge(folder, "test", "--fail-fast", "--code-size-limit", "1000000", ...args);
const random = "fuzz|everyAction";
const stages = [
  ["--no-match-contract", "Gas|Invariant", "--no-match-test", random, "--no-match-path", "test/proofs/*"],
  ["--match-path", "test/proofs/*", "--no-match-test", random],
  ["--no-match-contract", "Gas|Invariant", "--match-test", random],
  ["--match-contract", "Invariant"],
];

async function judge(folder, mutant) {
  const source = readFileSync(join(root, mutant.file));
  const broken = Buffer.concat([source.subarray(0, mutant.start), Buffer.from(mutant.to), source.subarray(mutant.end)]);
  writeFileSync(join(folder, mutant.file), broken);
  try {
    for (const stage of stages) {
      const { ok, said } = await test(folder, stage);
      if (/Compiler run failed/.test(said)) return "not viable";
      if (!ok) return /\[FAIL/.test(said) ? "killed" : "unknown";
    }
    return "lived";
  } finally {
    writeFileSync(join(folder, mutant.file), source);
  }
}

async function work(folder, queue, until) {
  let compiler = await newCompiler(folder);
  for (let n = 1, mutant; Date.now() < until && (mutant = queue.shift()); ++n) {
    const fate = await judge(folder, mutant);
    if (fate !== "unknown") remember(mutant, fate); // out of time or memory, which says nothing of the tests
    console.log(`${fate.padEnd(10)} ${mutant.key}`);
    if (n % 40 === 0) compiler.kill(), (compiler = await newCompiler(folder));
  }
  compiler.kill();
}

// ------------------------------------------------------------------- report

// A line of mutants.txt is a mutant's key, a tab, and why no test kills it.
function reasons() {
  const path = join(root, "mutants.txt");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return new Map(lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t")));
}

function report(mutants) {
  const known = reasons();
  let fine = true;
  const total = { mutants: 0, "not viable": 0, killed: 0, lived: 0, "not run": 0 };
  for (const file of [...new Set(mutants.map((mutant) => mutant.file))].sort()) {
    const list = mutants.filter((mutant) => mutant.file === file);
    const row = { mutants: list.length, "not viable": 0, killed: 0, lived: 0, "not run": 0 };
    for (const mutant of list) ++row[fateOf(mutant) ?? "not run"];
    for (const name of Object.keys(total)) total[name] += row[name];
    console.log(file.padEnd(34), JSON.stringify(row));
  }
  for (const mutant of mutants.filter((mutant) => fateOf(mutant) === "lived")) {
    const why = known.get(mutant.key);
    fine &&= Boolean(why);
    console.log(`lived: ${mutant.key}\n       ${why ?? "NO REASON in mutants.txt: write a test, or the reason"}`);
  }
  const share = (100 * total.killed) / (total.killed + total.lived);
  console.log(`${"all".padEnd(34)} ${JSON.stringify(total)}, ${share.toFixed(1)} % killed of those run`);
  return fine && share >= enough;
}

// A survivor whose line of code is gone must not stay in the list: its reason
// could excuse another.
function stale(mutants) {
  const keys = new Set(mutants.map((mutant) => mutant.key));
  return [...reasons()].filter(([key, why]) => !keys.has(key) || !why).map(([key]) => key);
}

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const mutants = mutantsOf(root, positionals.length ? positionals : money);
if (flags.check) {
  const gone = stale(mutants);
  for (const key of gone) console.error(`mutants.txt: no such mutant, or no reason: ${key}`);
  process.exit(gone.length ? 1 : 0);
}
if (!flags.list) {
  // In the order of a hash, so that what a stopped run has done is a fair sample.
  const queue = mutants.filter((mutant) => !fateOf(mutant)).sort((a, b) => (hash(a.key) < hash(b.key) ? -1 : 1));
  const until = Date.now() + Number(flags.minutes) * 60_000;
  const folders = queue.length ? await newWorkshops(Math.min(Number(flags.workers), queue.length)) : [];
  await Promise.all(folders.map((folder) => work(folder, queue, until)));
}
process.exitCode = report(mutants) ? 0 : 1;
