package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hubquote/client"
	"hubquote/swap"
)

type trackInput struct {
	TxHash string `json:"txHash" jsonschema:"hash of any transaction of the swap, such as the one that the user sent"`
	Wait   int    `json:"waitSeconds,omitempty" jsonschema:"how long to wait for the end of the swap, up to 300; 0 tells at once where it is"`
}

const maxWait = 300 // seconds

// A tracked is where a swap is. Proved is what the chains and the pins show; told
// is what only the server says.
type tracked struct {
	Checked string  `json:"checked"`          // what the words proved and told mean here
	Reason  string  `json:"reason,omitempty"` // why there are no orders
	Stale   bool    `json:"stale,omitempty"`  // the settler does not answer: this was its last word
	Orders  []order `json:"orders"`
	Omitted int     `json:"omitted,omitempty"` // more orders of the transaction than are listed
}

type order struct {
	ID       string  `json:"orderId,omitempty"` // none while a burn is not an order yet
	Status   string  `json:"status"`
	Verdict  string  `json:"verdict"`
	Over     bool    `json:"over"`             // nothing more will come
	Reason   string  `json:"reason,omitempty"` // told
	Received string  `json:"received,omitempty"`
	PaidTo   string  `json:"paidTo,omitempty"`
	Legs     []leg   `json:"legs"`
	Action   *action `json:"action,omitempty"`
}

type leg struct {
	Kind    string `json:"kind"`
	Chain   uint64 `json:"chainId"`
	Tx      string `json:"txHash"`
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"`
}

// An action is a call that any account can send to move a swap on.
type action struct {
	Kind  string `json:"kind"`
	Chain uint64 `json:"chainId"`
	To    string `json:"to"`
	Data  string `json:"data"`
}

const trackedHow = "proved: the user's own nodes and pins show it. told: only the server says so. " +
	"Reasons, and everything on a chain without a node, are told. Nodes are given for the chains %v."

func (t *tools) track(ctx context.Context, _ *mcp.CallToolRequest, in trackInput) (*mcp.CallToolResult, tracked, error) {
	if t.opts.Ask.Local {
		return nil, tracked{}, errors.New("there is no server to ask: start hubquote mcp with --server instead of --local")
	}
	tx, err := swap.ParseHash(in.TxHash)
	if err != nil {
		return nil, tracked{}, err
	}
	c, err := client.New(t.opts.Ask.Server, client.WithPins(t.opts.Ask.Pins))
	if err != nil {
		return nil, tracked{}, err
	}
	said, err := where(ctx, c, tx, in.Wait)
	if err != nil {
		return nil, tracked{}, err
	}
	reports, err := c.Prove(ctx, tx, said, t.opts.Nodes)
	if err != nil {
		return nil, tracked{}, fmt.Errorf("do not believe the server: %s", client.Printable(err.Error()))
	}
	answer := tracked{Checked: fmt.Sprintf(trackedHow, t.chains()), Reason: client.Printable(said.Reason), Stale: said.Stale, Orders: []order{}, Omitted: said.Omitted}
	for _, r := range reports {
		answer.Orders = append(answer.Orders, newOrder(r))
	}
	return nil, answer, nil
}

// where asks once, or until the end or the wait is over.
func where(ctx context.Context, c *client.Client, tx swap.Hash, seconds int) (*swap.Tracking, error) {
	if seconds < 0 || seconds > maxWait {
		return nil, fmt.Errorf("waitSeconds is %d, and must be 0 to %d", seconds, maxWait)
	}
	if seconds == 0 {
		return c.Track(ctx, tx)
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	defer cancel()
	said, err := c.WaitFor(limited, tx, resting)
	if said != nil && limited.Err() != nil && ctx.Err() == nil {
		return said, nil // as far as it was when the wait was over
	}
	return said, err
}

// resting reports whether nothing more happens by itself.
func resting(t *swap.Tracking) bool {
	for i := range t.Orders {
		if s := t.Orders[i].Stage; !s.Final() && s != swap.StageClaimable {
			return false
		}
	}
	return len(t.Orders) > 0
}

func newOrder(r *client.Report) order {
	s := &r.Status
	o := order{Status: string(s.Stage), Verdict: verdictOf(r.Proved), Over: s.Stage.Final(), Reason: client.Printable(s.Reason), Legs: []leg{}}
	if !s.ID.IsZero() {
		o.ID = s.ID.String()
	}
	if r.Received != nil {
		o.Received = r.Received.Dec()
	}
	if r.To != nil {
		o.PaidTo = r.To.String()
	}
	for _, l := range r.Legs {
		o.Legs = append(o.Legs, leg{client.Printable(string(l.Kind)), uint64(l.Chain), l.Tx.String(), verdictOf(l.Proved), client.Printable(l.Why)})
	}
	if a := s.Action; a != nil {
		o.Action = &action{client.Printable(a.Kind), uint64(a.Chain), a.To.String(), fmt.Sprintf("0x%x", a.Data)}
	}
	return o
}

func verdictOf(proved bool) string {
	if proved {
		return "proved"
	}
	return "told"
}
