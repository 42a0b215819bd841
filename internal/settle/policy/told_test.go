package policy_test

import (
	"testing"
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/world"
)

// One endpoint's word stops no chain.
func TestOneEndpointStopsNoChain(t *testing.T) {
	o := order.Order{ID: order.ID{1}, Src: order.Pool{Chain: 1, Address: [20]byte{1}}, Dst: order.Pool{Chain: 369, Address: [20]byte{2}}, Deadline: time.Now().Add(time.Hour)}
	f := order.Facts{
		Opened:   &order.Fact{Chain: 1, Proof: order.Final},
		Released: &order.Fact{Chain: 1, Proof: order.Told},
	}
	s := policy.Next(time.Now(), o, f, world.World{}, rules.Standard())
	for _, a := range s.Alerts {
		if a.Stop {
			t.Errorf("alert %s stops chain %d on a fact that is only told", a.Name, a.Chain)
		}
	}
}
