package pools_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/pools"
	"hubquote/swap"
	"hubquote/test/fake"
)

// What was seen is believed for a minute, and then refuses nothing. There is one
// chain only, as a look at any other makes a new view too.
func TestOldViewIsUnknown(t *testing.T) {
	newTrialOn(t, []swap.ChainID{369}, 1, pools.Options{}, func(x *trial) {
		x.want("", "USDC@1", "USDC@369", "1000") // before the first look
		x.start()
		x.pools.Change(x.pools.Leg("USDC@1", "USDC@369").To, func(s *contract.Snapshot) { s.PaymentsPaused = true })
		x.round()
		x.want(swap.PoolPaused, "USDC@1", "USDC@369", "1000")
		for _, n := range x.nodes[369] {
			n.SetHandle(fake.Hang)
		}
		time.Sleep(pools.Known - time.Second)
		synctest.Wait()
		x.want(swap.PoolPaused, "USDC@1", "USDC@369", "1000")
		time.Sleep(time.Second)
		synctest.Wait()
		x.want("", "USDC@1", "USDC@369", "1000")
		if s := x.State(x.quote("USDC@1", "USDC@369", "10").Route); !s.AsOf.IsZero() || s.Available != nil || s.Reason != "" {
			t.Errorf("state = %+v, want nothing known", s)
		}
		for _, n := range x.nodes[369] {
			n.SetHandle(nil)
		}
		x.round()
		x.round()
		x.want(swap.PoolPaused, "USDC@1", "USDC@369", "1000")
	})
}

// With Require, a route is quoted only while both of its contracts are known.
func TestRequiredPoolsAreRefusedWhileUnknown(t *testing.T) {
	newTrial(t, 1, pools.Options{Require: true}, func(x *trial) {
		x.wantOnly(swap.PoolUnknown, func(*swap.Route) bool { return true })
		x.start()
		x.wantOnly("", none)
		x.nodes[4663][0].SetHandle(fake.Hang)
		time.Sleep(2 * pools.Known)
		synctest.Wait()
		x.wantOnly(swap.PoolUnknown, func(r *swap.Route) bool { return r.Src.Network == 4663 || r.Dst.Network == 4663 })
	})
}

// With Require, a burn is not quoted while the messenger that is asked for its least
// fee does not say it.
func TestRequiredFeesAreRefusedWhileUnknown(t *testing.T) {
	newTrialOn(t, []swap.ChainID{369, 8453, 10}, 1, pools.Options{Require: true}, func(x *trial) {
		x.start()
		x.want("", "USDC@10", "USDC@369", "1000")
		x.nodes[10][0].SetHandle(fake.Hang)
		time.Sleep(2 * pools.Known)
		synctest.Wait()
		x.want(swap.PoolUnknown, "USDC@10", "USDC@369", "1000")
		x.want("", "USDC@42161", "USDC@369", "1000") // nobody is asked there
	})
}

// One of three nodes that lies about a pool changes nothing, and one that is dead
// neither.
func TestOneOfThreeNodesLies(t *testing.T) {
	lies, err := newLies()
	if err != nil {
		t.Fatal(err)
	}
	for name, handle := range map[string]func(*fake.Node){
		"it says that all is paused": func(n *fake.Node) { n.Pools = lies },
		"it is dead":                 func(n *fake.Node) { n.SetHandle(fake.Hang) },
		"it is behind":               func(n *fake.Node) { n.Head -= 3 },
	} {
		t.Run(name, func(t *testing.T) {
			newTrial(t, 3, pools.Options{Require: true}, func(x *trial) {
				for _, nodes := range x.nodes {
					handle(nodes[1])
				}
				x.start()
				x.round()
				x.wantOnly("", none)
				x.pools.Change(x.pools.Leg("USDC@1", "USDC@369").To, func(s *contract.Snapshot) { s.PaymentsPaused = true })
				x.round()
				x.want(swap.PoolPaused, "USDC@1", "USDC@369", "1000")
			})
		})
	}
}

// newLies are contracts that are all paused.
func newLies() (*fake.Pools, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	lies, err := fake.NewPools(cat)
	if err != nil {
		return nil, err
	}
	for _, r := range cat.Routes() {
		lies.Change(lies.Leg(r.From().String(), r.To().String()).To, func(s *contract.Snapshot) { s.PaymentsPaused = true })
	}
	return lies, nil
}

// A messenger's least fee is known where an endpoint of its chain is configured.
// The gateway's own decides whether outbound burns are offered.
func TestMinFees(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.pools.SetMinFee(1_300) // 1.3 bps
		x.start()
		if got, want := x.MinFee(10), swap.IssuerRate(1_300_000_000); got != want {
			t.Errorf("least fee on 10 = %s bps, want %s", got, want)
		}
		if got := x.MinFee(137); got != 0 {
			t.Errorf("least fee on a chain without an endpoint = %s bps, want 0", got)
		}
		x.wantDear(30_000, 0) // 30 bps is the protocol's fee on inbound swaps
		x.wantDear(30_001, 10)
		burns := func(r *swap.Route) bool { return r.FeeChain != r.Dst.Network }
		x.pools.SetMinFee(50_000) // the bound
		x.round()
		x.wantOnly("", none)
		x.pools.SetMinFee(50_001)
		x.round()
		x.wantOnly(swap.RouteClosed, burns)
	})
}

// wantDear fails the test unless burns from exactly that source are listed as too
// dear when the messengers demand a rate, in thousandths of a basis point.
func (x *trial) wantDear(rate int64, source swap.ChainID) {
	x.t.Helper()
	x.pools.SetMinFee(rate)
	x.round()
	for _, r := range x.cat.Routes() {
		want := swap.Code("")
		if r.Burn != nil && r.Src.Network == source {
			want = swap.IssuerFeeUnavailable
		}
		s := x.State(r)
		if s.Reason != want {
			x.t.Errorf("reason of %s to %s at %d = %q, want %q", r.From(), r.To(), rate, s.Reason, want)
		}
		if s.Available != nil && s.Available.IsZero() != (want != "") {
			x.t.Errorf("available from %s to %s at %d = %s, want nothing with a reason only", r.From(), r.To(), rate, s.Available.Dec())
		}
	}
}

// One look costs each node one call about blocks, one of the lens and one that proves
// its chain; where there is a messenger, one more about blocks and one of it.
func TestCallsOfALook(t *testing.T) {
	newTrial(t, 3, pools.Options{}, func(x *trial) {
		x.start()
		for _, id := range []swap.ChainID{1, 56, 369, 4663, 8453, 10} {
			n := x.nodes[id][0]
			calls, blocks, codes, proofs := n.Calls("eth_call"), n.Calls("eth_getBlockByNumber"), n.Calls("eth_getCode"), n.Calls("eth_chainId")
			x.round()
			want := 1
			if id == 8453 {
				want = 2
			}
			if got := n.Calls("eth_call") - calls; got != want {
				t.Errorf("chain %d: %d calls in a round, want %d", id, got, want)
			}
			if got := n.Calls("eth_getBlockByNumber") - blocks; got != want {
				t.Errorf("chain %d: %d blocks asked for in a round, want %d", id, got, want)
			}
			if got := n.Calls("eth_chainId") - proofs; got != 1 {
				t.Errorf("chain %d: its number was asked for %d times in a round, want 1", id, got)
			}
			if got := n.Calls("eth_getCode") - codes; got != 0 {
				t.Errorf("chain %d: code was fetched %d times in a round, want 0", id, got)
			}
		}
	})
}

// The code of a contract is fetched at the start, and once an hour.
func TestCodeIsFetchedHourly(t *testing.T) {
	newTrialOn(t, []swap.ChainID{4663}, 1, pools.Options{}, func(x *trial) {
		for _, step := range []struct {
			after time.Duration
			want  int
		}{{0, 1}, {pools.Every, 1}, {time.Hour - pools.Every - time.Second, 1}, {time.Second, 2}, {pools.Every, 2}} {
			x.lookAfter(step.after)
			if got := x.nodes[4663][0].Calls("eth_getCode"); got != step.want {
				t.Errorf("the code of the one contract on 4663 was fetched %d times after %v more, want %d", got, step.after, step.want)
			}
		}
	})
}

// Nodes that do not give the code when it is compared again hide nothing else: the
// hash in every look is that of the code that was compared.
func TestCodeThatIsNotGivenHidesNoPause(t *testing.T) {
	newTrialOn(t, []swap.ChainID{4663}, 3, pools.Options{Require: true}, func(x *trial) {
		x.lookAfter(0)
		for _, n := range x.nodes[4663] {
			n.SetHandle(func(w http.ResponseWriter, _ *http.Request, method string) bool {
				if method == "eth_getCode" {
					w.WriteHeader(http.StatusTooManyRequests)
				}
				return method == "eth_getCode"
			})
		}
		x.pools.Change(x.pools.Leg("ETH@4663", "WETH@369").From, func(s *contract.Snapshot) { s.DepositsPaused = true })
		x.lookAfter(time.Hour)
		x.want(swap.PoolPaused, "ETH@4663", "WETH@369", "1")
		if c := x.View().Chains[0]; !c.Known() || c.Fault != nil {
			t.Errorf("the chain is known %t, fault %v, want it known", c.Known(), c.Fault)
		}
	})
}

// A quote waits for nothing, also while no node answers: ten thousand take no time at
// all by the clock of the bubble, which stands still unless something is waited for.
// And they leave nothing for the collector.
func TestPayableWaitsForNothing(t *testing.T) {
	newTrial(t, 3, pools.Options{}, func(x *trial) {
		for _, nodes := range x.nodes {
			for _, n := range nodes {
				n.SetHandle(fake.Hang)
			}
		}
		x.start()
		q, start := x.quote("USDC@1", "USDC@369", "1000"), time.Now()
		for range 10_000 {
			if err := x.Payable(q); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("ten thousand quotes waited for %v, want nothing", took)
		}
		if n := testing.AllocsPerRun(100, func() { _ = x.Payable(q) }); n != 0 {
			t.Errorf("a quote allocates %v times, want never", n)
		}
	})
}
