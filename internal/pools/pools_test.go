package pools_test

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/fee"
	"hubquote/internal/pools"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A trial is a watcher whose nodes show made-up contracts.
type trial struct {
	*pools.Watcher
	t       *testing.T
	cat     *catalog.Catalog
	pools   *fake.Pools
	network fake.Network
	nodes   map[swap.ChainID][]*fake.Node
}

// newTrial runs a test with so many nodes for each chain, inside a bubble of time.
func newTrial(t *testing.T, nodes int, opts pools.Options, test func(*trial)) {
	t.Helper()
	newTrialOn(t, []swap.ChainID{1, 56, 369, 4663, 8453, 10}, nodes, opts, test)
}

func newTrialOn(t *testing.T, chains []swap.ChainID, nodes int, opts pools.Options, test func(*trial)) {
	t.Helper()
	cat, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	made, err := fake.NewPools(cat)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		x := &trial{t: t, cat: cat, pools: made, network: fake.Network{}, nodes: map[swap.ChainID][]*fake.Node{}}
		opts.Catalog, opts.Endpoints, opts.Transport = cat, map[swap.ChainID][]upstream.URL{}, x.network
		for _, id := range chains {
			for i := range nodes {
				opts.Endpoints[id] = append(opts.Endpoints[id], x.addNode(id, i))
			}
		}
		w, err := pools.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		x.Watcher = w
		test(x)
	})
}

func (x *trial) addNode(id swap.ChainID, i int) upstream.URL {
	registry, _ := x.cat.Registry(id)
	n := fake.NewNode(id, registry)
	n.Pools = x.pools
	x.nodes[id] = append(x.nodes[id], n)
	host := fmt.Sprintf("node%d-%d", id, i)
	x.network[host] = n
	url, err := upstream.Parse("http://" + host)
	if err != nil {
		x.t.Fatal(err)
	}
	return url
}

// start waits for the first look.
func (x *trial) start() {
	x.Start(context.Background())
	synctest.Wait()
}

// round waits for the next look.
func (x *trial) round() {
	time.Sleep(pools.Every)
	synctest.Wait()
}

func (x *trial) quote(from, to, amount string) *swap.Quote {
	x.t.Helper()
	for _, r := range x.cat.Routes() {
		if r.From().String() != from || r.To().String() != to {
			continue
		}
		units, err := swap.ParseUnits(amount, r.SrcToken.Decimals)
		if err != nil {
			x.t.Fatal(err)
		}
		q := &swap.Quote{Route: r, Amount: units}
		if q.Received, q.Fees, err = fee.Split(r, &units, nil); err != nil {
			x.t.Fatal(err)
		}
		return q
	}
	x.t.Fatalf("no route from %s to %s", from, to)
	return nil
}

// want checks the code of the refusal of a quote; empty means that it is payable.
func (x *trial) want(code swap.Code, from, to, amount string) *swap.Error {
	x.t.Helper()
	err := x.Payable(x.quote(from, to, amount))
	if err == nil {
		if code != "" {
			x.t.Errorf("%s of %s to %s is payable, want %s", amount, from, to, code)
		}
		return nil
	}
	if got := swap.CodeOf(err); got != code {
		x.t.Errorf("%s of %s to %s: %v, want %q", amount, from, to, err, code)
	}
	e, _ := err.(*swap.Error)
	return e
}

// wantOnly checks that routes with those ends are refused, and no others are.
func (x *trial) wantOnly(code swap.Code, concerned func(*swap.Route) bool) {
	x.t.Helper()
	for _, r := range x.cat.Routes() {
		want := swap.Code("")
		if concerned(r) {
			want = code
		}
		x.want(want, r.From().String(), r.To().String(), swap.FormatUnits(&r.Limits.Max, r.SrcToken.Decimals))
	}
}

func none(*swap.Route) bool { return false }

func units(n, decimals int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil))
}

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
		{"there is no contract", "USD1@56", "USDC@369", false, func(_ *fake.Pools, s *contract.Snapshot) {
			s.CodeHash = [32]byte{}
		}, swap.DeploymentDiffers, startsAt("USD1@56")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			newTrial(t, 1, pools.Options{}, func(x *trial) {
				x.start()
				x.wantOnly("", none)
				l := x.pools.Leg(tt.from, tt.to)
				c := l.From
				if tt.payer {
					c = l.To
				}
				x.pools.Change(c, func(s *contract.Snapshot) { tt.change(x.pools, s) })
				x.round()
				x.wantOnly(tt.code, tt.concerns)
				x.heal()
				x.round()
				x.wantOnly("", none)
			})
		})
	}
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

// A pool that is nearly empty pays what it has, and says how much that is. What it
// is said to have falls at once, and rises only by a twentieth.
func TestShortPoolSaysWhatItHas(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		payer := x.pools.Leg("USDC@1", "USDC@369").To
		set := func(n int64) {
			x.pools.Change(payer, func(s *contract.Snapshot) { s.Liquidity = units(n, 6) })
			x.round()
		}
		set(997)
		x.want("", "USDC@1", "USDC@369", "1000") // of which 0.3 % stay
		e := x.want(swap.PoolShort, "USDC@1", "USDC@369", "1000.01")
		if e != nil && (e.Available == nil || e.Available.Dec() != "997000000") {
			t.Errorf("available = %v, want 997000000", e.Available)
		}
		set(1_040)
		x.want(swap.PoolShort, "USDC@1", "USDC@369", "1020")
		set(1_047)
		x.want("", "USDC@1", "USDC@369", "1020")
		set(500)
		x.want(swap.PoolShort, "USDC@1", "USDC@369", "1000")
		set(26_250) // a twentieth more than the largest order
		x.want("", "USDC@1", "USDC@369", "25000")
		set(25_000)
		set(25_100)
		if got := x.State(x.quote("USDC@1", "USDC@369", "10").Route).Available.Dec(); got != "25000000000" {
			t.Errorf("available after a small rise = %s, want 25000000000", got)
		}
	})
}

// A pool must have all that leaves it: the integrator's part too, and as much as
// the privacy pool or the issuer may take on top.
func TestShortPoolPaysEveryPart(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		inbound, shielding, burn := x.quote("USDC@1", "USDC@369", "1000"), x.quote("USDC@369", "USDC@69696969", "1000"), x.quote("USDC@369", "USDC@10", "1000")
		var err error
		partner := &swap.Integrator{Rate: 2_500}
		if inbound.Received, inbound.Fees, err = fee.Split(inbound.Route, &inbound.Amount, partner); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			quote *swap.Quote
			least int64 // millionths of a dollar
		}{{inbound, 997_000_000}, {shielding, 1_000_000_000}, {burn, 1_000_000_000}} {
			payer := x.pools.Leg(tt.quote.Route.From().String(), tt.quote.Route.To().String()).To
			for short, want := range map[int64]swap.Code{0: "", 1: swap.PoolShort} {
				x.pools.Change(payer, func(s *contract.Snapshot) { s.Liquidity = big.NewInt(tt.least - short) })
				x.round()
				x.heal() // so that the next figure is no small rise
				if err := x.Payable(tt.quote); err == nil != (want == "") || err != nil && swap.CodeOf(err) != want {
					t.Errorf("%s with %d less than it takes: %v, want %q", tt.quote.Route.To(), short, err, want)
				}
				x.round()
			}
		}
	})
}

// A cap that is used up comes back within a day, and the refusal says when. One
// that is too low for the amount never does.
func TestCappedPoolSaysWhen(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		payer := x.pools.Leg("USDC@1", "USDC@369").To
		set := func(dailyCap, left int64) {
			x.pools.Change(payer, func(s *contract.Snapshot) {
				s.Caps[contract.PaymentsCap].Cap, s.Spendable[contract.PaymentsCap] = units(dailyCap, 6), units(left, 6)
			})
			x.round()
		}
		set(2*86_400, 97)
		if e := x.want(swap.PoolCapped, "USDC@1", "USDC@369", "1000"); e != nil {
			// 900 of 86,400 a day are missing: 900 seconds.
			if got := e.After.Sub(x.State(x.quote("USDC@1", "USDC@369", "10").Route).AsOf); got != 901*time.Second {
				t.Errorf("the amount fits after %v, want 901 s", got)
			}
			if e.Available.Dec() != "97000000" {
				t.Errorf("available = %s, want 97000000", e.Available.Dec())
			}
		}
		set(1_000, 400)
		if e := x.want(swap.PoolCapped, "USDC@1", "USDC@369", "1000"); e != nil && !e.After.IsZero() {
			t.Errorf("the amount fits at %v, want no time: it is more than the cap lets out at once", e.After)
		}
	})
}

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
		burns := func(r *swap.Route) bool { return r.FeeChain != r.Dst.Network }
		x.pools.SetMinFee(50_000) // the bound
		x.round()
		x.wantOnly("", none)
		x.pools.SetMinFee(50_001)
		x.round()
		x.wantOnly(swap.RouteClosed, burns)
	})
}

// One look costs each node one call about blocks and one of the lens; another one
// where there is a messenger.
func TestCallsOfALook(t *testing.T) {
	newTrial(t, 3, pools.Options{}, func(x *trial) {
		x.start()
		for _, id := range []swap.ChainID{1, 56, 369, 4663, 8453, 10} {
			n := x.nodes[id][0]
			calls, blocks, codes := n.Calls("eth_call"), n.Calls("eth_getBlockByNumber"), n.Calls("eth_getCode")
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
			if got := n.Calls("eth_getCode") - codes; got != 0 {
				t.Errorf("chain %d: code was fetched %d times in a round, want 0", id, got)
			}
		}
	})
}

// The code of a contract is fetched at the start, and once an hour.
func TestCodeIsFetchedHourly(t *testing.T) {
	newTrialOn(t, []swap.ChainID{4663}, 1, pools.Options{}, func(x *trial) {
		x.start()
		codes := x.nodes[4663][0].Calls("eth_getCode")
		if codes != 1 {
			t.Errorf("the code of the one contract on 4663 was fetched %d times at the start, want 1", codes)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := x.nodes[4663][0].Calls("eth_getCode") - codes; got != 1 {
			t.Errorf("the code of the one contract on 4663 was fetched %d times in an hour, want 1", got)
		}
	})
}
