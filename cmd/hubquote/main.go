// Hubquote quotes cross-chain swaps through chain 369.
//
// See hubquote --help for its commands, and each command's --help for its
// flags.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"hubquote/internal/flags"
	"hubquote/internal/follow"
	"hubquote/internal/term"
)

// Version and commit, set by the linker: the same commit always gives the same bytes.
var version, commit = "devel", "unknown"

func main() {
	os.Exit(run(os.Args[1:], std{os.Stdin, os.Stdout, os.Stderr, os.LookupEnv}))
}

// std is the environment of a command.
type std struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) (string, bool)
}

func (s std) flags(command, about string) *flags.Set {
	return flags.New(flags.Options{Program: "hubquote", Command: command, About: about, Out: s.out, Env: s.env})
}

// terminal returns a terminal for output, with row names of that width.
func (s std) terminal(labels int) *term.Terminal {
	t := term.New(s.out, s.env)
	t.Labels = labels
	return t
}

// A command is one verb of the command line.
type command struct {
	name, summary string
	run           func(args []string, s std) error
}

var commands = []command{
	{"serve", "answer requests for quotes over HTTP", serve},
	{"quote", "ask for a quote, and check every byte of it", quote},
	{"verify", "check a quote that was asked for elsewhere", verify},
	{"decode", "tell what a call does", decode},
	{"routes", "list what can be swapped for what", routes},
	{"pins", "write down what quotes are checked against", pins},
	{"plan", "list the contracts to deploy, or write their addresses", plan},
	{"track", "follow a swap, and prove its legs", track},
	{"mcp", "serve verified quotes to an AI agent", serveAgent},
	{"version", "print the version", printVersion},
}

const intro = `hubquote quotes cross-chain swaps through chain 369: it returns the transaction
that performs a swap, ready to be checked and signed.

Usage:

  hubquote <command> [flags]

Commands:

`

const outro = `
Start here:

  hubquote quote --local --from USDC@369 --to USDC@8453 --amount 25.5 --recipient 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  hubquote serve
  curl 'http://127.0.0.1:8080/v3/swap/quote?srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=1000000000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

hubquote <command> --help tells about one command.
`

// run performs a command line and returns the exit code. An error is one line:
// the problem, and the remedy.
func run(args []string, s std) int {
	err := dispatch(args, s)
	if code, ok := errors.AsType[follow.Exit](err); ok {
		return int(code)
	}
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	default:
		fmt.Fprintln(s.err, "hubquote:", err)
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
	return fmt.Errorf("there is no command %q; hubquote --help lists those there are", args[0])
}

func usage(w io.Writer) {
	var b strings.Builder
	b.WriteString(intro)
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-8s %s\n", c.name, c.summary)
	}
	b.WriteString(outro)
	io.WriteString(w, b.String())
}

func printVersion(_ []string, s std) error {
	_, err := fmt.Fprintf(s.out, "hubquote %s (commit %s, %s)\n", version, commit, runtime.Version())
	return err
}
