// Package follow prints what becomes of a swap, and proves it at the caller's own
// nodes where there are any.
package follow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
	Chain  swap.ChainID                 // of the transaction, as a hint; zero for none
}

// The exit codes for a swap that is not simply done.
const (
	Refunded  command.Exit = 3
	Claimable command.Exit = 4
	GoesOn    command.Exit = 5
)

// unknownFor is how long a hash may stay unknown.
const unknownFor = 2 * time.Minute

// Why a transaction will never have an order.
var (
	errUnknown  = errors.New("no order is known for this transaction: check the hash, and that it was sent to a contract of the quote")
	errReverted = errors.New("the transaction failed, and nothing was swapped: send it again with a fresh quote")
	errNoOrder  = errors.New("the transaction opened no order: check that it was sent to a contract of the quote")
)

type follower struct {
	Options
	began  time.Time        // of waiting for a hash to be known
	said   []string         // the last news, without its time
	last   []*client.Report // of the last answer
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
	}, client.OnChain(f.Chain))
	switch {
	case f.failed != nil:
		return f.failed
	case err != nil:
		return err
	}
	if err := f.prove(ctx, tx, t); err != nil {
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
		s := &t.Orders[i]
		if s.Stage == swap.StageUnknown && s.Reason == swap.WhyNoOrder {
			return errNoOrder
		}
		switch s.Stage {
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
	case t.Omitted > 0 && code != GoesOn:
		return fmt.Errorf("the transaction has %d more orders than an answer lists: follow each of them by the hash of its own payment", t.Omitted)
	case code == 0:
		return nil
	}
	return code
}

func (f *follower) show(ctx context.Context, tx swap.Hash, t *swap.Tracking) error {
	if len(t.Orders) == 0 {
		f.say(t, []string{"unknown: " + client.Printable(t.Reason) + "\n"})
		return f.unknown(t.Reason)
	}
	reports, err := f.Client.Prove(ctx, tx, t, f.Nodes)
	if err != nil {
		return err
	}
	f.last = reports
	var news []string
	for _, r := range reports {
		news = append(news, text(t, r))
	}
	if t.Omitted > 0 {
		news = append(news, fmt.Sprintf("and %d more orders of this transaction\n", t.Omitted))
	}
	f.say(t, news)
	return nil
}

// say prints news once: an answer that repeats the last one is none.
func (f *follower) say(t *swap.Tracking, news []string) {
	if slices.Equal(news, f.said) {
		return
	}
	f.said = news
	for _, n := range news {
		fmt.Fprintf(f.Out, "%s  %s", clock(t.AsOf), n)
	}
}

// unknown returns an error when waiting for the transaction is no use. One that a
// node has and no block yet is waited for: only its sender knows for how long.
func (f *follower) unknown(reason string) error {
	switch {
	case reason == swap.WhyPending:
		f.began = time.Now()
	case reason == swap.WhyReverted:
		return errReverted
	case reason == swap.WhyNoOrder:
		return errNoOrder
	case time.Since(f.began) > unknownFor:
		return errUnknown
	}
	return nil
}

// text is the news of one order: a line for its stage, and one for each leg.
func text(t *swap.Tracking, r *client.Report) string {
	s := &r.Status
	line := string(s.Stage)
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
	line += ", " + verdictOf(r.Proved) + "\n"
	for _, l := range r.Legs {
		line += fmt.Sprintf("          %-8s on %-6d %s  %s\n", client.Printable(string(l.Kind)), l.Chain, l.Tx, because(verdictOf(l.Proved), l.Why))
	}
	if s.Stage == swap.StageRefunded && r.To != nil {
		line += fmt.Sprintf("          the deposit went to %s\n", r.To)
	}
	if a := s.Action; a != nil && !a.After.After(t.AsOf) {
		line += fmt.Sprintf("          anyone can %s it: send 0x%x to %s on chain %d\n", client.Printable(a.Kind), a.Data, a.To, a.Chain)
	}
	return line
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
