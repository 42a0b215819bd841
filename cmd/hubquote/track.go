package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"hubquote/client"
	"hubquote/internal/endpoints"
	jsonrpc "hubquote/internal/quorum/node"
	"hubquote/swap"
)

const trackHelp = `hubquote track follows a swap by the hash of any of its transactions until it is
done, and prints a line for each piece of news.

  hubquote track 0x… --rpc 369=https://host/key --rpc 8453=https://other/key

With --rpc each leg is checked at your own node, against the pins, and called
proved; without a node for its chain it is told: it is what the server says.

It exits with 0 when the swap is done, 3 when it is refunded, 4 when the
recipient has a claim to send, 5 when --once was given and it goes on, and 1 on
an error.`

// An exitCode ends the program without a message.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprint("exit ", int(c)) }

const (
	exitRefunded  exitCode = 3
	exitClaimable exitCode = 4
	exitGoesOn    exitCode = 5
)

// unknownFor is how long a hash may stay unknown.
const unknownFor = 2 * time.Minute

var errUnknown = errors.New("track: no order is known for this transaction: check the hash, and that it was sent to a contract of the quote")

func track(args []string, s std) error {
	var rpc endpoints.Setting
	f := s.flags("track", trackHelp)
	server := f.String("server", "http://127.0.0.1:8080", "`address` of the server to ask")
	once := f.Bool("once", false, "print where the swap is now, and exit")
	pinned := pinsFlag(f)
	rpc.Define(f)
	rest, err := f.ParseMixed(args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return errors.New("track: name one transaction, as in hubquote track 0x…; see hubquote track --help")
	}
	tx, err := swap.ParseHash(rest[0])
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	p, err := loadPins(*pinned)
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	c, err := client.New(*server, client.WithPins(p))
	if err != nil {
		return fmt.Errorf("track: --server: %w", err)
	}
	nodes, closeNodes, err := openNodes(&rpc, s)
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	defer closeNodes()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	return (&follower{client: c, nodes: nodes, out: s.out, once: *once, began: time.Now()}).follow(ctx, tx)
}

// openNodes makes a node of the first endpoint of each chain.
func openNodes(rpc *endpoints.Setting, s std) (map[swap.ChainID]client.Node, func(), error) {
	list, err := rpc.List(nil, s.env)
	nodes := map[swap.ChainID]client.Node{}
	var opened []*jsonrpc.Node
	closeAll := func() {
		for _, n := range opened {
			n.Close()
		}
	}
	for chain, urls := range list {
		n, err := jsonrpc.New(jsonrpc.Options{Chain: chain, URL: urls[0], MaxBlockAge: -1, Timeout: nodeTimeout})
		if err != nil {
			closeAll()
			return nil, nil, fmt.Errorf("--rpc %d: %w", chain, err)
		}
		opened = append(opened, n)
		nodes[chain] = caller{n}
	}
	return nodes, closeAll, err
}

const nodeTimeout = 10 * time.Second

// A caller is a node as the client calls it.
type caller struct{ *jsonrpc.Node }

func (c caller) CallContext(ctx context.Context, result any, method string, args ...any) error {
	return c.Call(ctx, result, method, args...)
}

// A follower prints what becomes of a swap.
type follower struct {
	client *client.Client
	nodes  map[swap.ChainID]client.Node
	out    io.Writer
	once   bool
	began  time.Time
	failed error
}

func (f *follower) follow(ctx context.Context, tx swap.Hash) error {
	t, err := f.client.WaitFor(ctx, tx, func(t *swap.Tracking) bool {
		if f.failed = f.show(ctx, tx, t); f.failed != nil {
			return true
		}
		return f.once || len(t.Orders) > 0 && resting(t)
	})
	switch {
	case f.failed != nil:
		return f.failed
	case err != nil:
		return fmt.Errorf("track: %w", err)
	}
	return exitOf(t)
}

// resting reports whether nothing more happens by itself.
func resting(t *swap.Tracking) bool {
	for i := range t.Orders {
		if s := t.Orders[i].Stage; !s.Final() && s != swap.StageClaimable {
			return false
		}
	}
	return true
}

// exitOf is the code of the order that most needs to be looked at.
func exitOf(t *swap.Tracking) error {
	code := exitCode(0)
	for i := range t.Orders {
		switch t.Orders[i].Stage {
		case swap.StageDone:
		case swap.StageRefunded:
			code = max(code, exitRefunded)
		case swap.StageClaimable:
			code = max(code, exitClaimable)
		default:
			code = exitGoesOn
		}
	}
	switch {
	case len(t.Orders) == 0:
		return errUnknown
	case code == 0:
		return nil
	}
	return code
}

func (f *follower) show(ctx context.Context, tx swap.Hash, t *swap.Tracking) error {
	if len(t.Orders) == 0 {
		fmt.Fprintf(f.out, "%s  unknown: %s\n", clock(t.AsOf), client.Printable(t.Reason))
		if t.Reason == swap.WhyReverted || time.Since(f.began) > unknownFor {
			return errUnknown
		}
		return nil
	}
	reports, err := f.client.Prove(ctx, tx, t, f.nodes)
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	for _, r := range reports {
		f.print(t, r)
	}
	return nil
}

func (f *follower) print(t *swap.Tracking, r *client.Report) {
	s := &r.Status
	line := clock(t.AsOf) + "  " + string(s.Stage)
	if s.Reason != "" {
		line += " (" + client.Printable(s.Reason) + ")"
	}
	if !s.ETA.IsZero() {
		line += ", usually done at " + clock(s.ETA)
	}
	if s.Delayed {
		line += ", delayed"
	}
	if t.Stale {
		line += ", stale"
	}
	fmt.Fprintf(f.out, "%s, %s\n", line, verdictOf(r.Proved))
	for _, l := range r.Legs {
		fmt.Fprintf(f.out, "          %-8s on %-6d %s  %s\n", client.Printable(string(l.Kind)), l.Chain, l.Tx, because(verdictOf(l.Proved), l.Why))
	}
	if a := s.Action; a != nil && (s.Stage == swap.StageClaimable || !a.After.After(t.AsOf)) {
		fmt.Fprintf(f.out, "          anyone can %s it: send 0x%x to %s on chain %d\n", client.Printable(a.Kind), a.Data, a.To, a.Chain)
	}
}

func verdictOf(proved bool) string {
	if proved {
		return "proved"
	}
	return "told"
}

func because(verdict, why string) string {
	if why == "" {
		return verdict
	}
	return verdict + ": " + why
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05") }
