package send_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/test/audit"
)

// Whatever the network does, every call is made exactly once, no nonce is given
// up, and the journal keeps its invariants.
func TestEveryCallIsMadeOnceOnAHostileNetwork(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := newRig(t, nil)
			random := rand.New(rand.NewPCG(seed, 1))
			sent := uint64(0)
			r.mine(4) // no reorganisation reaches the first block
			for range 60 {
				if r.lane.Free() > 0 && random.IntN(2) == 0 && r.lane.Send(t.Context(), call(r.task())) == nil {
					sent++
				}
				r.disturb(random)
				r.mine(random.IntN(2))
				_ = r.lane.Tend(t.Context()) // fails while too few nodes answer
				for _, err := range audit.Check(r.image(), audit.Rules{}) {
					t.Fatal(err)
				}
			}
			r.calm()
			r.steps(40)
			r.wantDone(sent)
			if got := uint64(len(r.image().Nonces)); got != sent || sent < 5 {
				t.Errorf("%d nonces for %d calls, want as many, and at least 5", got, sent)
			}
			for _, n := range r.image().Nonces {
				if n.State != journal.NonceMined {
					t.Errorf("nonce %d is %s, want mined", n.Nonce, n.State)
				}
			}
			for _, task := range r.image().Tasks {
				if task.Progress == order.Void {
					t.Errorf("task %d is void, want none given up", task.ID)
				}
			}
			if h := r.lane.Health(); h.Foreign != 0 || h.Open != 0 || r.lane.Free() != r.opts.InFlight {
				t.Errorf("Health = %+v with %d free, want all at rest", h, r.lane.Free())
			}
		})
	}
}

// disturb does one of the things that networks do.
func (r *rig) disturb(random *rand.Rand) {
	r.Helper()
	gate := r.gates[random.IntN(len(r.gates))]
	switch random.IntN(12) {
	case 0:
		r.pool.Drop()
	case 1:
		r.pool.Lose(random.IntN(2) == 0)
	case 2:
		r.pool.Delay(random.IntN(3))
	case 3:
		r.must(r.pool.Reorganise(r.Context(), 1+random.IntN(3), random.IntN(2) == 0))
		r.mineNothing()
	case 4:
		r.mineNothing()
	case 5:
		gate.set(down)
	case 6:
		gate.set(says("eth_getTransactionCount", `"0x0"`))
	case 7:
		gate.set(says("eth_getTransactionReceipt", "null"))
	case 8:
		r.lane.Close()
		r.calm()
		r.start()
	default:
		r.heal()
	}
}

// calm ends all disturbances.
func (r *rig) calm() {
	r.heal()
	r.pool.Lose(false)
	r.pool.Delay(0)
}

func (r *rig) heal() {
	for _, g := range r.gates {
		g.set(nil)
	}
}

// A node that does not answer holds up neither a broadcast nor a vote. Its
// timeout is longer than the test may take.
func TestSlowNodeHoldsNothingUp(t *testing.T) {
	r := newRig(t, nil)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	r.gates[0].set(func(method, _ string) (string, bool) {
		if method == "eth_sendRawTransaction" || method == "eth_getTransactionCount" {
			<-release
		}
		return "", false
	})
	r.send()
	r.mine(1)
	r.tend()
	r.wantNonces(journal.NonceMined)
}
