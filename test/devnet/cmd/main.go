// Devnet runs local chains with the contracts of the reference deployment, an
// attester, the settler and the quote service.
//
// Nothing it does reaches a public chain, and its keys are public.
package main

import (
	"os"

	"hubquote/internal/command"
)

func main() {
	os.Exit(commands.Run(os.Args[1:], command.Std{Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}))
}

var commands = command.Program{
	Name: "devnet", Intro: intro, Outro: outro,
	Default: "up",
	Commands: []command.Command{
		{Name: "up", Summary: "start everything, and run it until Ctrl-C", Run: up},
		{Name: "swap", Summary: "perform one swap on a devnet that is up, step by step", Run: swapOnce},
	},
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
