// Compiles the contracts with the pinned compiler and writes what Go embeds:
//
//   out/<Contract>.json           what is deployed          from src/
//   out/standins/<Contract>.json  what tests put in place   from test/standins/
//
// The bytecode is a function of the sources and of this file alone: no metadata
// hash, no paths, no dates. With --check nothing is written, and a difference
// to what is committed is an error.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile as ask } from "./compiler.mjs";

const root = join(import.meta.dirname, "..");
const check = process.argv.includes("--check");

// Paris is the newest EVM that all of the networks with pools are known to run:
// later compilers' targets need opcodes (PUSH0, MCOPY, transient storage) that
// not each of them publishes support for. An unknown opcode would cost a
// deployment; the older target costs a little gas.
//
// The optimizer is told to prefer small code (runs: 60): a pool with all its
// guards comes close to the 24,576 bytes that a contract may have. The IR
// pipeline would give smaller code still, but takes six times as long to
// compile with this compiler, and tests and mutants compile all day.
const settings = {
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 60 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
  outputSelection: {
    "*": { "": ["ast"], "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode"] },
  },
};

const folders = { src: "out", "test/standins": "out/standins" };

function solidityIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(".sol"))
    .map((name) => join(folder, name))
    .sort();
}

const fileOf = (path) => join(root, path.startsWith("@") ? "node_modules" : "", path);

// withImports returns the sources at some paths and all that they import.
function withImports(paths) {
  const sources = {};
  for (const queue = [...paths]; queue.length; ) {
    const path = queue.pop();
    if (sources[path]) continue;
    const content = readFileSync(fileOf(path), "utf8");
    sources[path] = { content };
    for (const [, name] of content.matchAll(/^import\s[^"]*"([^"]+)"/gm)) queue.push(name.startsWith(".") ? join(dirname(path), name) : name);
  }
  return sources;
}

async function compile(paths) {
  const input = { language: "Solidity", sources: withImports(paths), settings };
  const output = JSON.parse(await ask(JSON.stringify(input)));
  for (const problem of output.errors ?? []) console.error(problem.formattedMessage);
  if (output.errors?.length) process.exit(1);
  return output;
}

// Only what can be deployed is an artifact: no interface, library or base.
function deployable(output, path) {
  return output.sources[path].ast.nodes
    .filter((node) => node.contractKind === "contract" && !node.abstract)
    .map((node) => [node.name, output.contracts[path][node.name]]);
}

// The compiler says where an immutable is by the number of its declaration.
function immutableNames(output) {
  const contracts = Object.values(output.sources).flatMap(({ ast }) => ast.nodes);
  const members = contracts.flatMap((node) => node.nodes ?? []);
  return new Map(members.filter((node) => node.mutability === "immutable").map((node) => [String(node.id), node.name]));
}

// Where the runtime code has each immutable, by its name.
function immutablesOf(references, names) {
  const spans = (places) => places.sort((a, b) => a.start - b.start).map(({ start, length }) => [start, length]);
  const list = Object.entries(references ?? {}).map(([id, places]) => [names.get(id), spans(places)]);
  return Object.fromEntries(list.sort(([a], [b]) => (a < b ? -1 : 1)));
}

// One ABI entry a line, so that a changed function is a changed line.
function artifact(name, { abi, evm }, names) {
  const immutables = immutablesOf(evm.deployedBytecode.immutableReferences, names);
  const entries = abi.map((entry) => "  " + JSON.stringify(entry)).join(",\n");
  return `{
"contract": ${JSON.stringify(name)},
"abi": [
${entries}
],
"creation": "0x${evm.bytecode.object}",
"runtime": "0x${evm.deployedBytecode.object}",
"immutables": ${JSON.stringify(immutables)}
}
`;
}

// Each folder is compiled by itself, so that no test can change what is deployed.
async function build() {
  const files = new Map();
  for (const [folder, out] of Object.entries(folders)) {
    const paths = solidityIn(folder);
    const output = await compile(paths);
    const names = immutableNames(output);
    for (const [name, contract] of paths.flatMap((path) => deployable(output, path))) {
      files.set(join(out, `${name}.json`), artifact(name, contract, names));
    }
  }
  return files;
}

function committed() {
  return readdirSync(join(root, "out"), { recursive: true })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join("out", name));
}

function differences(files) {
  const gone = committed().filter((path) => !files.has(path));
  const changed = [...files].filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text).map(([path]) => path);
  return [...gone, ...changed];
}

const files = await build();
if (check) {
  const stale = differences(files);
  for (const path of stale) console.error(`${path} is not what the sources compile to: run npm run build`);
  process.exitCode = stale.length ? 1 : 0;
} else {
  rmSync(join(root, "out"), { recursive: true, force: true });
  for (const out of Object.values(folders)) mkdirSync(join(root, out), { recursive: true });
  for (const [path, text] of files) writeFileSync(join(root, path), text);
}
