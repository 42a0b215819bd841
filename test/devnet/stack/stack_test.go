package stack_test

import (
	"log/slog"
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/stack"
	"hubquote/test/reference"
)

// A trial is a running devnet, for the tests of it.
type trial struct{ *stack.Stack }

func newTrial(t *testing.T) *trial {
	t.Helper()
	w, err := stack.Start(t.Context(), stack.Options{
		Catalog: reference.Catalog(t), Anvil: devnettest.Anvil(t, "../../.."),
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return &trial{w}
}

// One devnet serves all tests of it: starting it is most of the work.
func TestDevnet(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("up", func(t *testing.T) {
		w := newTrial(t)
		t.Run("every quote lands", w.everyQuoteLands)
		t.Run("the sender is paid when no recipient is named", w.senderIsPaid)
		t.Run("integrators that are switched off or unknown are refused", w.partnersAreRefused)
		t.Run("an order can be followed", w.orderIsFollowed)
		t.Run("the page is told what is there", w.pageIsTold)
		t.Run("a swap in the page lands", w.pageSwaps)
		t.Run("a swap is proved at the caller's nodes", w.swapIsProved)
		t.Run("the settler is down", w.settlerDies)    // it is not started again
		t.Run("a registry's node is down", w.nodeDies) // last: it is not started again
	})
}
