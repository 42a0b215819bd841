package term

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/dispatch"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/watch"
	"hubquote/internal/settle/world"
	"hubquote/internal/settle/writer"
	"hubquote/internal/settler/network"
	"hubquote/swap"
)

// lookBack is how far a new journal looks back: the longest that an order can
// be open, and a day.
const lookBack = 15 * 24 * time.Hour

func (t *Term) newWatcher(ctx context.Context) (err error) {
	begun := map[swap.ChainID]bool{}
	cursors, err := t.opts.Journal.Cursors(ctx)
	if err != nil {
		return err
	}
	for _, c := range cursors {
		begun[c.Chain] = begun[c.Chain] || c.Pass == "head"
	}
	o := watch.Options{
		Contracts: t.roster, Journal: t.opts.Journal, Write: t.write, Log: t.opts.Log,
		Changed: func(ids ...order.ID) { t.Writer.Changed(ids...) },
	}
	for _, id := range t.chains() {
		n, traits := t.opts.Networks[id], network.Of(id)
		c := watch.Chain{
			ID: id, Nodes: n.Nodes, State: n.State, K: n.K, Poll: t.opts.Pace.Watch, Usual: traits.Usual, Safe: traits.Safe && t.exposed(id),
		}
		if t.opts.Pace.Local {
			c.Usual = 0
		}
		if !begun[id] {
			c.Begin = func(ctx context.Context) (uint64, error) { return n.Ago(ctx, lookBack) }
		}
		o.Chains = append(o.Chains, c)
	}
	t.Watcher, err = watch.New(ctx, o)
	return err
}

// exposed reports whether deposits on a chain may be paid before they are final. Where
// none may, it does not matter which are safe.
func (t *Term) exposed(id swap.ChainID) bool {
	for token, most := range t.opts.Limits.Exposure {
		if token.Chain == id && !most.IsZero() {
			return true
		}
	}
	return false
}

// chains are the networks with contracts of ours that have endpoints.
func (t *Term) chains() (list []swap.ChainID) {
	for _, c := range t.roster {
		if t.opts.Networks[c.Chain] != nil && !slices.Contains(list, c.Chain) {
			list = append(list, c.Chain)
		}
	}
	return list
}

// The gas of a usual call, which the purse is counted in, and after how many
// blocks a transaction that was left out is replaced.
const (
	usualGas = 300_000
	leftOut  = 3
)

func (t *Term) newLanes(context.Context) error {
	lanes := map[swap.ChainID][]dispatch.Lane{}
	for id, n := range t.opts.Networks {
		traits := network.Of(id)
		told := t.told(id)
		for _, signer := range t.opts.Signers {
			l, err := send.New(send.Options{
				Head: told.head, Final: told.final, Gone: told.gone,
				Chain: id, Nodes: n.Nodes, K: n.K, Signer: signer, InFlight: traits.InFlight, Mempool: traits.Mempool, Gas: usualGas,
				Limits:  lane.Limits{After: leftOut, Cap: t.opts.FeeCaps[id]},
				Journal: t.opts.Journal, Write: t.write, Renew: t.held.Renew, Log: t.opts.Log,
			})
			if err != nil {
				return err
			}
			t.Lanes[id] = append(t.Lanes[id], l)
			lanes[id] = append(lanes[id], l)
		}
	}
	pace := cmp.Or(t.opts.Pace.Lane, pace.Lane)
	t.dispatcher = dispatch.New(dispatch.Options{
		Lanes: lanes, Every: func(swap.ChainID) time.Duration { return pace }, Done: t.done, Log: t.opts.Log,
	})
	return nil
}

// A told is what the watcher knows about the blocks of a chain.
type told struct {
	head, final func(context.Context) (uint64, error)
	gone        func() uint64
}

// told returns what lanes need not ask for, since the watcher knows it. The lanes of
// chains that are not watched ask themselves.
func (t *Term) told(id swap.ChainID) told {
	if !slices.Contains(t.chains(), id) {
		return told{}
	}
	return told{
		head:  func(context.Context) (uint64, error) { return t.Watcher.Passed(id), nil },
		final: func(context.Context) (uint64, error) { return t.Watcher.Final(id), nil },
		gone:  func() uint64 { return t.Watcher.Gone(id) },
	}
}

func (t *Term) newWriter(context.Context) error {
	limits := t.opts.Limits
	limits.Exposure = maps.Clone(limits.Exposure)
	if limits.Exposure == nil {
		limits.Exposure = map[order.Pool]swap.Amount{}
	}
	for _, c := range t.roster { // what has no limit may have no exposure, which is known
		token := order.Pool{Chain: c.Chain, Address: c.Token}
		limits.Exposure[token] = t.opts.Limits.Exposure[token]
	}
	t.opts.Limits = limits
	t.Writer = writer.New(writer.Options{
		Journal: t.opts.Journal, Write: t.write, Watch: t.Watcher, Lanes: t.dispatcher, Roster: t.roster, Rules: t.opts.Rules,
		Limits: limits, Alerts: t.opts.Alerts, Every: t.opts.Pace.Round, Gap: t.opts.Pace.Gap, Again: t.opts.Pace.Again, Log: t.opts.Log,
	})
	return nil
}

func (t *Term) newBurns(context.Context) (err error) {
	o := burns.Options{
		Issuer: t.opts.Issuer, Journal: t.opts.Journal, Write: t.write, World: t.world, Changed: t.carrySoon,
		Rules: t.opts.Pace.Issue, Tick: t.opts.Pace.Round, Poll: t.opts.Pace.Lane, Sweep: t.opts.Pace.Reread, Log: t.opts.Log,
	}
	if o.Terms, err = terms.Of(t.opts.Plans...); err != nil {
		return err
	}
	for id := range o.Terms.Domains {
		n := t.opts.Networks[id]
		if n == nil {
			continue
		}
		c := burns.Chain{ID: id, Nodes: n.Nodes, K: n.K, Poll: t.opts.Pace.Source}
		if t.opts.Usual != nil {
			c.Usual = t.opts.Usual(id)
		}
		o.Chains = append(o.Chains, c)
	}
	t.Burns, err = burns.New(o)
	return err
}

// world is what deliveries may use up.
func (t *Term) world(ctx context.Context) (world.World, error) {
	w := world.World{Fees: map[swap.ChainID]world.Fees{}, Left: map[world.Budget]swap.Amount{}}
	t.dispatcher.World(&w)
	return w, budget.Complete(ctx, time.Now(), t.opts.Journal, t.opts.Limits, &w)
}

// Calls returns how many usual calls the keys can pay for on a chain.
func (t *Term) Calls(id swap.ChainID) uint64 {
	w := world.World{Fees: map[swap.ChainID]world.Fees{}, Left: map[world.Budget]swap.Amount{}}
	t.dispatcher.World(&w)
	left := w.Left[world.Budget{Limit: world.Calls, Pool: order.Pool{Chain: id}}]
	return left.Uint64()
}
