// Lists the ways in which a source file is broken: one small change each. The
// compiler's own syntax tree says where, so that no change falls into a comment
// or a string.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import solc from "solc";

// What a review once changed by hand and the tests of that day did not notice
// (all but the last three), written for the sources of today.
const byHand = [
  ["base/OrderSource.sol", "emit OrderRefunded(id, order.refundTo, deposit.amount,", "emit OrderRefunded(id, address(0), 0,"],
  ["Pool.sol", "emit OrderCancelled(_settle(order, Settlement.Cancelled));", "_settle(order, Settlement.Cancelled); emit OrderCancelled(0);"],
  ["base/Ledger.sol", "emit Credited(account, id, amount);", ""],
  ["Pool.sol", "fees.protocol,\n            fees.integrator,", "fees.integrator,\n            fees.protocol,"],
  ["Pool.sol", "caps[CapKind.Payments].spend(leaves);", "caps[CapKind.Payments].spend(cost);"],
  ["base/OrderSource.sol", "uint256 total;", "uint256 total; _requirePayments();"],
  ["Pool.sol", "emit OrderCancelled(", "_requirePayments(); emit OrderCancelled("],
  ["ShieldPool.sol", "if (there != received || here != cost)", "if (there != received)"],
  ["Receiver.sol", "if (minted != expected)", "if (minted < expected)"],
  ["libraries/Burns.sol", "FINALIZED = 2000", "FINALIZED = 1000"],
  ["types/Currency.sol", "NATIVE_PAYMENT_GAS = 50_000", "NATIVE_PAYMENT_GAS = 10_000"],
  ["Pool.sol", "function fulfil(Order memory order, bool mayOwe) external onlyRelayer nonReentrant", "function fulfil(Order memory order, bool mayOwe) external onlyRelayer"],
  ["Pool.sol", "bytes32 integratorId\n    ) external payable nonReentrant", "bytes32 integratorId\n    ) external payable"],
  ["base/Ledger.sol", "uint256(totals.owed) + totals.held", "uint256(totals.owed)"],
  ["Receiver.sol", "if (_low(burn.mintRecipient) != address(this))", "if (burn.mintRecipient != _word(address(this)))"],
  ["base/Ledger.sol", "_claim(msg.sender, _nonZero(to));", "_claim(to, _nonZero(to));"],
];

const swapped = {
  "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
  "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=",
};

// Each operator is given a node and `text`, which returns the source of one,
// and returns what to put in place of which node.
const operators = {
  ExpressionStatement: (node) => [{ name: "delete statement", node, to: "{}" }],
  RevertStatement: (node) => [{ name: "delete revert", node, to: "{}" }],
  EmitStatement: (node, text) => [{ name: "delete event", node, to: "{}" }, ...otherArguments(node.eventCall.arguments, text)],
  IfStatement: ({ condition }, text) =>
    ["==", "!="].includes(condition.operator) ? [] : [{ name: "negate condition", node: condition, to: `!(${text(condition)})` }],
  Conditional: (node, text) => [
    { name: "swap branches", node, to: `(${text(node.condition)} ? ${text(node.falseExpression)} : ${text(node.trueExpression)})` },
  ],
  UnaryOperation: (node, text) => (node.operator === "!" ? [{ name: "drop negation", node, to: text(node.subExpression) }] : []),
  BinaryOperation: (node, text) => replaceOperator(node, node.leftExpression, node.rightExpression, text),
  Assignment: (node, text) => replaceOperator(node, node.leftHandSide, node.rightHandSide, text),
  Literal: (node, text) => (node.kind === "number" ? [{ name: "off by one", node, to: plusOne(text(node)) }] : []),
  ModifierInvocation: (node) => (node.kind === "modifierInvocation" ? [{ name: "delete modifier", node, to: "" }] : []),
  Return: ({ expression }, text) =>
    expression ? otherValues(expression, text).map((to) => ({ name: "replace return", node: expression, to })) : [],
};

function replaceOperator(node, left, right, text) {
  const to = swapped[node.operator];
  return to ? [{ name: "swap operator", node, to: `${text(left)} ${to} ${text(right)}` }] : [];
}

// The digits of "50_000", "5 days" and "0x20" are the first word.
function plusOne(literal) {
  const [digits, ...unit] = literal.split(" ");
  if (/[.e]/.test(digits) && !digits.startsWith("0x")) return literal.replace(/\d/, (d) => (Number(d) + 1) % 10);
  return [BigInt(digits.replaceAll("_", "")) + 1n, ...unit].join(" ");
}

const typeOf = (node) => node.typeDescriptions?.typeString ?? "";

function otherValues(node, text) {
  const type = typeOf(node);
  if (type === "bool") return [`!(${text(node)})`];
  if (/^(u?int\d*|bytes\d+)$/.test(type)) return [`${type}(0)`];
  return type === "address" ? ["address(0)"] : [];
}

function otherArguments(args, text) {
  const zeros = args.flatMap((node) => otherValues(node, text).map((to) => ({ name: "change event argument", node, to })));
  const pairs = args.slice(1).map((right, i) => [args[i], right]);
  const swaps = pairs.filter(([left, right]) => typeOf(left) === typeOf(right));
  return [...zeros, ...swaps.map(([left, right]) => ({ name: "swap event arguments", node: spanOf(left, right), to: `${text(right)}, ${text(left)}` }))];
}

function rangeOf({ src }) {
  const [start, length] = src.split(":").map(Number);
  return { start, end: start + length };
}

function spanOf(left, right) {
  const start = rangeOf(left).start;
  return { src: `${start}:${rangeOf(right).end - start}:0` };
}

function* walk(node, within) {
  if (Array.isArray(node)) for (const child of node) yield* walk(child, within);
  else if (node?.nodeType) {
    if (["FunctionDefinition", "ModifierDefinition"].includes(node.nodeType)) within = node.name || node.kind;
    if (node.nodeType === "VariableDeclaration" && node.stateVariable) within = node.name;
    yield { node, within };
    for (const child of Object.values(node)) if (child && typeof child === "object") yield* walk(child, within);
  }
}

function inTree(file, source, tree) {
  const text = (node) => source.subarray(rangeOf(node).start, rangeOf(node).end).toString();
  const found = [];
  for (const { node, within } of walk(tree)) {
    if (!within) continue;
    for (const { name, node: place, to } of operators[node.nodeType]?.(node, text) ?? []) {
      found.push({ file, within, name, ...rangeOf(place), from: text(place), to });
    }
  }
  return found;
}

function byHandIn(file, source) {
  return byHand
    .filter(([name]) => file === join("src", name))
    .map(([, from, to]) => {
      const start = source.indexOf(from);
      if (start < 0) throw new Error(`${file} no longer has ${JSON.stringify(from)}: change the list in mutants.mjs`);
      return { file, within: "by hand", name: "a review's", start, end: start + Buffer.byteLength(from), from, to };
    });
}

const line = (text) => text.replace(/\s+/g, " ").trim();

// A mutant is known by what it changes and where, not by its line, so that a
// list of survivors outlives the next edit.
function named(mutants) {
  const seen = new Map();
  for (const m of mutants) {
    const base = `${m.file} ${m.within}: ${m.name}: ${line(m.from)} -> ${line(m.to) || "nothing"}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    m.key = count === 1 ? base : `${base} #${count}`;
    m.rank = m.within === "by hand" ? "" : createHash("sha256").update(m.key).digest("hex");
  }
  return mutants;
}

function treesOf(root) {
  const paths = readdirSync(join(root, "src"), { recursive: true }).filter((p) => p.endsWith(".sol")).map((p) => join("src", p));
  const read = (path) => ({ contents: readFileSync(join(root, path.startsWith("@") ? join("node_modules", path) : path), "utf8") });
  const sources = Object.fromEntries(paths.map((path) => [path, { content: read(path).contents }]));
  const settings = { evmVersion: "paris", outputSelection: { "*": { "": ["ast"] } } };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings }), { import: read }));
  if (output.errors?.length) throw new Error(output.errors[0].formattedMessage);
  return output.sources;
}

// Returns the mutants of `files`: those made by hand, then the others in an order
// that depends on nothing but what they are, so that any first part of them is a
// fair sample.
export function mutantsOf(root, files) {
  const trees = treesOf(root);
  const all = files.flatMap((file) => {
    const source = readFileSync(join(root, file));
    return named([...inTree(file, source, trees[file].ast), ...byHandIn(file, source)]);
  });
  return all.sort((a, b) => (a.rank < b.rank ? -1 : 1));
}
