package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"hubquote/internal/command"
	"hubquote/internal/flags"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/wish"
	"hubquote/swap"
)

const (
	parkHelp = `settler park ORDER asks the settler to leave an order alone until you say retry,
or its deadline comes: it is then refunded as every order that was not paid.`
	retryHelp = `settler retry ORDER asks the settler to try an order again that is parked, or that
its pool refused. What was counted against it is forgotten, and its alarms are
accepted.

settler retry --chain CHAIN asks it to go on with a chain that it stopped, because
a final block was lost or an order contradicts itself there. Look first: settler
alarms names the orders and the block, and a node of your own says what the chain
has now. The settler then reads the last final blocks again, and pays what is
final there. What it paid for deposits that are gone is lost.`
	cancelHelp = `settler cancel ORDER asks the settler to refuse the payment of an order for ever, at
its destination, and to refund it when that is final. An order that is paid is
not cancelled.`
)

const alarmsHelp = `settler alarms lists the alerts that stay until their cause is gone or you accept
them: what stops a chain, and orders that are closed and not well. SUBJECT is the
order, or the final block that was lost. settler retry ORDER or --chain CHAIN
accepts them.`

func alarms(args []string, s command.Std) error {
	var c settings
	f := s.Flags("alarms", alarmsHelp)
	c.reads(f)
	if err := c.parse(f, args); err != nil {
		return err
	}
	return c.with(func(ctx context.Context, j journal.Journal) error {
		list, err := j.Alarms(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "STOPS\tALARM\tSUBJECT\tFOR\tACCEPTED")
		for _, a := range list {
			chain, accepted := "-", "no"
			if a.Chain != 0 {
				chain = fmt.Sprint(a.Chain)
			}
			if !a.Accepted.IsZero() {
				accepted = a.Accepted.Format(time.RFC3339)
			}
			fmt.Fprintf(w, "%s\t%s\t%v\t%s\t%s\n", chain, a.Name, a.Subject, time.Since(a.Since).Round(time.Second), accepted)
		}
		return w.Flush()
	})
}

// wishes returns a command that inserts a wish. The settler that holds the
// journal obeys it under the same rules as everything else.
func wishes(verb order.Verb, help string) func([]string, command.Std) error {
	return func(args []string, s command.Std) error {
		var c settings
		var by, chain string
		f := s.Flags(string(verb), help+"\n\nIt records a wish, which the settler that holds the journal obeys within its\nrules. settler show ORDER tells what became of it.")
		c.reads(f)
		f.StringVar(&by, "by", os.Getenv("USER"), "`name` of who wishes it, for the record")
		f.NotInEnv("by")
		if verb == order.WishRetry {
			f.StringVar(&chain, "chain", "", "go on with this `chain` instead of an order")
			f.NotInEnv("chain")
		}
		id, err := c.subject(f, &chain, args)
		if err != nil {
			return err
		}
		if chain != "" {
			return c.with(func(ctx context.Context, j journal.Journal) error { return trust(ctx, s, j, id, by) })
		}
		return c.with(func(ctx context.Context, j journal.Journal) error { return ask(ctx, s, j, id, verb, by) })
	}
}

// subject parses a command with one order, or with a chain instead.
func (c *settings) subject(f *flags.Set, chain *string, args []string) (order.Hash, error) {
	rest, err := c.words(f, args)
	switch {
	case err != nil:
		return order.Hash{}, err
	case *chain == "":
		return orderIn(f, rest)
	case len(rest) > 0:
		return order.Hash{}, fmt.Errorf("%s: write an order or --chain, not both", f.Name())
	}
	place, err := swap.ParsePlaceID(*chain)
	if err != nil {
		return order.Hash{}, fmt.Errorf("%s: chain: %w", f.Name(), err)
	}
	return wish.Whole(swap.ChainID(place)), nil
}

// trust wishes that a chain that was stopped goes on.
func trust(ctx context.Context, s command.Std, j journal.Journal, subject order.Hash, by string) error {
	id := wish.ChainOf(subject)
	list, err := j.Alarms(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(a journal.Alarm) bool { return a.Chain == id && a.Accepted.IsZero() }) {
		return fmt.Errorf("retry: no alarm stops chain %d; settler alarms lists those there are", id)
	}
	if err := add(ctx, j, subject, order.WishTrust, by); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "wished to go on with chain %d; see settler alarms\n", id)
	return err
}

func add(ctx context.Context, j journal.Journal, subject order.Hash, verb order.Verb, by string) error {
	w := journal.Wish{Subject: subject, Verb: verb, By: by, At: time.Now()}
	_, _ = rand.Read(w.ID[:])
	return j.AddWish(ctx, w)
}

func ask(ctx context.Context, s command.Std, j journal.Journal, id order.ID, verb order.Verb, by string) error {
	if _, found, err := j.Order(ctx, id); err != nil || !found {
		return errors.Join(err, fmt.Errorf("there is no order %v in the journal", id))
	}
	if err := add(ctx, j, id, verb, by); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.Out, "wished to %s %v; see settler show %v\n", verb, id, id)
	return err
}
