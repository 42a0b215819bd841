// Package deliver makes tasks to mint the burns that the issuer signed, and ends
// them when the destination has minted, also in a transaction of another sender. A
// delivery that fails is tried again, each time later.
package deliver

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"

	"hubquote/internal/contract"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/mint"
	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Options configure a [Deliverer]. All but Changed are required.
type Options struct {
	Rows    *row.Reader
	Chains  map[swap.ChainID]*chain.Chain
	Rules   burn.Rules
	Poll    time.Duration // between two looks at a burn that is being delivered
	Journal journal.Reader
	Write   func(context.Context, func(journal.Tx) error) error
	World   func(context.Context) (world.World, error)
	Changed func() // called after tasks were made
	Log     *slog.Logger
}

// A Deliverer delivers burns.
type Deliverer struct{ opts Options }

// New returns a deliverer.
func New(opts Options) *Deliverer { return &Deliverer{opts} }

const (
	most   = 1000 // burns in one round
	atOnce = 16   // burns that are looked at on their destination
)

// Round looks at the signed burns that are due, and makes tasks for those that
// can be delivered. It returns those whose signature is about to expire.
func (d *Deliverer) Round(ctx context.Context) ([]row.Row, error) {
	due, err := d.opts.Journal.BurnsSigned(ctx, time.Now(), most)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	w, err := d.opts.World(ctx)
	if err != nil {
		return nil, err
	}
	w.Left = maps.Clone(w.Left)
	sights := d.look(ctx, due)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	err = d.settle(ctx, w, sights) // decides, so it comes first
	return expiring(sights), err
}

func (d *Deliverer) look(ctx context.Context, due []journal.Burn) []sight {
	look := mint.NewLook(ctx, d.opts.Rows.Terms, d.opts.Chains)
	sights := make([]sight, len(due))
	var looks errgroup.Group
	looks.SetLimit(atOnce)
	for i := range due {
		looks.Go(func() error {
			sights[i] = d.see(ctx, look, due[i])
			return nil
		})
	}
	_ = looks.Wait() // each sight has its own error
	return sights
}

// settle decides about burns, one after the other, and records it.
func (d *Deliverer) settle(ctx context.Context, w world.World, sights []sight) error {
	made := false
	err := d.opts.Write(ctx, func(tx journal.Tx) error {
		for i := range sights {
			sent, err := d.decide(ctx, tx, &w, &sights[i])
			if err != nil {
				return err
			}
			made = made || sent
		}
		return nil
	})
	if err == nil && made && d.opts.Changed != nil {
		d.opts.Changed()
	}
	return err
}

// A Call is what delivers a burn.
type Call struct {
	Chain swap.ChainID
	To    swap.Address
	Data  []byte
}

// Call returns the call of a task that this package made.
func (d *Deliverer) Call(ctx context.Context, t journal.Task) (Call, error) {
	b, found, err := d.opts.Journal.Burn(ctx, t.Subject)
	switch {
	case err != nil:
		return Call{}, err
	case !found || b.Attestation == nil:
		return Call{}, fmt.Errorf("task %d: there is no attested burn %v", t.ID, t.Subject)
	}
	r := d.opts.Rows.Read(b)
	if !r.Facts.Authentic.Value {
		return Call{}, fmt.Errorf("task %d: burn %v is not one that a contract of ours would take", t.ID, t.Subject)
	}
	call := Call{Chain: r.To.Chain, To: r.To.Address}
	if t.Kind == order.Relay {
		call.Data = contract.Receiver.Call("relay", b.Signed, b.Attestation)
	} else {
		call.Data = contract.Transmitter.Call("receiveMessage", b.Signed, b.Attestation)
	}
	return call, nil
}

// Refused records that a task was not sent, because its call would revert. The
// task is void. The burn is looked at again later: another sender may have
// delivered it, or its signature may have expired.
func (d *Deliverer) Refused(ctx context.Context, t journal.Task, why string) error {
	d.opts.Log.Warn("a delivery would revert", "chain", t.Chain, "burn", t.Subject, "task", t.ID, "why", why)
	return d.opts.Write(ctx, func(tx journal.Tx) error {
		if err := tx.EndTask(ctx, t.ID, order.Void); err != nil {
			return err
		}
		tasks, err := tx.Tasks(ctx, t.Subject)
		if err != nil {
			return err
		}
		now := time.Now()
		return row.Change(ctx, tx, t.Subject, func(b *journal.Burn) {
			row.Enter(b, now, burn.Step{State: burn.Delivering, Reason: order.Refused}, now.Add(patience(tasks, b.Asked)))
		})
	})
}
