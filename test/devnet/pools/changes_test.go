package pools_test

import (
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet"
)

// A change is something that happens to a contract, the routes that it concerns,
// and how it is undone.
type change struct {
	name string
	do   func(x *trial) (undo func())
	want func(r *swap.Route) swap.Code // empty for a route that it does not concern
}

// setPauses pauses and continues.
func (x *trial) setPauses(chain swap.ChainID, pool string, deposits, payments bool) (undo func()) {
	x.t.Helper()
	x.send(chain, devnet.Guardian, x.pool(pool), contract.Pool.Call("setPauses", deposits, payments))
	return func() {
		x.send(chain, devnet.Admin, x.pool(pool), contract.Pool.Call("setPauses", false, false))
	}
}

var changes = []change{
	{"payments are paused", func(x *trial) func() {
		return x.setPauses(4663, "ETH@4663", false, true)
	}, func(r *swap.Route) swap.Code {
		return when(r.To().String() == "ETH@4663", swap.PoolPaused)
	}},
	{"deposits are paused", func(x *trial) func() {
		return x.setPauses(56, "USDT@56", true, false)
	}, func(r *swap.Route) swap.Code {
		return when(r.From().String() == "USDT@56", swap.PoolPaused)
	}},
	{"the pool is drained", func(x *trial) func() {
		pool, c := x.pool("ETH@1"), x.Chains[1]
		had, err := c.Balance(x.t.Context(), pool)
		if err != nil {
			x.t.Fatal(err)
		}
		set := func(n *big.Int) {
			x.do(1, "anvil_setBalance", pool, hexOf(n))
			x.do(1, "evm_mine")
		}
		set(new(big.Int))
		return func() { set(had) }
	}, func(r *swap.Route) swap.Code {
		return when(r.To().String() == "ETH@1", swap.PoolShort)
	}},
	{"the cap is used up", func(x *trial) func() {
		set := func(by int, dailyCap *big.Int) {
			x.send(8453, by, x.pool("ETH@8453"), contract.Pool.Call("setCap", contract.PaymentsCap, dailyCap))
		}
		set(devnet.Guardian, new(big.Int))
		return func() { set(devnet.Admin, x.Plan.Settings.Caps["ETH@8453"].Payments) }
	}, func(r *swap.Route) swap.Code {
		return when(r.To().String() == "ETH@8453", swap.PoolCapped)
	}},
	{"the largest deposit is lowered", func(x *trial) func() {
		limits := x.limits("DAI@1")
		set := func(by int, most *big.Int) {
			x.send(1, by, x.pool("DAI@1"), contract.Pool.Call("setLimits", contract.Limits{Min: limits.Min.ToBig(), Max: most}))
		}
		set(devnet.Guardian, new(big.Int).Sub(limits.Max.ToBig(), big.NewInt(1)))
		return func() { set(devnet.Admin, limits.Max.ToBig()) }
	}, func(r *swap.Route) swap.Code {
		return when(r.From().String() == "DAI@1", swap.RouteClosed)
	}},
	{"a route is closed", func(x *trial) func() {
		r := x.route("USDC@369", "USDC@56")
		set := func(by int, state contract.Link) {
			terms := x.Plan.Terms(r, x.pool("USDC@56"), state)
			x.send(369, by, x.pool("USDC@369"), contract.Pool.Call("setDestination", big.NewInt(56), common.Address(r.DstToken.Address), terms))
		}
		set(devnet.Guardian, contract.Closed)
		return func() { set(devnet.Admin, contract.Open) }
	}, func(r *swap.Route) swap.Code {
		return when(name(r) == "USDC@369 to USDC@56", swap.RouteClosed)
	}},
	{"code is replaced", func(x *trial) func() {
		pool, c := x.pool("USD1@56"), x.Chains[56]
		code, err := c.Code(x.t.Context(), pool)
		if err != nil {
			x.t.Fatal(err)
		}
		set := func(code []byte) {
			x.do(56, "anvil_setCode", pool, hexutil.Encode(code))
			x.do(56, "evm_mine")
		}
		set([]byte{0xfe}) // it reverts, whatever it is asked
		return func() { set(code) }
	}, func(r *swap.Route) swap.Code {
		return when(r.From().String() == "USD1@56", swap.DeploymentDiffers)
	}},
	{"a messenger wants more than we bear", func(x *trial) func() {
		set := func(rate int64) {
			x.send(10, devnet.Alice, common.Address(x.Plan.Issuer.Messenger), contract.Messenger.Call("setMinFee", big.NewInt(rate)))
		}
		set(30_001) // our fee is 30 bps
		return func() { set(0) }
	}, func(r *swap.Route) swap.Code {
		return when(r.Burn != nil && r.Src.Network == 10, swap.IssuerFeeUnavailable)
	}},
}

func when(so bool, code swap.Code) swap.Code {
	if so {
		return code
	}
	return ""
}

// Everything that can happen to a pool happens at once, to pools that have nothing
// to do with each other, while quotes for all routes are asked for. Each route is
// refused for its own reason, and no other is; and all are served again when all is
// undone.
func (x *trial) changesAreNoticed() {
	want := map[string]swap.Code{}
	var undo []func()
	for _, c := range changes {
		undo = append(undo, c.do(x))
		for _, r := range x.routes() {
			if code := c.want(r); code != "" {
				want[name(r)] = code
			}
		}
	}
	x.t.Logf("%d of %d routes were refused within %v", len(want), len(x.routes()), x.becomes(want))
	x.checkReport()
	for _, u := range undo {
		u()
	}
	x.t.Logf("all were served again within %v", x.becomes(nil))
	for _, r := range x.service.Comparison() {
		if r.Differs() {
			x.t.Errorf("after all was undone, %s of %s on %d is %s, want %s", r.Field, r.Contract, r.Network, r.Got, r.Want)
		}
	}
}

// checkReport checks that the comparison of catalog and chain names what was changed.
func (x *trial) checkReport() {
	x.t.Helper()
	var got []string
	for _, r := range x.service.Comparison() {
		if r.Differs() {
			got = append(got, r.Contract+": "+r.Field)
		}
	}
	for _, want := range []string{
		"ETH@4663: payments paused", "USDT@56: deposits paused", "ETH@8453: cap of payments", "DAI@1: max", "USDC@369: to USDC@56", "USD1@56: code",
	} {
		if !strings.Contains(strings.Join(got, "\n"), want) {
			x.t.Errorf("the comparison names %q, want %s in it", got, want)
		}
	}
}
