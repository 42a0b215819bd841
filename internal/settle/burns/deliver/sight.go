package deliver

import (
	"context"
	"slices"
	"time"

	"hubquote/internal/settle/burns/mint"
	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
)

// A sight is all that is known about a signed burn.
type sight struct {
	row.Row
	head   uint64 // of the destination
	minted bool
	event  mint.Event // when it was minted
	final  bool       // and the mint is
	tasks  []journal.Task
	failed []int64 // tasks whose transaction is mined and minted nothing
	step   burn.Step
	err    error
}

// see reads what the destination and the journal say about a burn.
func (d *Deliverer) see(ctx context.Context, look *mint.Look, b journal.Burn) (s sight) {
	s.Row = d.opts.Rows.Read(b)
	if !s.Facts.Authentic.Value {
		return s
	}
	s.minted, s.head, s.err = look.Used(ctx, s.To.Chain, row.Nonce(&b))
	switch {
	case s.err != nil:
	case s.minted:
		s.err = d.seeMint(ctx, look, &s)
	default:
		s.err = d.seeTasks(ctx, &s)
	}
	return s
}

// settled is after how long a mint is taken for final on a network that does not
// say what is.
const settled = time.Hour

// seeMint finds where a burn was minted. What was found before is looked for again
// before it is final: its block may have been reorganised away, and the burn minted in
// a later one.
func (d *Deliverer) seeMint(ctx context.Context, look *mint.Look, s *sight) (err error) {
	s.event = mint.Event{Tx: s.MintTx, Block: s.MintBlock, Order: s.Order}
	if s.MintTx == (order.Hash{}) { // at most its block is known
		if s.event, err = look.Find(ctx, s.To, row.Nonce(&s.Burn), s.MintBlock); err != nil {
			return err
		}
		if s.event.Tx == (order.Hash{}) && s.MintBlock != 0 {
			s.event.Block = min(s.event.Block, s.MintBlock)
		}
	}
	final, err := look.Final(s.To.Chain, s.event.Block)
	if err == nil && final && s.MintTx != (order.Hash{}) {
		if s.event, err = look.Again(ctx, s.To, row.Nonce(&s.Burn), s.MintBlock); err != nil {
			return err
		}
		final, err = look.Final(s.To.Chain, s.event.Block)
	}
	waited := s.Status == string(burn.Delivered) && time.Since(s.Since) > settled
	s.final = final || err != nil && waited
	return nil
}

func (d *Deliverer) seeTasks(ctx context.Context, s *sight) (err error) {
	if s.tasks, err = d.opts.Journal.Tasks(ctx, s.Key); err != nil {
		return err
	}
	if s.failed, err = d.failures(ctx, s); err != nil {
		return err
	}
	if s.Facts.Way == burn.Back {
		s.Facts.Unpayable, err = d.wasUnpayable(ctx, s.Order)
	}
	return err
}

// failures returns the tasks that are sent and whose nonce is mined, although the
// burn is not minted at a later block.
func (d *Deliverer) failures(ctx context.Context, s *sight) (failed []int64, err error) {
	for _, t := range s.tasks {
		if t.Progress != order.Sent {
			continue
		}
		nonces, err := d.opts.Journal.NoncesOf(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(nonces, func(n journal.Nonce) bool { return n.State != journal.NonceSent && n.Block <= s.head }) {
			failed = append(failed, t.ID)
		}
	}
	return failed, nil
}

// wasUnpayable reports whether a deposit that was burned back belonged to an
// order that no pool could pay. Any account can open and reclaim such orders
// cheaply. An order that is not known is taken for one.
func (d *Deliverer) wasUnpayable(ctx context.Context, id order.ID) (bool, error) {
	o, found, err := d.opts.Journal.Order(ctx, id)
	return !found || o.Unpayable(), err
}

// inFlight reports whether a task is ready or sent, and not known to have failed.
func (s *sight) inFlight() bool {
	return slices.ContainsFunc(s.tasks, func(t journal.Task) bool {
		return t.Progress == order.Ready || t.Progress == order.Sent && !slices.Contains(s.failed, t.ID)
	})
}

// expiring returns the burns that need a new signature now.
func expiring(sights []sight) (list []row.Row) {
	for i := range sights {
		if s := &sights[i]; s.step.State == burn.Reattest && s.step.Ask {
			list = append(list, s.Row)
		}
	}
	return list
}
