package health

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/metrics"
	"hubquote/internal/pools"
	"hubquote/internal/pools/drift"
	"hubquote/internal/pools/proxy"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// PoolsName is the name of a chain's pools among the upstreams.
func PoolsName(id swap.ChainID) string { return fmt.Sprintf("pools %d", id) }

// pools returns a check for each chain that is looked at.
func (u *Upstreams) pools() (checks []api.Check) {
	if u.Pools == nil {
		return []api.Check{{Name: "pools", Status: api.CheckOff, Detail: "no RPC endpoint is configured"}}
	}
	v := u.Pools.View()
	differ := map[swap.ChainID][]drift.Row{}
	for _, r := range v.Rows() {
		if r.Differs() {
			differ[r.Network] = append(differ[r.Network], r)
		}
	}
	for _, c := range v.Chains {
		check := api.Check{Name: PoolsName(c.ID)}
		check.Status, check.Detail = describe(c, differ[c.ID])
		checks = append(checks, check)
	}
	return checks
}

func describe(c pools.ChainView, differ []drift.Row) (status, detail string) {
	switch {
	case !c.Known() && c.Fault == nil:
		return api.CheckDown, "not seen yet"
	case !c.Known():
		return api.CheckDown, "not known: " + string(upstream.FaultOf(c.Fault))
	case len(differ) > 0:
		return api.CheckDown, summary(differ) + replaced(c.Changes)
	case c.Oldest().IsZero():
		return api.CheckDown, "the least fee of a burn is not known: " + string(upstream.FaultOf(c.Fault))
	case !c.Ours:
		return api.CheckOK, fmt.Sprintf("the least fee of a burn is %s bps", c.MinFee) + replaced(c.Changes)
	default:
		return api.CheckOK, fmt.Sprintf("as the catalog says, at block %d", c.Block) + replaced(c.Changes)
	}
}

// replaced names contracts of others that have other code than at the start.
func replaced(changes []proxy.Change) (s string) {
	for _, c := range changes {
		s += fmt.Sprintf("; the code behind %s was %s and is %s", c.Name, c.First, c.Now)
	}
	return s
}

// summary names the first difference, a harmful one if there is one.
func summary(differ []drift.Row) string {
	first := differ[0]
	for _, r := range differ {
		if r.Harmful && !first.Harmful {
			first = r
		}
	}
	s := fmt.Sprintf("%s: %s is %s, want %s", first.Contract, first.Field, first.Got, first.Want)
	if n := len(differ) - 1; n > 0 {
		s += fmt.Sprintf("; and %d more", n)
	}
	return s
}

// Tables returns the metrics of the pools.
func (u *Upstreams) Tables() []metrics.Table {
	if u.Pools == nil {
		return nil
	}
	return []metrics.Table{
		{
			Name: "hubquote_pools_age_seconds", Help: "How old the view of a chain's pools, and of the least fee of its burns, is; -1 when either is not known.",
			Labels: []string{"chain"}, Read: u.ages,
		},
		{
			Name: "hubquote_pools_drift", Help: "Always 1: a field of a contract that is not as the catalog says. It harms when less would be paid than quoted.",
			Labels: []string{"chain", "contract", "field", "harms"}, Read: u.drift,
		},
		{
			Name: "hubquote_pools_foreign_changed", Help: "Whether the code of a token, messenger or privacy pool was replaced since this replica started.",
			Labels: []string{"chain", "contract"}, Read: u.foreign,
		},
		{
			Name: "hubquote_pool_liquidity", Help: "What a pool has to pay with, in whole tokens.",
			Labels: []string{"chain", "contract"}, Read: u.poolFigure(func(b pools.Balance) *big.Int { return b.Liquidity }),
		},
		{
			Name: "hubquote_pool_cap_left", Help: "What a pool may pay at once by its cap, in whole tokens.",
			Labels: []string{"chain", "contract"}, Read: u.poolFigure(func(b pools.Balance) *big.Int { return b.CapLeft }),
		},
		{
			Name: "hubquote_pool_source_cap_left", Help: "What a pool may pay at once by its cap for one source, in whole tokens.",
			Labels: []string{"chain", "contract", "source"}, Read: u.shareFigure(func(s pools.Share) *big.Int { return s.CapLeft }),
		},
		{
			Name: "hubquote_pool_source_largest_order", Help: "The largest order of one source that a pool pays, in whole tokens.",
			Labels: []string{"chain", "contract", "source"}, Read: u.shareFigure(func(s pools.Share) *big.Int { return s.Largest.ToBig() }),
		},
		{
			Name: "hubquote_pool_largest_order", Help: "The largest order that a pool pays, in whole tokens.",
			Labels: []string{"chain", "contract"}, Read: u.poolFigure(func(b pools.Balance) *big.Int { return b.Largest.ToBig() }),
		},
	}
}

func (u *Upstreams) ages() (list []metrics.Sample) {
	for _, c := range u.Pools.View().Chains {
		age := -1.0
		if at := c.Oldest(); !at.IsZero() {
			age = time.Since(at).Seconds()
		}
		list = append(list, metrics.Sample{Labels: []string{fmt.Sprint(c.ID)}, Value: age})
	}
	return list
}

func (u *Upstreams) drift() (list []metrics.Sample) {
	for _, r := range u.Pools.View().Rows() {
		if r.Differs() {
			list = append(list, metrics.Sample{Labels: []string{fmt.Sprint(r.Network), r.Contract, r.Field, fmt.Sprint(r.Harmful)}, Value: 1})
		}
	}
	return list
}

func (u *Upstreams) foreign() (list []metrics.Sample) {
	for _, c := range u.Pools.View().Chains {
		for _, name := range c.Foreign {
			changed := slices.ContainsFunc(c.Changes, func(p proxy.Change) bool { return p.Name == name })
			list = append(list, metrics.Sample{Labels: []string{fmt.Sprint(c.ID), name}, Value: number(changed)})
		}
	}
	return list
}

func (u *Upstreams) poolFigure(of func(pools.Balance) *big.Int) func() []metrics.Sample {
	return func() (list []metrics.Sample) {
		for _, b := range u.Pools.View().Balances() {
			list = append(list, metrics.Sample{Labels: []string{fmt.Sprint(b.Network), b.Name}, Value: tokens(of(b), b.Token.Decimals)})
		}
		return list
	}
}

func (u *Upstreams) shareFigure(of func(pools.Share) *big.Int) func() []metrics.Sample {
	return func() (list []metrics.Sample) {
		for _, s := range u.Pools.View().Shares() {
			list = append(list, metrics.Sample{Labels: []string{fmt.Sprint(s.Network), s.Name, s.Source.Name}, Value: tokens(of(s), s.Token.Decimals)})
		}
		return list
	}
}

// tokens is an amount as people count it. It is rounded, which a graph may be.
func tokens(n *big.Int, decimals uint8) float64 {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	f, _ := new(big.Rat).SetFrac(n, unit).Float64()
	return f
}
