package pools_test

import (
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools"
	"hubquote/internal/pools/drift"
	"hubquote/swap"
	"hubquote/test/fake"
)

// busyFor refuses calls that look at a contract, as a node does that has too many.
func busyFor(a swap.Address) func(http.ResponseWriter, *http.Request, string) bool {
	return func(w http.ResponseWriter, r *http.Request, method string) bool {
		if method != "eth_call" || !fake.LooksAt(r, a) {
			return false
		}
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}`)
		return true
	}
}

// What was seen of a contract is believed for a minute also when a node refuses the
// calls about it alone. Then the contract is named as one that cannot be read.
func TestRefusedCallsForgetNoContract(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		payer := x.pools.Leg("USDC@369", "USDC@1").To
		x.pools.Change(payer, func(s *contract.Snapshot) { s.PaymentsPaused = true })
		x.round()
		x.want(swap.PoolPaused, "USDC@369", "USDC@1", "1000")
		x.nodes[1][0].SetHandle(busyFor(payer.Address))
		x.round()
		x.round()
		x.want(swap.PoolPaused, "USDC@369", "USDC@1", "1000")
		time.Sleep(pools.Known)
		synctest.Wait()
		x.want("", "USDC@369", "USDC@1", "1000")
		want := drift.Row{Network: 1, Contract: payer.Name, Field: "readable", Want: "true", Got: "false"}
		if rows := x.View().Rows(); !slices.Contains(rows, want) {
			t.Errorf("rows = %+v, want %+v among them", rows, want)
		}
	})
}

// The least fee of a messenger is believed for a minute while a node has too many
// calls to tell it: without it a burn would offer too little.
func TestRefusedCallsForgetNoFee(t *testing.T) {
	newTrialOn(t, []swap.ChainID{10}, 1, pools.Options{}, func(x *trial) {
		x.pools.SetMinFee(1_300)
		x.start()
		x.nodes[10][0].SetHandle(busyFor(swap.Address{}))
		x.round()
		if got, want := x.MinFee(10), swap.IssuerRate(1_300_000_000); got != want {
			t.Errorf("least fee = %s bps, want %s", got, want)
		}
	})
}

// With Require, the list of routes says what quotes say.
func TestRequiredPoolsAreShownAsUnknown(t *testing.T) {
	newTrial(t, 1, pools.Options{Require: true}, func(x *trial) {
		r := x.quote("USDC@1", "USDC@369", "1000").Route
		if s := x.State(r); s.Reason != swap.PoolUnknown {
			t.Errorf("reason = %q, want %s", s.Reason, swap.PoolUnknown)
		}
		x.start()
		if s := x.State(r); s.Reason != "" {
			t.Errorf("reason = %q, want none", s.Reason)
		}
	})
}
