// Package agent offers quotes to an AI agent over the Model Context Protocol.
//
// An agent sees a quote only after every byte of it was derived again from the
// user's pins. A quote that differs, or that cannot be proved, is an error
// without a transaction in it. Nothing here signs or sends.
package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hubquote/client"
	"hubquote/internal/ask"
	"hubquote/internal/catalog"
	"hubquote/swap"
)

// Options configure [Serve].
type Options struct {
	Ask     ask.Options // where quotes come from, and the pins
	Version string

	// Nodes are the user's own. A leg of a swap on another chain is told, not proved.
	Nodes map[swap.ChainID]client.Node
}

const instructions = `Quotes for cross-chain swaps through chain 369. Every quote these tools return was verified: its bytes were derived
again on this machine from the user's pins and are equal to the server's answer. An answer that is refused or unproven comes as an error, without a
transaction: do not sign it and do not build the transaction yourself. These tools hold no key, sign nothing and send nothing: show the user what the
transaction does, with decode, before a wallet signs it. After it is sent, track says where the swap is; say to the user what of that is proved and what is
only told. Amounts are in whole tokens, such as 25.5; tokens are named with their chain, such as USDC@369.`

// Serve answers one agent until its input ends.
func Serve(ctx context.Context, opts Options, in io.Reader, out io.Writer) error {
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "hubquote", Version: opts.Version}, &mcp.ServerOptions{Instructions: instructions})
	a := &tools{opts, c.Routes()}
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}
	mcp.AddTool(s, &mcp.Tool{Name: "quote", Annotations: reads, Description: "Ask for a swap and return its transactions, verified against the user's pins."}, a.quote)
	mcp.AddTool(s, &mcp.Tool{Name: "verify", Annotations: reads, Description: "Check a quote that was asked for elsewhere, byte by byte, against the user's pins."}, a.verify)
	mcp.AddTool(s, &mcp.Tool{Name: "decode", Annotations: reads, Description: "Tell what the calldata of a quote does: its function and every argument."}, a.decode)
	mcp.AddTool(s, &mcp.Tool{Name: "track", Annotations: reads, Description: "Tell where a swap is, by the hash of any of its transactions: what the user's own nodes prove, and what only the server tells."}, a.track)
	mcp.AddTool(s, &mcp.Tool{Name: "routes", Annotations: reads, Description: "List what can be swapped for what, with fees and limits."}, a.routes)
	return s.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: open{out}})
}

// open is a writer that stays open: it is the caller's.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// refusal is the error that an agent sees: what is wrong and not to sign. It
// repeats a server's text only in a form that is safe to print.
func refusal(err error) error {
	if u, ok := errors.AsType[*client.Unproven](err); ok {
		return fmt.Errorf("unproven, do not sign: %w", u)
	}
	if m, ok := errors.AsType[*client.Mismatch](err); ok {
		return fmt.Errorf("refused, do not sign: %w", m)
	}
	if e, ok := errors.AsType[*swap.Error](err); ok {
		named := *e
		named.Param = strings.TrimPrefix(e.Param, "--")
		return &named
	}
	return err
}
