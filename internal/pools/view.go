package pools

import (
	"cmp"
	"math/big"
	"sync"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/drift"
	"hubquote/internal/pools/lens"
	"hubquote/internal/pools/verdict"
	"hubquote/swap"
)

// A View is what is known at one moment. It does not change.
type View struct {
	Chains []ChainView // those that are looked at

	verdicts map[*swap.Route]*verdict.Verdict
	fees     map[swap.ChainID]swap.IssuerRate
	seen     map[*atlas.Contract]*lens.Seen
	atlas    *atlas.Atlas
	rows     func() []drift.Row // made once, when they are first asked for
}

// A ChainView is how much is known of one chain.
type ChainView struct {
	ID    swap.ChainID
	At    time.Time // of what is known; zero for nothing
	Fault error     // of the last look; nil when it went well
	Ours  bool      // some of our contracts are there

	// MinFee is the least fee of a burn, as far as it is known.
	MinFee swap.IssuerRate
}

// Known reports whether the chain was seen lately.
func (c ChainView) Known() bool { return !c.At.IsZero() }

// Route returns what is known of a route.
func (v *View) Route(r *swap.Route) *verdict.Verdict { return v.verdicts[r] }

// Rows compares everything that is known with the catalog and the operator's
// settings. The caller does not change them.
func (v *View) Rows() []drift.Row { return v.rows() }

// compare makes the rows. A field that several routes share is there once.
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

// publish makes a view of what is known now.
func (w *Watcher) publish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := &View{
		verdicts: map[*swap.Route]*verdict.Verdict{}, fees: map[swap.ChainID]swap.IssuerRate{},
		seen: map[*atlas.Contract]*lens.Seen{}, atlas: w.atlas,
	}
	v.rows = sync.OnceValue(v.compare)
	at, now := map[*atlas.Contract]time.Time{}, time.Now()
	fresh := func(t time.Time) bool { return now.Sub(t) < Known }
	for _, c := range w.chains {
		shown := ChainView{ID: c.id, Fault: c.known.fault, Ours: c.lens != nil}
		if s := c.known.sight; s != nil && fresh(s.At) {
			shown.At = s.At
			for one, seen := range s.Seen {
				v.seen[one], at[one] = seen, s.At
			}
		}
		if f := c.known.fee; f != nil && fresh(f.at) {
			v.fees[c.id], shown.MinFee = f.rate, f.rate
			if c.lens == nil {
				shown.At = f.at
			}
		}
		v.Chains = append(v.Chains, shown)
	}
	w.show(v)
	harm := map[*atlas.Contract]*drift.Row{}
	for one, seen := range v.seen {
		harm[one] = drift.Harmful(drift.Of(one, seen))
	}
	for _, l := range w.atlas.Legs {
		f := w.facts(v, l, at)
		f.Harm = cmp.Or(harm[l.From], harm[l.To])
		v.verdicts[l.Route] = verdict.Of(l, f)
	}
	w.view.Store(v)
}

func (w *Watcher) facts(v *View, l *atlas.Leg, at map[*atlas.Contract]time.Time) verdict.Facts {
	f := verdict.Facts{From: v.seen[l.From], To: v.seen[l.To], AsOf: at[l.To], Liquidity: w.shown[l.To]}
	if t, ok := at[l.From]; ok && (f.AsOf.IsZero() || t.Before(f.AsOf)) {
		f.AsOf = t
	}
	if rate, ok := v.fees[l.To.Network]; ok {
		f.Burn = &rate
	}
	return f
}

// show updates what the payers are said to have. It falls at once. It rises only
// by a twentieth and more, or when it is a twentieth more than any order takes, so
// that a pool that is nearly empty does not flicker.
func (w *Watcher) show(v *View) {
	for c, s := range v.seen {
		var has, before, least swap.Amount
		if s.Liquidity != nil {
			has.SetFromBig(s.Liquidity)
		}
		before = w.shown[c]
		more(&least, &before)
		var enough swap.Amount
		more(&enough, &c.Largest)
		if has.Lt(&before) || !has.Lt(&least) || !has.Lt(&enough) {
			w.shown[c] = has
		}
	}
}

// more sets z to n and a twentieth.
func more(z, n *swap.Amount) {
	var twenty swap.Amount
	twenty.SetUint64(20)
	z.Div(n, &twenty)
	z.Add(z, n)
}
