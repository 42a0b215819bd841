// Devnet runs local chains with the contracts of the reference deployment, an
// attester, the settler and the quote service.
//
// Nothing it does reaches a public chain, and its keys are public.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"hubquote/internal/flags"
	"hubquote/internal/term"
)

func main() {
	os.Exit(run(os.Args[1:], std{os.Stdout, os.Stderr}))
}

// std is where a command writes.
type std struct{ out, err io.Writer }

func (s std) flags(command, about string) *flags.Set {
	return flags.New(flags.Options{Program: "devnet", Command: command, About: about, Out: s.out})
}

func (s std) terminal() *term.Terminal { return term.New(s.out, os.LookupEnv) }

// A command is one verb of the command line.
type command struct {
	name, summary string
	run           func(args []string, s std) error
}

var commands = []command{
	{"up", "start everything, and run it until Ctrl-C", up},
	{"swap", "perform one swap on a devnet that is up, step by step", swapOnce},
}

const intro = `devnet runs local chains with the contracts of the reference deployment, an
attester, the settler and the quote service.

Usage:

  devnet [command] [flags]

Commands, of which the first is the one without a name:

`

const outro = `
devnet <command> --help tells about one command.
`

// run performs a command line and returns the exit code.
func run(args []string, s std) int {
	err := dispatch(args, s)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	default:
		fmt.Fprintln(s.err, "devnet:", err)
		return 1
	}
}

func dispatch(args []string, s std) error {
	if len(args) == 0 {
		return up(nil, s)
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage(s.out)
		return nil
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], s)
		}
	}
	return fmt.Errorf("there is no command %q; devnet --help lists those there are", args[0])
}

func usage(w io.Writer) {
	io.WriteString(w, intro)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-6s %s\n", c.name, c.summary)
	}
	io.WriteString(w, outro)
}
