package pools_test

import (
	"testing"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/pools"
	"hubquote/swap"
	"hubquote/test/reference"
)

// settings returns the decisions behind the contracts that the nodes show.
func settings(t *testing.T) *operator.Settings {
	t.Helper()
	s := operator.Reference(reference.Lanes(t))
	return &s
}

// A payer that obeys none of the operator's relayers pays nothing. The roles are
// asked in the order relayer, standby, guardian, treasurer.
func TestPayerWithoutRelayer(t *testing.T) {
	type row struct {
		name  string
		roles []bool
		want  swap.Code
	}
	try := func(s *operator.Settings, rows ...row) {
		newTrial(t, 1, pools.Options{Settings: s}, func(x *trial) {
			x.start()
			x.wantOnly("", none)
			for _, tt := range rows {
				x.pools.Change(x.pools.Leg("USDC@1", "USDC@369").To, func(s *contract.Snapshot) { s.Roles = tt.roles })
				x.round()
				x.row = tt.name + ": "
				x.wantOnly(tt.want, func(r *swap.Route) bool { return r.To().String() == "USDC@369" })
				x.heal()
			}
		})
	}
	try(settings(t),
		row{"both are revoked", []bool{false, false, true, true}, swap.RouteClosed},
		row{"both relayers are there", []bool{true, true, true, true}, ""},
		row{"the standby can pay alone", []bool{false, true, true, true}, ""},
		row{"the relayer can pay without standby", []bool{true, false, true, true}, ""},
		row{"a guardian or a treasurer pays nothing", []bool{true, true, false, false}, ""})
	try(nil, row{"without the operator's file it is not known", []bool{false, false, false, false}, ""})
}

// The time of what is known is that of the older of the two blocks that it was seen
// at, not of the question.
func TestAsOfIsTheTimeOfTheBlock(t *testing.T) {
	newTrial(t, 3, pools.Options{}, func(x *trial) {
		for _, n := range x.nodes[1] {
			n.Behind = 40 * time.Second
		}
		for _, n := range x.nodes[369] {
			n.Behind = 7 * time.Second
		}
		asked := time.Now()
		x.start()
		for _, tt := range []struct {
			from, to string
			want     time.Duration
		}{{"USDC@1", "USDC@369", 40 * time.Second}, {"USDC@369", "USDC@1", 40 * time.Second}, {"USDC@56", "USDC@369", 7 * time.Second}} {
			if got := asked.Sub(x.State(x.quote(tt.from, tt.to, "10").Route).AsOf); got != tt.want {
				t.Errorf("%s to %s was seen %v before it was asked for, want %v", tt.from, tt.to, got, tt.want)
			}
		}
		for _, c := range x.View().Chains {
			if n := x.nodes[c.ID][0]; c.Ours && c.Block != n.Head {
				t.Errorf("chain %d was seen at block %d, want %d", c.ID, c.Block, n.Head)
			}
		}
	})
}
