// Package follow prints what becomes of a swap, and proves it at the caller's own
// nodes where there are any.
package follow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"hubquote/client"
	"hubquote/internal/command"
	"hubquote/swap"
)

// Options say what is followed, and how.
type Options struct {
	Client *client.Client
	Nodes  map[swap.ChainID]client.Node // the caller's own; a leg without one is told, not proved
	Out    io.Writer                    // gets the news
	Once   bool                         // prints where the swap is now, and ends
}

// The exit codes for a swap that is not simply done.
const (
	Refunded  command.Exit = 3
	Claimable command.Exit = 4
	GoesOn    command.Exit = 5
)

// unknownFor is how long a hash may stay unknown.
const unknownFor = 2 * time.Minute

var errUnknown = errors.New("no order is known for this transaction: check the hash, and that it was sent to a contract of the quote")

type follower struct {
	Options
	began  time.Time
	failed error
}

// Swap follows a swap until it is done, refunded or claimable. It returns nil when
// it is done, a [command.Exit] when it is not, or an error.
func Swap(ctx context.Context, opts Options, tx swap.Hash) error {
	return (&follower{Options: opts, began: time.Now()}).follow(ctx, tx)
}

func (f *follower) follow(ctx context.Context, tx swap.Hash) error {
	t, err := f.Client.WaitFor(ctx, tx, func(t *swap.Tracking) bool {
		if f.failed = f.show(ctx, tx, t); f.failed != nil {
			return true
		}
		return f.Once || len(t.Orders) > 0 && resting(t)
	})
	switch {
	case f.failed != nil:
		return f.failed
	case err != nil:
		return err
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
	code := command.Exit(0)
	for i := range t.Orders {
		switch t.Orders[i].Stage {
		case swap.StageDone:
		case swap.StageRefunded:
			code = max(code, Refunded)
		case swap.StageClaimable:
			code = max(code, Claimable)
		default:
			code = GoesOn
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
		fmt.Fprintf(f.Out, "%s  unknown: %s\n", clock(t.AsOf), client.Printable(t.Reason))
		if t.Reason == swap.WhyReverted || time.Since(f.began) > unknownFor {
			return errUnknown
		}
		return nil
	}
	reports, err := f.Client.Prove(ctx, tx, t, f.Nodes)
	if err != nil {
		return err
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
	fmt.Fprintf(f.Out, "%s, %s\n", line, verdictOf(r.Proved))
	for _, l := range r.Legs {
		fmt.Fprintf(f.Out, "          %-8s on %-6d %s  %s\n", client.Printable(string(l.Kind)), l.Chain, l.Tx, because(verdictOf(l.Proved), l.Why))
	}
	if a := s.Action; a != nil && (s.Stage == swap.StageClaimable || !a.After.After(t.AsOf)) {
		fmt.Fprintf(f.Out, "          anyone can %s it: send 0x%x to %s on chain %d\n", client.Printable(a.Kind), a.Data, a.To, a.Chain)
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
