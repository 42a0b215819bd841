package stack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hubquote/internal/settle/order"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake"
)

// The page follows real swaps through each status, in the system's browser. The
// browser's test asks for one after the other, and the swap is driven there.
func TestEveryStatusInThePage(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		w := newStage(t)
		runPage(t, w.URL, "states.test.js", "HUBQUOTE_STATES_URL="+devnettest.Serve(t, w))
	})
}

// A step brings a swap to where the page is to show it.
type step struct {
	swap *trade // followed; nil is a hash that no chain has
	do   func(context.Context) error
	want swap.Stage
	why  string // the reason; empty is any
	call string // the call that is offered; empty is any
}

// steps are what the browser's test asks for, each once and in its own order.
func (w *stage) steps(t *testing.T) map[string]step {
	trip := func(from, to string) *trade {
		r := w.route(t, from, to)
		return newTrade(t, r, r.Limits.Min.ToBig(), "")
	}
	direct, burn, back := trip("USDC@8453", "USDC@369"), trip("USDC@42161", "USDC@369"), trip("USDC@8453", "USDC@369")
	out, owed := trip("USDC@369", "USDC@42161"), trip("USDC@369", "USDC@8453")
	return map[string]step{
		"unknown":    {nil, nothing, "", swap.WhyNotFound, ""},
		"confirming": {direct, all(w.hold(8453), w.begins(direct)), swap.StageConfirming, "finality", ""},
		"paid":       {direct, all(w.hold(swap.Hub), w.free(8453)), swap.StagePaid, "finality", ""},
		"done":       {direct, w.free(swap.Hub), swap.StageDone, "", ""},

		"attesting": {burn, all(w.signs(false), w.begins(burn)), swap.StageAttesting, "issuer", ""},
		"relayable": {burn, all(w.refuses(8453), w.signs(true)), swap.StageAttesting, "in_flight", "relay"},
		"relayed":   {burn, w.takes(8453), swap.StageDone, "", ""},

		"paying":    {back, all(w.pause(back, true), w.begins(back)), swap.StagePaying, "paused", "reclaim"},
		"parked":    {back, w.wish(back, order.WishPark), swap.StagePaying, "operator", "reclaim"},
		"refunding": {back, all(w.hold(swap.Hub), w.wish(back, order.WishRefund)), swap.StageRefunding, "finality", ""},
		"refunded":  {back, all(w.free(swap.Hub), w.pause(back, false)), swap.StageRefunded, "", ""},

		"delivering": {out, all(w.signs(false), w.begins(out)), swap.StageDelivering, "issuer", ""},
		"mintable":   {out, all(w.refuses(42161), w.signs(true)), swap.StageDelivering, "in_flight", "mint"},
		"minted":     {out, w.takes(42161), swap.StageDone, "", ""},

		"claimable": {owed, all(w.blocks(owed, true), w.begins(owed)), swap.StageClaimable, "unclaimed", "claim"},
		"unblocked": {owed, w.blocks(owed, false), swap.StageClaimable, "unclaimed", "claim"},
		"claimed":   {owed, nothing, swap.StageDone, "", ""},
	}
}

func nothing(context.Context) error { return nil }

func all(list ...func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, do := range list {
			if err := do(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// patience bounds a swap that does not come to where it should.
const patience = time.Minute

// ServeHTTP takes the step that the path names, and answers with what the page
// must show.
func (w *stage) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	s, known := w.known[r.URL.Path[1:]]
	if !known {
		http.NotFound(out, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	var shown tracking.Answer
	err := s.do(ctx)
	if err == nil {
		err = fake.Until(ctx, func() bool { return s.isAt(w, &shown) })
	}
	if err != nil {
		http.Error(out, fmt.Sprintf("%s: %v, want %s (%s); the status is %+v", r.URL.Path, err, s.want, s.why, shown), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(out).Encode(map[string]any{"tx": s.hash(), "orders": shown.Orders, "accounts": w.accounts(s.swap)})
}

func (s *step) hash() swap.Hash {
	if s.swap == nil {
		return swap.Hash{0xa1, 31: 0xa1}
	}
	return swap.Hash(s.swap.deposit.TxHash)
}

func (s *step) isAt(w *stage, shown *tracking.Answer) bool {
	*shown = tracking.Answer{} // what an answer leaves out is not there
	if err := getJSON(w.URL+"/v3/swap/status?txHash="+s.hash().String(), shown); err != nil {
		return false
	}
	if s.swap == nil || len(shown.Orders) != 1 {
		return s.swap == nil && shown.Reason == s.why
	}
	o := shown.Orders[0]
	return o.Status == s.want && (s.why == "" || o.Reason == s.why) && (s.call == "" || o.Action != nil && o.Action.Kind == s.call)
}

// accounts are those that the page names.
func (w *stage) accounts(j *trade) map[string]swap.Address {
	if j == nil {
		return nil
	}
	return map[string]swap.Address{"sender": j.sender.Address, "recipient": j.recipient, "relayer": devnet.Account(devnet.Relayer).Address}
}
