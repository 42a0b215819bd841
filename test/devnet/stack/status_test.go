package stack_test

import (
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"hubquote/client"
	"hubquote/internal/pinfile"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
)

// tracker is a client of the devnet's service, and nodes of all its chains.
func (w *trial) tracker(t *testing.T) (*client.Client, map[swap.ChainID]client.Node) {
	t.Helper()
	pins, err := client.ParsePins(pinfile.Of(w.Catalog, pinfile.Allowances{}).Text())
	if err != nil {
		t.Fatal(err)
	}
	short := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	c, err := client.New(w.URL, client.WithPins(pins), client.WithHTTPClient(short))
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[swap.ChainID]client.Node{}
	for id, chain := range w.Chains {
		n, err := rpc.DialOptions(t.Context(), chain.URL, rpc.WithHTTPClient(short))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.Close)
		nodes[id] = n
	}
	return c, nodes
}

// firstOf is the first route that a rule takes.
func (w *trial) firstOf(t *testing.T, rule func(*swap.Route) bool) *swap.Route {
	t.Helper()
	for _, r := range w.Catalog.Routes() {
		if rule(r) {
			return r
		}
	}
	t.Fatal("no such route, want one")
	return nil
}

func (w *trial) deposit(t *testing.T, r *swap.Route) *trade {
	t.Helper()
	least := r.Limits.Min.ToBig()
	j := newTrade(t, r, least.Mul(least, big.NewInt(2)), "")
	if err := j.begin(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	return j
}

// A swap is seen by its hash, followed to its end with the client, and every leg
// is proved at the devnet's own nodes. The same is found by hand, as
// docs/tracking.md says. The time until a deposit is visible is printed.
func (w *trial) swapIsProved(t *testing.T) {
	c, nodes := w.tracker(t)
	for name, rule := range map[string]func(*swap.Route) bool{
		"direct":        func(r *swap.Route) bool { return r.Burn == nil && !r.Private() && r.FeeChain == r.Dst.Network },
		"outbound burn": func(r *swap.Route) bool { return r.Burn == nil && !r.Private() && r.FeeChain != r.Dst.Network },
		"inbound burn":  func(r *swap.Route) bool { return r.Burn != nil && !r.Private() },
	} {
		t.Run(name, func(t *testing.T) {
			j := w.deposit(t, w.firstOf(t, rule))
			mined, tx := time.Now(), swap.Hash(j.deposit.TxHash)
			var seen tracking.Answer
			if err := getJSON(w.URL+"/v3/swap/status?wait=25s&after=0.0&txHash="+tx.String(), &seen); err != nil || len(seen.Orders) != 1 {
				t.Fatalf("status = %+v, %v, want one order", seen, err)
			}
			t.Logf("visible %s after its block", time.Since(mined).Round(time.Millisecond))
			s, err := c.WaitFor(t.Context(), tx, (*swap.Tracking).Final)
			if err != nil {
				t.Fatal(err)
			}
			reports, err := c.Prove(t.Context(), tx, s, nodes)
			if err != nil || len(reports) != 1 || !reports[0].Proved || reports[0].Status.Stage != swap.StageDone {
				t.Fatalf("Prove = %+v, %v, want one order, done and proved", reports, err)
			}
			newRecipe(t, w).follow(j)
			for _, l := range reports[0].Legs {
				if !l.Proved {
					t.Errorf("the %s on %d is told (%s), want proved", l.Kind, l.Chain, l.Why)
				}
			}
		})
	}
	t.Run("a transaction without an order", func(t *testing.T) {
		to := common.Address(devnet.Account(devnet.Bob).Address)
		r, err := w.Chains[1].Send(t.Context(), devnet.Account(devnet.Alice), evm.Tx{To: to, Value: big.NewInt(1)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.WaitFor(t.Context(), swap.Hash(r.TxHash), nil, client.OnChain(1))
		if err != nil || s.Reason != swap.WhyNoOrder {
			t.Errorf("WaitFor = %+v, %v, want %s", s, err, swap.WhyNoOrder)
		}
	})
}

// While the settler is down quotes are as before, and swaps that were asked about
// are still answered: one that is done, and one under way. The times
// are printed.
func (w *trial) settlerDies(t *testing.T) {
	c, _ := w.tracker(t)
	direct := w.firstOf(t, func(r *swap.Route) bool { return r.Burn == nil && !r.Private() && r.FeeChain == r.Dst.Network })
	done := w.deposit(t, direct)
	if _, err := c.WaitFor(t.Context(), swap.Hash(done.deposit.TxHash), nil); err != nil {
		t.Fatal(err)
	}
	before := w.quotes(t, direct)
	late := w.deposit(t, direct)
	begun, err := c.WaitFor(t.Context(), swap.Hash(late.deposit.TxHash), func(s *swap.Tracking) bool { return len(s.Orders) > 0 })
	if err != nil {
		t.Fatal(err)
	}
	w.StopSettler()
	after := w.quotes(t, direct)
	t.Logf("100 quotes one by one: %s with the settler, %s without", before.Round(time.Millisecond), after.Round(time.Millisecond))
	start := time.Now()
	s, err := c.Track(t.Context(), swap.Hash(done.deposit.TxHash))
	if err != nil || !s.Final() {
		t.Errorf("a swap that is done = %+v, %v, want it answered without the settler", s, err)
	}
	t.Logf("a known swap is answered in %s without the settler", time.Since(start).Round(time.Microsecond))
	s, err = c.Track(t.Context(), swap.Hash(late.deposit.TxHash))
	if err != nil || len(s.Orders) != 1 || s.Mark().Before(begun.Mark()) {
		t.Errorf("a swap under way = %+v, %v, want the settler's last word", s, err)
	}
	if _, err := c.Track(t.Context(), swap.Hash{1}); swap.CodeOf(err) != swap.StatusUnavailable {
		t.Errorf("an unknown hash: %v, want %s", err, swap.StatusUnavailable)
	}
}

// quotes asks for a hundred quotes, which must all be given.
func (w *trial) quotes(t *testing.T, r *swap.Route) time.Duration {
	t.Helper()
	start := time.Now()
	for range 100 {
		least := r.Limits.Min.ToBig()
		if err := newTrade(t, r, least.Mul(least, big.NewInt(2)), "").ask(w); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(start)
}
