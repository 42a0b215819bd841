// Package carry takes burns from the block they are in to the block they are
// minted in: it asks the issuer about them, decides with policy, and makes tasks
// for those that are due. What it knows is in the journal; a carrier that starts
// again goes on where the last one stopped.
package carry

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Options configure a [Carrier]. All but Changed are required.
type Options struct {
	Terms   *terms.Terms
	Issuer  *attest.Client
	Chains  map[swap.ChainID]*chain.Chain
	Rules   burn.Rules
	Usual   func(source swap.ChainID, fast bool) time.Duration // from a burn to its attestation
	Poll    time.Duration                                      // between two looks at a burn that is being delivered
	Journal journal.Reader
	Write   func(context.Context, func(journal.Tx) error) error
	World   func(context.Context) (world.World, error)
	Changed func() // called after tasks were made
	Log     *slog.Logger
}

// A Carrier carries burns.
type Carrier struct{ opts Options }

// New returns a carrier.
func New(opts Options) *Carrier { return &Carrier{opts} }

const (
	most   = 1000 // burns in one pass
	asking = 10   // questions to the issuer at once
	seeing = 16   // burns looked at on their destination at once
)

// A view is a burn from the journal and what we do about it.
type view struct {
	journal.Burn
	sent    message.Message
	signed  message.Message // nil until the issuer signed it
	verdict terms.Verdict
	facts   burn.Burn
}

// view returns what policy must know about a burn. One that the terms no longer
// accept is not authentic.
func (c *Carrier) view(b journal.Burn) (v view) {
	v.Burn, v.sent, v.signed = b, message.Message(b.Sent), message.Message(b.Signed)
	m := v.sent
	if v.signed != nil {
		m = v.signed
	}
	var ours bool
	source := c.opts.Terms.Networks[b.Domain]
	v.verdict, ours = c.opts.Terms.Judge(source, m)
	v.facts = burn.Burn{
		Way: v.verdict.Way, To: v.verdict.To, Authentic: order.Known[bool]{Value: ours, OK: true},
		TooSmall: v.verdict.Small, Unpayable: v.verdict.Unpayable, Mined: b.Mined, Usual: c.opts.Usual(source, m.Fast()),
		Asked: int(b.Asks), LastAsked: b.Asked, Attested: v.signed != nil, Expires: b.Expires,
	}
	return v
}

// change applies do to a burn as it is in the journal now, in a transaction.
func change(ctx context.Context, tx journal.Tx, key order.Hash, do func(*journal.Burn)) error {
	b, found, err := tx.Burn(ctx, key)
	if err != nil || !found {
		return err
	}
	do(&b)
	return tx.PutBurn(ctx, b)
}

// enter puts a burn into a state.
func enter(b *journal.Burn, now time.Time, s burn.Step, next time.Time) {
	if b.Status != string(s.State) {
		b.Since = now
	}
	b.Status, b.Reason, b.NextAsk = string(s.State), s.Reason, next
}

// A Call is what delivers a burn.
type Call struct {
	Chain swap.ChainID
	To    swap.Address
	Data  []byte
}

// Call returns the call of a task that this package made.
func (c *Carrier) Call(ctx context.Context, t journal.Task) (Call, error) {
	b, found, err := c.opts.Journal.Burn(ctx, t.Subject)
	switch {
	case err != nil:
		return Call{}, err
	case !found || b.Attestation == nil:
		return Call{}, fmt.Errorf("task %d: there is no attested burn %v", t.ID, t.Subject)
	}
	v := c.view(b)
	if !v.facts.Authentic.Value {
		return Call{}, fmt.Errorf("task %d: burn %v is not one that a contract of ours would take", t.ID, t.Subject)
	}
	call := Call{Chain: v.verdict.To.Chain, To: v.verdict.To.Address}
	if t.Kind == order.Relay {
		call.Data = contract.Receiver.Call("relay", []byte(b.Signed), b.Attestation)
	} else {
		call.Data = contract.Transmitter.Call("receiveMessage", []byte(b.Signed), b.Attestation)
	}
	return call, nil
}

// inParallel calls do for 0 to n-1, a few at once.
func inParallel(n, atOnce int, do func(int)) {
	var working sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i := range n {
		slots <- struct{}{}
		working.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	working.Wait()
}
