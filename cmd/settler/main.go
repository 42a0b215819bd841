// Settler performs the later leg of cross-chain swaps: it watches deposits, pays
// them at their destination, and gives back what cannot be paid.
//
// See settler --help for its commands, and each command's --help for its flags.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"hubquote/internal/flags"
)

// What was built, set by the linker: the same commit always gives the same bytes.
var version, commit = "devel", "unknown"

func main() {
	os.Exit(run(os.Args[1:], std{os.Stdout, os.Stderr, os.LookupEnv}))
}

// std is the environment of a command.
type std struct {
	out, err io.Writer
	env      func(string) (string, bool)
}

func (s std) flags(command, about string) *flags.Set {
	return flags.New(flags.Options{Program: "settler", Command: command, About: about, Out: s.out, Env: s.env})
}

// A command is one verb of the command line.
type command struct {
	name, summary string
	run           func(args []string, s std) error
}

var commands = []command{
	{"run", "settle orders until it is told to stop", settle},
	{"check", "check settings, endpoints, keys, purses and roles", check},
	{"orders", "list orders by state, chain and age", orders},
	{"show", "tell everything about one order", show},
	{"alarms", "list what stops a chain or needs an operator", alarms},
	{"park", "leave an order alone until you say otherwise", wishes("park", parkHelp)},
	{"retry", "try an order again, or a chain that was stopped", wishes("retry", retryHelp)},
	{"cancel", "cancel an order at its destination, then refund it", wishes("cancel", cancelHelp)},
	{"refund", "the same as cancel: a refund needs the cancellation first", wishes("refund", cancelHelp)},
	{"version", "print the version", printVersion},
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

// run performs a command line and returns the exit code. An error is one line:
// the problem, and the remedy.
func run(args []string, s std) int {
	err := dispatch(args, s)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	default:
		fmt.Fprintln(s.err, "settler:", err)
		return 1
	}
}

func dispatch(args []string, s std) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage(s.out)
		return nil
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], s)
		}
	}
	return fmt.Errorf("there is no command %q; settler --help lists those there are", args[0])
}

func usage(w io.Writer) {
	_, _ = io.WriteString(w, intro)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.summary)
	}
	_, _ = io.WriteString(w, outro)
}

func printVersion(_ []string, s std) error {
	_, err := fmt.Fprintf(s.out, "settler %s (commit %s, %s)\n", version, commit, runtime.Version())
	return err
}
