package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"hubquote/internal/pinfile"
	"hubquote/internal/prove"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// A Node is a JSON-RPC endpoint of one chain, the caller's own. The client of
// go-ethereum is one.
type Node = prove.Node

// A Report is the status of an order, and which of its legs are proved.
type Report = prove.Report

// A Contradiction is a part of a status that a node or the pins contradict.
type Contradiction = prove.Contradiction

const (
	longWait = 8 * time.Second // below the timeout of a request
	minPause = time.Second     // between two requests, when the server does not wait
)

// Track asks once where a swap is, by the hash of any of its transactions. What
// it returns is what the server says: [Client.Prove] compares it with chains.
func (c *Client) Track(ctx context.Context, tx swap.Hash) (*swap.Tracking, error) {
	return c.track(ctx, swap.Question{Tx: tx})
}

func (c *Client) track(ctx context.Context, q swap.Question) (*swap.Tracking, error) {
	query := url.Values{"txHash": {q.Tx.String()}}
	if q.Chain != 0 {
		query.Set("srcChain", strconv.FormatUint(uint64(q.Chain), 10))
	}
	if q.Wait > 0 {
		query.Set("wait", strconv.Itoa(int(q.Wait.Seconds()))+"s")
		query.Set("after", q.After.String())
	}
	body, err := c.askPatiently(ctx, c.status+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	t, err := tracking.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("the server's answer: %w", err)
	}
	return t, nil
}

// WaitFor asks until an answer is what the caller waits for, or ctx ends. Every
// answer that says more than the one before is given to until. It waits as long
// as a server asks for that, and sends no more than a request a second.
//
// To wait for the end, give [swap.Tracking.Final] as until.
func (c *Client) WaitFor(ctx context.Context, tx swap.Hash, until func(*swap.Tracking) bool) (*swap.Tracking, error) {
	q := swap.Question{Tx: tx}
	var last *swap.Tracking
	for {
		t, err := c.track(ctx, q)
		pause, err := politely(err)
		if err != nil {
			return last, err
		}
		if t != nil && (last == nil || !t.Mark().Before(last.Mark())) {
			last, q.Wait, q.After = t, longWait, t.Mark()
			if until(t) {
				return t, nil
			}
		}
		if err := wait(ctx, pause); err != nil {
			return last, err
		}
	}
}

// politely returns how long to wait before the next request. A server that says
// when to come back is asked again; every other error is the caller's.
func politely(err error) (time.Duration, error) {
	if refusal, ok := errors.AsType[*Refusal](err); ok && refusal.RetryAfter > 0 {
		return refusal.RetryAfter, nil
	}
	return minPause, err
}

// Prove compares an answer about a transaction with the caller's nodes and with
// the pins. Legs that no node was asked about are told, not proved. An error is
// a [*Contradiction] if the answer is not true.
func (c *Client) Prove(ctx context.Context, tx swap.Hash, t *swap.Tracking, nodes map[swap.ChainID]Node) ([]*Report, error) {
	p := proverOf(c.settings.pins.pins.File(), nodes)
	var reports []*Report
	for i := range t.Orders {
		r, err := p.Check(ctx, tx, &t.Orders[i])
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// proverOf takes the contracts from the pins: the pools, which take and pay, and
// the receiver, on the network that pays for those without a pool.
func proverOf(f *pinfile.File, nodes map[swap.ChainID]Node) *prove.Prover {
	p := &prove.Prover{Nodes: nodes, Pinned: map[prove.Contract]bool{}}
	network := func(place swap.PlaceID) swap.ChainID {
		if under, private := f.Privacy[place.String()]; private {
			return under
		}
		return swap.ChainID(place)
	}
	for _, r := range f.Routers {
		if r.Type == swap.Direct {
			p.Pinned[prove.Contract{Chain: network(r.From.Place), Address: r.Router}] = true
		}
	}
	for _, r := range f.Routes {
		if r.FeeChain != network(r.To.Place) {
			p.Pinned[prove.Contract{Chain: r.FeeChain, Address: f.Burn.Receiver}] = true
		}
	}
	return p
}
