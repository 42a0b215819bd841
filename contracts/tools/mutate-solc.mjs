#!/usr/bin/env node
// The pinned compiler, kept running between mutants: starting it takes longer
// than what it does for one of them.
//
//   SOLC_SOCKET=path node mutate-solc.mjs --serve    answers at the socket
//   SOLC_SOCKET=path node mutate-solc.mjs [...]      what forge calls: asks there
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";

const socket = process.env.SOLC_SOCKET;

async function serve() {
  const { default: solc } = await import("solc");
  const answer = (text) => (text ? solc.compile(text) : solc.version());
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const parts = [];
    client.on("data", (part) => parts.push(part));
    client.on("end", () => client.end(answer(Buffer.concat(parts).toString())));
  });
  server.listen(socket, () => console.log("ready"));
}

function ask(text, print) {
  const parts = [];
  const server = connect({ path: socket, allowHalfOpen: true }, () => server.end(text));
  server.on("data", (part) => parts.push(part));
  server.on("end", () => print(Buffer.concat(parts).toString()));
}

if (process.argv.includes("--serve")) await serve();
else if (process.argv.includes("--version")) ask("", (version) => console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`));
else ask(readFileSync(0, "utf8"), (output) => process.stdout.write(output));
