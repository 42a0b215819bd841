package pools

import (
	"cmp"
	"math/big"
	"slices"
	"sync"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/backlog"
	"hubquote/internal/pools/drift"
	"hubquote/internal/pools/lens"
	"hubquote/internal/pools/proxy"
	"hubquote/internal/pools/verdict"
	"hubquote/swap"
)

// A View is what is known at one moment. It does not change.
type View struct {
	Chains []ChainView // those that are looked at
	Owed   Owed

	verdicts map[*swap.Route]*verdict.Verdict
	fees     map[swap.ChainID]swap.IssuerRate
	seen     map[*atlas.Contract]*lens.Seen
	atlas    *atlas.Atlas
	rows     func() []drift.Row // made once, when they are first asked for
}

// Owed is whether the settler said what the pools owe.
type Owed struct {
	Known bool
	Fault error // of the last question; nil when it went well
}

// A ChainView is how much is known of one chain.
type ChainView struct {
	ID    swap.ChainID
	At    time.Time // when what is known was asked for; zero for nothing
	Block uint64    // at which our contracts were seen
	Fault error     // of the last look; nil when it went well
	Ours  bool      // some of our contracts are there

	// Foreign are the names of the contracts of others, and Changes those of them
	// that have other code than at the start.
	Foreign []string
	Changes []proxy.Change

	// Burns says that a messenger is asked for the least fee of a burn: MinFee,
	// known since FeeAt; zero while it is not known.
	Burns  bool
	FeeAt  time.Time
	MinFee swap.IssuerRate
}

// Oldest is when the older of what should be known was asked for; zero while any of
// it is not known.
func (c ChainView) Oldest() time.Time {
	if c.Burns && c.FeeAt.Before(c.At) {
		return c.FeeAt
	}
	return c.At
}

// Known reports whether the chain was seen lately.
func (c ChainView) Known() bool { return !c.At.IsZero() }

// Route returns what is known of a route.
func (v *View) Route(r *swap.Route) *verdict.Verdict { return v.verdicts[r] }

// Rows compares everything that is known with the catalog and the operator's
// settings. The caller does not change them.
func (v *View) Rows() []drift.Row { return v.rows() }

// compare makes the rows. A field that several routes share is there once. A
// contract that could not be read on a chain that was seen is a difference too.
func (v *View) compare() (rows []drift.Row) {
	type key struct{ contract, field string }
	have := map[key]bool{}
	add := func(list []drift.Row) {
		for _, r := range list {
			if k := (key{r.Contract, r.Field}); !have[k] {
				have[k] = true
				rows = append(rows, r)
			}
		}
	}
	for _, c := range v.atlas.Contracts {
		s := v.seen[c]
		if s == nil {
			if v.knows(c.Network) {
				add([]drift.Row{drift.Unread(c)})
			}
			continue
		}
		add(drift.Of(c, s))
		for _, l := range v.atlas.Legs {
			if s.Code == nil && l.From == c {
				add(drift.From(l, s))
			}
			if s.Code == nil && l.To == c {
				add(drift.To(l, s))
			}
		}
	}
	return rows
}

// knows reports whether a chain was seen lately.
func (v *View) knows(id swap.ChainID) bool {
	return slices.ContainsFunc(v.Chains, func(c ChainView) bool { return c.ID == id && c.Known() })
}

// A Balance is what one payer has.
type Balance struct {
	*atlas.Contract
	Liquidity, CapLeft *big.Int
}

// Balances returns what is known of the payers.
func (v *View) Balances() (list []Balance) {
	for _, c := range v.atlas.Contracts {
		if s := v.seen[c]; s != nil && s.Code == nil && !c.Largest.IsZero() {
			list = append(list, Balance{c, s.Liquidity, s.Spendable[contract.PaymentsCap]})
		}
	}
	return list
}

// A Share is what one payer may pay for the orders of one source.
type Share struct {
	*atlas.Contract
	Source  *atlas.Contract
	CapLeft *big.Int
	Largest swap.Amount // order of the source
}

// Shares returns what is known of the payers' caps for each source.
func (v *View) Shares() (list []Share) {
	for _, l := range v.atlas.Legs {
		s := v.seen[l.To]
		if s == nil || s.Code != nil {
			continue
		}
		i := slices.IndexFunc(list, func(other Share) bool { return other.Contract == l.To && other.Source == l.From })
		if i < 0 {
			_, left := l.Source(&s.Snapshot)
			i, list = len(list), append(list, Share{Contract: l.To, Source: l.From, CapLeft: left})
		}
		if l.Largest.Gt(&list[i].Largest) {
			list[i].Largest = l.Largest
		}
	}
	return list
}

// publish makes a view of what is known now.
func (w *Watcher) publish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := &View{
		verdicts: map[*swap.Route]*verdict.Verdict{}, fees: map[swap.ChainID]swap.IssuerRate{},
		seen: map[*atlas.Contract]*lens.Seen{}, atlas: w.atlas, Owed: Owed{fresh(w.owed.at), w.owed.fault},
	}
	v.rows = sync.OnceValue(v.compare)
	blocks := map[*atlas.Contract]time.Time{}
	for _, c := range w.chains {
		v.Chains = append(v.Chains, v.add(c, blocks))
	}
	harm := map[*atlas.Contract]*drift.Row{}
	for one, seen := range v.seen {
		harm[one] = drift.Harmful(drift.Of(one, seen))
	}
	for _, l := range w.atlas.Legs {
		f := w.facts(v, l, blocks)
		f.Harm = cmp.Or(harm[l.From], harm[l.To])
		v.verdicts[l.Route] = verdict.Of(l, f)
	}
	w.view.Store(v)
}

// fresh reports whether an answer of that time is still used.
func fresh(at time.Time) bool { return !at.IsZero() && time.Since(at) < Known }

// add takes over what is known of a chain.
func (v *View) add(c *chain, blocks map[*atlas.Contract]time.Time) ChainView {
	shown := ChainView{ID: c.id, Fault: c.known.fault, Ours: c.lens != nil, Burns: c.messenger != nil, Foreign: c.proxies.Names(), Changes: c.known.changes}
	if s := c.known.sight; s != nil && fresh(s.At) {
		shown.At, shown.Block = s.At, s.Block.Number
		for one, seen := range s.Seen {
			if fresh(seen.At) {
				v.seen[one], blocks[one] = seen, seen.Block
			}
		}
	}
	if f := c.known.fee; f != nil && fresh(f.at) {
		v.fees[c.id], shown.MinFee, shown.FeeAt = f.rate, f.rate, f.at
		if c.lens == nil {
			shown.At = f.at
		}
	}
	return shown
}

// facts are what is known of a route. Its time is that of the older block.
func (w *Watcher) facts(v *View, l *atlas.Leg, blocks map[*atlas.Contract]time.Time) verdict.Facts {
	f := verdict.Facts{From: v.seen[l.From], To: v.seen[l.To], AsOf: blocks[l.To], PayerAt: blocks[l.To]}
	if t, ok := blocks[l.From]; ok && (f.AsOf.IsZero() || t.Before(f.AsOf)) {
		f.AsOf = t
	}
	if f.To != nil {
		f.Liquidity = w.levels[l.To].Shown()
	}
	if v.Owed.Known {
		debt := w.owed.pools[backlog.Pool{Chain: l.To.Network, Address: l.To.Address}]
		f.Owed, f.OwedFrom = debt.Total, debt.From[backlog.Pool{Chain: l.From.Network, Address: l.From.Address}]
	}
	if rate, ok := v.fees[l.To.Network]; ok {
		f.Burn = &rate
	}
	f.NoFee = l.Route.Burn != nil && v.lacksFee(l.Route.Src.Network) || l.Burns() && v.lacksFee(l.To.Network)
	return f
}

// lacksFee reports whether a messenger is asked for its least fee, and did not say.
func (v *View) lacksFee(id swap.ChainID) bool {
	return slices.ContainsFunc(v.Chains, func(c ChainView) bool { return c.ID == id && c.Burns && c.FeeAt.IsZero() })
}
