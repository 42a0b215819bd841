package pools_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A node that is behind, or says so, holds nothing back when another is only slow: a
// pause is seen in the next look, and not when it is in the block of that node too.
func TestNodeBehindHoldsNothingBack(t *testing.T) {
	for name, order := range map[string][3]int{"slow last": {0, 1, 2}, "slow first": {2, 0, 1}, "behind last": {2, 1, 0}} {
		t.Run(name, func(t *testing.T) {
			newTrialOn(t, []swap.ChainID{369}, 3, pools.Options{}, func(x *trial) {
				all := x.nodes[369]
				behind, fast, slow := all[order[0]], all[order[1]], all[order[2]]
				before, err := fake.NewPools(x.cat)
				if err != nil {
					t.Fatal(err)
				}
				behind.Pools, behind.Head, behind.Behind = before, behind.Head-20, 20*behind.Interval
				fast.SetHandle(answerAt(behind, 30*time.Millisecond))
				slow.SetHandle(answerAt(behind, 300*time.Millisecond))
				x.pools.Change(x.pools.Leg("USDC@1", "USDC@369").To, func(s *contract.Snapshot) { s.PaymentsPaused = true })
				x.start()
				for range 3 {
					time.Sleep(pools.Every)
					synctest.Wait()
					x.want(swap.PoolPaused, "USDC@1", "USDC@369", "1000")
				}
			})
		})
	}
}

// A node that answers as late as it may, and then not at all, does not keep two slow
// ones that have different heads from agreeing.
func TestNodeThatHoldsUpEveryStep(t *testing.T) {
	newTrialOn(t, []swap.ChainID{369}, 3, pools.Options{Require: true}, func(x *trial) {
		all := x.nodes[369]
		all[0].SetHandle(func(_ http.ResponseWriter, r *http.Request, method string) bool {
			if method == "eth_call" {
				return fake.Hang(nil, r, method)
			}
			return !fake.Sleep(r.Context(), 700*time.Millisecond)
		})
		for i, n := range all[1:] {
			n.Head -= uint64(i + 1)
			n.Behind = time.Duration(i+1) * n.Interval
			n.SetHandle(fake.After(390 * time.Millisecond))
		}
		x.start()
		for range 6 {
			time.Sleep(pools.Every + 5*time.Second)
			if c := x.View().Chains[0]; !c.Known() || c.Fault != nil {
				t.Fatalf("known %t, fault %v, want it seen", c.Known(), c.Fault)
			}
		}
	})
}

// answerAt answers after a time, and as old does about the state at its latest block.
func answerAt(old *fake.Node, d time.Duration) func(http.ResponseWriter, *http.Request, string) bool {
	block := fmt.Appendf(nil, `"blockHash":"0x%016x`, old.Head)
	return func(w http.ResponseWriter, r *http.Request, method string) bool {
		if !fake.Sleep(r.Context(), d) {
			return true
		}
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil || method != "eth_call" || !bytes.Contains(body, block) {
			return false
		}
		old.ServeHTTP(w, r)
		return true
	}
}
