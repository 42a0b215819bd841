package pools_test

import (
	"fmt"
	"math/big"
	"net/http"
	"testing"

	"hubquote/internal/contract"
	"hubquote/internal/pools"
	"hubquote/swap"
	"hubquote/test/fake"
)

// Each row changes one contract: what is refused is what that concerns, and it is
// served again when the change is undone.
func TestRefusals(t *testing.T) {
	paysInto := func(coin string) func(*swap.Route) bool {
		return func(r *swap.Route) bool { return r.To().String() == coin }
	}
	startsAt := func(coin string) func(*swap.Route) bool {
		return func(r *swap.Route) bool { return r.From().String() == coin }
	}
	isPair := func(from, to string) func(*swap.Route) bool {
		return func(r *swap.Route) bool { return r.From().String() == from && r.To().String() == to }
	}
	// Both ends of a pool: USDC on 369 takes what leaves the hub and pays what arrives.
	touches := func(coin string) func(*swap.Route) bool {
		return func(r *swap.Route) bool { return r.From().String() == coin || r.To().String() == coin }
	}
	tests := []struct {
		name     string
		from, to string // the route whose contracts are changed
		payer    bool   // the one that pays is changed; else the one that opens orders
		change   func(l *fake.Pools, s *contract.Snapshot)
		code     swap.Code
		concerns func(*swap.Route) bool
	}{
		{"payments are paused", "USDC@1", "USDC@369", true, func(_ *fake.Pools, s *contract.Snapshot) { s.PaymentsPaused = true }, swap.PoolPaused, paysInto("USDC@369")},
		{"deposits are paused", "USDC@1", "USDC@369", false, func(_ *fake.Pools, s *contract.Snapshot) { s.DepositsPaused = true }, swap.PoolPaused, startsAt("USDC@1")},
		{"a pause of the receiver stops no burn", "USDC@10", "USDC@369", false, func(_ *fake.Pools, s *contract.Snapshot) { s.DepositsPaused = true }, "", none},
		{"the payer is empty", "USDT@1", "USDC@369", true, func(_ *fake.Pools, s *contract.Snapshot) { s.Liquidity = new(big.Int) }, swap.PoolShort, paysInto("USDC@369")},
		{"the payer's cap is used up", "WETH@369", "ETH@1", true, func(_ *fake.Pools, s *contract.Snapshot) { s.Spendable[contract.PaymentsCap] = new(big.Int) }, swap.PoolCapped, paysInto("ETH@1")},
		{"the cap of one source is used up", "USDT@1", "USDC@369", true, func(p *fake.Pools, s *contract.Snapshot) {
			_, left := p.Leg("USDT@1", "USDC@369").Source(s)
			*left = big.Int{}
		}, swap.PoolCapped, isPair("USDT@1", "USDC@369")},
		{"the largest deposit is lowered", "DAI@1", "USDC@369", false, func(_ *fake.Pools, s *contract.Snapshot) { s.Limits.Max = units(24_999, 18) }, swap.RouteClosed, startsAt("DAI@1")},
		{"a destination is closed", "USDC@369", "USDC@10", false, func(p *fake.Pools, s *contract.Snapshot) {
			p.Leg("USDC@369", "USDC@10").Destination(s).State = contract.Closed
		}, swap.RouteClosed, isPair("USDC@369", "USDC@10")},
		{"a destination is a draft", "USDC@369", "USDC@10", false, func(p *fake.Pools, s *contract.Snapshot) {
			*p.Leg("USDC@369", "USDC@10").Destination(s) = contract.Destination{Rate: 9_999}
		}, swap.RouteClosed, isPair("USDC@369", "USDC@10")},
		{"a source is closed", "USD1@56", "USDC@369", true, func(p *fake.Pools, s *contract.Snapshot) {
			source, _ := p.Leg("USD1@56", "USDC@369").Source(s)
			source.State = contract.Closed
		}, swap.RouteClosed, isPair("USD1@56", "USDC@369")},
		{"a remote is closed", "USDC@369", "USDC@10", true, func(p *fake.Pools, s *contract.Snapshot) {
			p.Leg("USDC@369", "USDC@10").RemoteOf(s).State = contract.Closed
		}, swap.RouteClosed, isPair("USDC@369", "USDC@10")},
		{"a domain has no place", "USDC@10", "USDC@369", false, func(p *fake.Pools, s *contract.Snapshot) {
			*p.Leg("USDC@10", "USDC@369").Place(s) = big.Int{}
		}, swap.RouteClosed, isPair("USDC@10", "USDC@369")},
		{"a higher rate is promised", "USDC@369", "USDC@1", false, func(p *fake.Pools, s *contract.Snapshot) {
			p.Leg("USDC@369", "USDC@1").Destination(s).Rate++
		}, swap.DeploymentDiffers, isPair("USDC@369", "USDC@1")},
		{"a lower rate harms no quote", "USDC@369", "USDC@1", false, func(p *fake.Pools, s *contract.Snapshot) {
			p.Leg("USDC@369", "USDC@1").Destination(s).Rate--
		}, "", none},
		{"another pool is to pay", "USDC@369", "USDC@1", false, func(p *fake.Pools, s *contract.Snapshot) {
			p.Leg("USDC@369", "USDC@1").Destination(s).Pool[0]++
		}, swap.DeploymentDiffers, isPair("USDC@369", "USDC@1")},
		{"another registry takes integrators' fees", "USDC@1", "USDC@369", true, func(_ *fake.Pools, s *contract.Snapshot) {
			s.Fixed.Registry[0]++
		}, swap.DeploymentDiffers, touches("USDC@369")},
		{"the receiver bears less", "USDC@10", "USDC@369", false, func(_ *fake.Pools, s *contract.Snapshot) {
			s.Fixed.AbsorbRate--
		}, swap.DeploymentDiffers, func(r *swap.Route) bool { return r.Burn != nil }},
		{"the privacy pool takes more than the bound", "USDC@369", "USDC@69696969", true, func(_ *fake.Pools, s *contract.Snapshot) {
			s.ShieldFee = big.NewInt(51)
		}, swap.RouteClosed, paysInto("USDC@69696969")},
		{"the privacy pool takes as much as the bound", "USDC@369", "USDC@69696969", true, func(_ *fake.Pools, s *contract.Snapshot) {
			s.ShieldFee = big.NewInt(50)
		}, "", none},
		{"the payer charges less, so that the privacy pool takes more", "USDC@369", "USDC@69696969", true, func(p *fake.Pools, s *contract.Snapshot) {
			s.ShieldFee = big.NewInt(50)
			source, _ := p.Leg("USDC@369", "USDC@69696969").Source(s)
			source.Rate = big.NewInt(4_999)
		}, swap.RouteClosed, isPair("USDC@369", "USDC@69696969")},
		{"there is no contract", "USD1@56", "USDC@369", false, func(_ *fake.Pools, s *contract.Snapshot) {
			s.CodeHash = [32]byte{}
		}, swap.DeploymentDiffers, startsAt("USD1@56")},
	}
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		x.wantOnly("", none)
		for _, tt := range tests {
			l := x.pools.Leg(tt.from, tt.to)
			c := l.From
			if tt.payer {
				c = l.To
			}
			x.pools.Change(c, func(s *contract.Snapshot) { tt.change(x.pools, s) })
			x.round()
			x.row = tt.name + ": "
			x.wantOnly(tt.code, tt.concerns) // and what was refused before is served
			x.heal()
		}
		x.round()
		x.row = "nothing is changed: "
		x.wantOnly("", none)
	})
}

// A contract that takes none of the amounts that the catalog lets quote says why in
// the list of routes, as in every quote.
func TestLimitsThatHaveNoAmountInCommonClose(t *testing.T) {
	newTrialOn(t, []swap.ChainID{1, 369}, 1, pools.Options{}, func(x *trial) {
		r := x.quote("USDC@1", "USDC@369", "10").Route
		for name, limits := range map[string]contract.Limits{
			"above all": {Min: units(1_000_000, 6), Max: units(2_000_000, 6)},
			"below all": {Min: big.NewInt(1), Max: big.NewInt(2)},
		} {
			x.pools.Change(x.pools.Leg("USDC@1", "USDC@369").From, func(s *contract.Snapshot) { s.Limits = limits })
			x.lookAfter(0)
			if s := x.State(r); s.Reason != swap.RouteClosed || s.Available == nil || !s.Available.IsZero() {
				t.Errorf("%s: state = %+v, want nothing available and %s", name, s, swap.RouteClosed)
			}
		}
	})
}

// heal undoes all changes.
func (x *trial) heal() {
	x.t.Helper()
	if err := x.pools.Heal(); err != nil {
		x.t.Fatal(err)
	}
}

// Code that is not the contract's is noticed by its hash, also when it answers as
// the contract would.
func TestOtherCodeIsRefused(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		l := x.pools.Leg("USD1@56", "USDC@369")
		x.pools.SetCode(l.From, contract.Lens.Runtime())
		x.round()
		x.wantOnly(swap.DeploymentDiffers, func(r *swap.Route) bool { return r.From() == l.Route.From() })
		x.heal()
		x.round()
		x.wantOnly("", none)
	})
}

// Contracts that a lens cannot read make it revert. Others of the chain are seen
// nevertheless.
func TestUnreadableCodeIsRefused(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		l := x.pools.Leg("USD1@56", "USDC@369")
		x.pools.SetCode(l.From, []byte{0xfe})
		x.nodes[56][0].SetHandle(x.revertFor(l.From.Address))
		for range 5 { // longer than a breaker needs to open
			x.round()
			x.wantOnly(swap.DeploymentDiffers, func(r *swap.Route) bool { return r.From() == l.Route.From() })
		}
		x.heal()
		x.nodes[56][0].SetHandle(nil)
		x.round()
		x.wantOnly("", none)
	})
}

// A contract with our code that reverts pays nobody, whatever was seen of it before.
// It is not forgotten after a minute, as what nodes do not answer is.
func TestContractThatRevertsIsRefused(t *testing.T) {
	newTrialOn(t, []swap.ChainID{56, 369}, 3, pools.Options{}, func(x *trial) {
		x.start()
		l := x.pools.Leg("USD1@56", "USDC@369")
		x.nodes[56][0].SetHandle(x.revertFor(l.From.Address))
		x.round()
		x.wantOnly("", none) // one node of three
		x.nodes[56][1].SetHandle(x.revertFor(l.From.Address))
		for range 12 {
			x.round()
			x.wantOnly(swap.DeploymentDiffers, func(r *swap.Route) bool { return r.From() == l.Route.From() })
		}
		x.nodes[56][1].SetHandle(nil)
		x.round()
		x.wantOnly("", none)
	})
}

// revertFor refuses calls of the lens that look at a contract.
func (x *trial) revertFor(a swap.Address) func(http.ResponseWriter, *http.Request, string) bool {
	return func(w http.ResponseWriter, r *http.Request, method string) bool {
		if method != "eth_call" || !fake.LooksAt(r, a) {
			return false
		}
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}`)
		return true
	}
}
