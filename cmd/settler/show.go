package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"hubquote/internal/command"
	"hubquote/internal/flags"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

const showHelp = `settler show ORDER tells everything that the journal has about one order: its
state, every event with its proof, every task, and what operators wished.`

func show(args []string, s command.Std) error {
	var c settings
	f := s.Flags("show", showHelp)
	c.reads(f)
	id, err := c.oneOrder(f, args)
	if err != nil {
		return err
	}
	return c.with(func(ctx context.Context, j journal.Journal) error { return tell(ctx, s, j, id) })
}

// oneOrder parses a command with one order.
func (c *settings) oneOrder(f *flags.Set, args []string) (id order.ID, err error) {
	rest, err := c.words(f, args)
	if err != nil {
		return id, err
	}
	return orderIn(f, rest)
}

// words parses a command and returns what is no flag.
func (c *settings) words(f *flags.Set, args []string) ([]string, error) {
	rest, err := f.ParseMixed(args)
	if err == nil && c.config != "" {
		err = f.ParseFile(c.config, others(f))
	}
	return rest, err
}

func orderIn(f *flags.Set, rest []string) (id order.ID, err error) {
	if len(rest) != 1 {
		return id, fmt.Errorf("%s: write one order: 0x and 64 digits", f.Name())
	}
	b, err := hex.DecodeString(strings.TrimPrefix(rest[0], "0x"))
	if err != nil || len(b) != len(id) {
		return id, fmt.Errorf("%s: not an order: write 0x and 64 digits", f.Name())
	}
	return order.ID(b), nil
}

func tell(ctx context.Context, s command.Std, j journal.Journal, id order.ID) error {
	o, found, err := j.Order(ctx, id)
	if err == nil && !found {
		err = fmt.Errorf("there is no order %v in the journal", id)
	}
	if err != nil {
		return err
	}
	facts, err := j.Facts(ctx, id)
	if err != nil {
		return err
	}
	tasks, err := j.Tasks(ctx, id)
	if err != nil {
		return err
	}
	wished, err := j.WishesOf(ctx, id)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	row := func(name string, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("order", "%v", o.ID)
	row("state", "%s %s for %s", o.State, o.Reason, time.Since(o.Since).Round(time.Second))
	row("from", "chain %d, %v, number %d, generation %d", o.Src.Chain, o.Src.Address, o.Running, o.Generation)
	row("to", "chain %d, %v", o.Dst.Chain, o.Dst.Address)
	row("amount", "%s", o.Amount.Dec())
	row("deadline", "%s", o.Deadline.Format(time.RFC3339))
	if o.Refusal.Times > 0 {
		row("refused", "%d times, last %s: %s", o.Refusal.Times, o.Refusal.At.Format(time.RFC3339), o.Refusal.Why)
	}
	for _, f := range facts {
		gone := map[bool]string{true: ", GONE"}[f.Gone]
		row(string(f.Event), "chain %d, block %d, %v, %s%s", f.Chain, f.Block, f.Tx, proofs[f.Proof], gone)
	}
	for _, t := range tasks {
		row("task "+string(t.Kind), "%s on chain %d, made %s because of %s", t.Progress, t.Chain, t.Made.Format(time.RFC3339), t.Basis)
	}
	for _, x := range wished {
		row("wish "+string(x.Verb), "by %s at %s: %s", x.By, x.At.Format(time.RFC3339), x.Result)
	}
	return w.Flush()
}

var proofs = map[order.Proof]string{
	order.Unproved: "not proved", order.Told: "one endpoint says so", order.Agreed: "endpoints agree", order.Safe: "safe", order.Final: "final",
}
