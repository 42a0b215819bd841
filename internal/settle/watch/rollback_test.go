package watch_test

import (
	"testing"

	"hubquote/internal/settle/order"
)

// A chain that is rolled back has another history in the blocks that were final
// or safe. A deposit there has only the proof that the present tags give, and
// the chain stops when its final block is another one.
func TestRolledBack(t *testing.T) {
	for name, c := range map[string]struct {
		safe, final uint64 // below the head
		broken      bool
	}{
		"below the final tag": {0, 1, true},
		"below the safe tag":  {1, 18, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.fronts[src].Tag(c.safe, c.final)
			url := r.net.Chains[src].URL
			r.mine(src, 6)
			r.deposit()
			back, err := rpcDo(t.Context(), url, "evm_snapshot")
			if err != nil {
				t.Fatal(err)
			}
			r.mine(src, 12)
			for range 3 {
				r.round()
			}
			if _, err := rpcDo(t.Context(), url, "evm_revert", back); err != nil {
				t.Fatal(err)
			}
			r.mine(src, 1)
			r.fronts[src].Tag(2, 18)
			_, id := r.deposit()
			for range 4 {
				r.round()
				r.want(id, order.EventOpened, order.Agreed)
			}
			r.fronts[src].Tag(c.safe, c.final)
			r.mine(src, 20)
			if c.broken {
				r.until("the chain is broken", func() bool { return r.tag(src).Broken })
			} else {
				r.until("the deposit is final", func() bool { return r.fact(id, order.EventOpened) == order.Final })
			}
		})
	}
}

// One endpoint that stays on the old fork does not hide that a final block is
// lost.
func TestOneEndpointHidesALostFinalBlock(t *testing.T) {
	for i := range 3 {
		r := newRig(t)
		r.fronts[src].Tag(0, 1)
		r.mine(src, 3)
		_, id := r.deposit()
		r.mine(src, 1)
		r.round()
		r.want(id, order.EventOpened, order.Final)
		e := r.fronts[src].Endpoints[i]
		old, err := e.Keep(t.Context(), 8)
		if err != nil {
			t.Fatal(err)
		}
		e.Set(old)
		r.reorganise(src, 3)
		for range 6 {
			r.mine(src, 1)
			r.round()
		}
		if !r.tag(src).Broken {
			t.Errorf("endpoint %d stays on the old fork: the chain goes on, want it broken; the deposit has proof %d", i, r.fact(id, order.EventOpened))
		}
	}
}
