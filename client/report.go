package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"hubquote/internal/pinfile"
	"hubquote/internal/prove"
	"hubquote/swap"
)

// A Node is a JSON-RPC endpoint of one chain, the caller's own. The client of
// go-ethereum is one.
type Node interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
}

// A Report is the status of an order, and which of its legs are proved.
type Report struct {
	// Status is what the server says, without a call that cannot be derived
	// from the order and the pins.
	Status swap.Status
	Legs   []Leg

	// Proved says that the chains themselves show the stage: the payment or
	// the return, final at the caller's node, or that nothing is paid.
	Proved bool

	Received *swap.Amount  // what the payment's event says, once proved
	To       *swap.Address // the payee of the payment or the return, once proved
}

// A Leg is a leg and what is known about it.
type Leg struct {
	swap.Leg
	Proved bool
	Why    string // why it is told only, or empty
}

// A Contradiction is a part of a status that a node or the pins contradict.
type Contradiction struct{ Field, Said, Found string }

func (c *Contradiction) Error() string {
	return fmt.Sprintf("the status is not true: %s is %q, and the chain or the pins say %s", c.Field, Printable(c.Said), Printable(c.Found))
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
			return nil, errorOf(err)
		}
		reports = append(reports, reportOf(r))
	}
	return reports, nil
}

func errorOf(err error) error {
	if c, ok := errors.AsType[*prove.Contradiction](err); ok {
		return &Contradiction{c.Field, c.Said, c.Found}
	}
	return printableError{err}
}

func reportOf(r *prove.Report) *Report {
	out := &Report{Status: r.Status, Proved: r.Proved, Received: r.Received, To: r.To}
	for _, l := range r.Legs {
		out.Legs = append(out.Legs, Leg(l))
	}
	return out
}

// proverOf takes the contracts from the pins: the pools, which take and pay, and
// the receiver, on the network that pays for those without a pool.
func proverOf(f *pinfile.File, nodes map[swap.ChainID]Node) *prove.Prover {
	p := &prove.Prover{Nodes: map[swap.ChainID]prove.Node{}, Pinned: map[prove.Contract]bool{}, Networks: map[swap.PlaceID]swap.ChainID{}}
	for chain, n := range nodes {
		p.Nodes[chain] = n
	}
	for text, network := range f.Privacy {
		if place, err := swap.ParsePlaceID(text); err == nil {
			p.Networks[place] = network
		}
	}
	network := func(place swap.PlaceID) swap.ChainID { return cmp.Or(p.Networks[place], swap.ChainID(place)) }
	for _, r := range f.Routers {
		if r.Type == swap.Direct {
			p.Pinned[prove.Contract{Chain: network(r.From.Place), Address: r.Router}] = true
		}
	}
	for _, r := range f.Routes {
		if r.FeeChain != network(r.To.Place) {
			p.Gateway = r.FeeChain
			p.Pinned[prove.Contract{Chain: r.FeeChain, Address: f.Burn.Receiver}] = true
		}
	}
	return p
}
