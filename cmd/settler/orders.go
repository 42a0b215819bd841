package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"hubquote/internal/command"
	"hubquote/internal/flags"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settler"
	"hubquote/swap"
)

const ordersHelp = `settler orders lists orders of the journal, those first that have been in their
state the longest. It needs no key and no endpoint, and may run beside settler
run.

  settler orders --state waiting
  settler orders --chain 369 --older 2h`

func orders(args []string, s command.Std) error {
	var c settings
	var state, chain string
	var older time.Duration
	var limit int
	f := s.Flags("orders", ordersHelp)
	c.reads(f)
	f.StringVar(&state, "state", "", "only those in this `state`, such as waiting or parked")
	f.StringVar(&chain, "chain", "", "only those from or to this `chain`")
	f.DurationVar(&older, "older", 0, "only those in their state for this `time` or longer")
	f.IntVar(&limit, "limit", 50, "at most this `number`")
	if err := c.parse(f, args); err != nil {
		return err
	}
	filter := journal.Filter{State: order.State(state), Limit: limit}
	if state != "" && !filter.State.Valid() {
		return fmt.Errorf("orders: there is no state %q", state)
	}
	if chain != "" {
		id, err := swap.ParsePlaceID(chain)
		if err != nil {
			return fmt.Errorf("orders: chain: %w", err)
		}
		filter.Chain = swap.ChainID(id)
	}
	if older > 0 {
		filter.Until = time.Now().Add(-older)
	}
	return c.with(func(ctx context.Context, j journal.Journal) error { return list(ctx, s, j, filter) })
}

// reads declares the settings of a command that only needs the journal.
func (c *settings) reads(f *flags.Set) {
	c.defineJournal(f)
	f.StringVar(&c.config, "config", "", "`file` of settler run, whose journal is used")
	f.NotInFile("config")
}

// parse reads flags and environment, and of the file what the command has.
func (c *settings) parse(f *flags.Set, args []string) error {
	if err := f.Parse(args); err != nil || c.config == "" {
		return err
	}
	return f.ParseFile(c.config, others(f))
}

// others has the settings of settler run that this command does not read.
func others(f *flags.Set) flags.Tables {
	var all settings
	run := flags.New(flags.Options{})
	all.define(run)
	tables := all.rpc.Tables()
	run.VisitAll(func(fl *flag.Flag) {
		if f.Lookup(fl.Name) == nil {
			tables[fl.Name] = func(any) error { return nil }
		}
	})
	return tables
}

// with opens the journal for a moment. Only settler run makes a new one: an empty
// journal has no alarm, which must not be the answer to a wrong name.
func (c *settings) with(do func(context.Context, journal.Journal) error) error {
	if at := string(c.journal); !settler.IsDatabase(at) {
		if _, err := os.Stat(at); err != nil {
			return fmt.Errorf("journal: %w: name that of settler run with --journal or --config", err)
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), checkTimeout)
	defer stop()
	j, err := settler.VisitJournal(ctx, string(c.journal))
	if err != nil {
		return err
	}
	defer func() { _ = j.Close() }()
	return do(ctx, j)
}

func list(ctx context.Context, s command.Std, j journal.Journal, filter journal.Filter) error {
	rows, err := j.OrdersBy(ctx, filter)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ORDER\tSTATE\tREASON\tFROM\tTO\tAMOUNT\tFOR")
	for _, o := range rows {
		fmt.Fprintf(w, "%v\t%s\t%s\t%d\t%d\t%s\t%s\n", o.ID, o.State, o.Reason, o.Src.Chain, o.Dst.Chain, o.Amount.Dec(), time.Since(o.Since).Round(time.Second))
	}
	return w.Flush()
}
