package pools_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools"
	"hubquote/internal/pools/proxy"
	"hubquote/swap"
	"hubquote/test/fake"
)

// changes returns what has changed on a chain.
func (x *trial) changes(id swap.ChainID) []proxy.Change {
	for _, c := range x.View().Chains {
		if c.ID == id {
			return c.Changes
		}
	}
	return nil
}

// An hour after the code behind a proxy of others was replaced that is known, and no
// quote is refused for it.
func TestChangedProxyIsNamed(t *testing.T) {
	newTrialOn(t, []swap.ChainID{8453, 10}, 1, pools.Options{}, func(x *trial) {
		messenger := swap.Address(x.pools.Leg("USDC@369", "USDC@10").To.Fixed.Messenger)
		first, second := swap.Address{1}, swap.Address{2}
		x.pools.SetBehind(messenger, first)
		x.lookAfter(0)
		x.pools.SetBehind(messenger, second)
		x.lookAfter(time.Hour - time.Second)
		if got := x.changes(8453); got != nil {
			t.Errorf("changes within the hour = %+v, want none: it costs too many calls", got)
		}
		x.lookAfter(time.Second)
		for _, id := range []swap.ChainID{8453, 10} {
			if got := x.changes(id); len(got) != 1 || got[0] != (proxy.Change{Name: "messenger", First: first, Now: second}) {
				t.Errorf("changes on %d = %+v, want that of the messenger", id, got)
			}
		}
		x.wantOnly("", none)
		x.pools.SetBehind(messenger, first)
		x.lookAfter(time.Hour)
		if got := x.changes(8453); got != nil {
			t.Errorf("changes after it was undone = %+v, want none", got)
		}
	})
}

// What is behind proxies is not waited for: the pools are seen before.
func TestProxiesHoldUpNoView(t *testing.T) {
	newTrialOn(t, []swap.ChainID{1}, 3, pools.Options{}, func(x *trial) {
		x.pools.Change(x.pools.Leg("USDC@1", "USDC@369").From, func(s *contract.Snapshot) { s.DepositsPaused = true })
		for _, n := range x.nodes[1] {
			n.SetHandle(func(w http.ResponseWriter, r *http.Request, method string) bool {
				return method == "eth_getStorageAt" && fake.Hang(w, r, method)
			})
		}
		x.Start(context.Background())
		time.Sleep(time.Millisecond)
		synctest.Wait()
		x.want(swap.PoolPaused, "USDC@1", "USDC@369", "1000")
	})
}

// Nodes that do not answer about storage are believed about pools as before.
func TestNodesWithoutStorage(t *testing.T) {
	newTrial(t, 1, pools.Options{Require: true}, func(x *trial) {
		for _, nodes := range x.nodes {
			nodes[0].SetHandle(func(w http.ResponseWriter, _ *http.Request, method string) bool {
				if method != "eth_getStorageAt" {
					return false
				}
				w.WriteHeader(http.StatusForbidden)
				return true
			})
		}
		x.start()
		for range 12 { // two minutes, in which it is tried again
			x.round()
			x.wantOnly("", none)
		}
	})
}
