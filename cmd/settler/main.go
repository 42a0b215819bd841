// Settler performs the later leg of cross-chain swaps: it watches deposits, pays
// them at their destination, and gives back what cannot be paid.
//
// See settler --help for its commands, and each command's --help for its flags.
package main

import (
	"os"

	"hubquote/internal/command"
)

// What was built, set by the linker: the same commit always gives the same bytes.
var version, commit = "devel", "unknown"

func main() {
	os.Exit(commands.Run(os.Args[1:], command.Std{Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}))
}

var commands = command.Program{
	Name: "settler", Intro: intro, Outro: outro,
	Commands: []command.Command{
		{Name: "run", Summary: "settle orders until it is told to stop", Run: settle},
		{Name: "check", Summary: "check settings, endpoints, keys, purses and roles", Run: check},
		{Name: "orders", Summary: "list orders by state, chain and age", Run: orders},
		{Name: "show", Summary: "tell everything about one order", Run: show},
		{Name: "alarms", Summary: "list what stops a chain or needs an operator", Run: alarms},
		{Name: "park", Summary: "leave an order alone until you say otherwise", Run: wishes("park", parkHelp)},
		{Name: "retry", Summary: "try an order again, or a chain that was stopped", Run: wishes("retry", retryHelp)},
		{Name: "cancel", Summary: "cancel an order at its destination, then refund it", Run: wishes("cancel", cancelHelp)},
		{Name: "refund", Summary: "the same as cancel: a refund needs the cancellation first", Run: wishes("refund", cancelHelp)},
		command.Version(version, commit),
	},
}

const intro = `settler performs the later leg of cross-chain swaps: it watches deposits on the
chains with pools, pays them at their destination, releases what was paid, and
gives back what cannot be paid. The chains are the truth; its journal is a
write-ahead log, and losing it costs gas, never money.

Usage:

  settler <command> [flags]

Commands:

`

const outro = `
Start here, with a key made by geth account new that has the relayer's role:

  settler check --config settler.toml     # until it exits with 0
  settler run --config settler.toml

  settler orders --state waiting
  settler show 0x…
  settler park 0x… --by ann

One command is enough to begin: the journal is then a file beside it. Several
settlers share a journal in Postgres; one works, the others stand by.

settler <command> --help tells about one command.
`
