// Hubquote quotes cross-chain swaps through chain 369.
//
// See hubquote --help for its commands, and each command's --help for its
// flags.
package main

import (
	"os"

	"hubquote/internal/command"
)

// Version and commit, set by the linker: the same commit always gives the same bytes.
var version, commit = "devel", "unknown"

func main() {
	os.Exit(commands.Run(os.Args[1:], command.Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}))
}

var commands = command.Program{
	Name: "hubquote", Intro: intro, Outro: outro,
	Commands: []command.Command{
		{Name: "serve", Summary: "answer requests for quotes over HTTP", Run: serve},
		{Name: "quote", Summary: "ask for a quote, and check every byte of it", Run: quote},
		{Name: "verify", Summary: "check a quote that was asked for elsewhere", Run: verify},
		{Name: "decode", Summary: "tell what a call does", Run: decode},
		{Name: "routes", Summary: "list what can be swapped for what", Run: routes},
		{Name: "pins", Summary: "write down what quotes are checked against", Run: pins},
		{Name: "plan", Summary: "list the contracts to deploy, or write their addresses", Run: plan},
		{Name: "track", Summary: "follow a swap, and prove its legs", Run: track},
		{Name: "mcp", Summary: "serve verified quotes to an AI agent", Run: serveAgent},
		command.Version(version, commit),
	},
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
