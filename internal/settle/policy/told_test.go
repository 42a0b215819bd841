package policy_test

import (
	"testing"
	"time"

	"hubquote/internal/settle/order"
)

// One endpoint's word neither stops a chain nor holds up an order.
func TestOneEndpointHoldsUpNoOrder(t *testing.T) {
	for event, at := range map[order.Event]func(*order.Facts) **order.Fact{
		order.EventPaid:      func(f *order.Facts) **order.Fact { return &f.Paid },
		order.EventCancelled: func(f *order.Facts) **order.Fact { return &f.Cancelled },
		order.EventRefunded:  func(f *order.Facts) **order.Fact { return &f.Refunded },
		order.EventReleased:  func(f *order.Facts) **order.Fact { return &f.Released },
		order.EventReclaimed: func(f *order.Facts) **order.Fact { return &f.Reclaimed },
		order.EventCredited:  func(f *order.Facts) **order.Fact { return &f.Credited },
		order.EventClaimed:   func(f *order.Facts) **order.Fact { return &f.Claimed },
	} {
		t.Run(string(event), func(t *testing.T) {
			s := payable()
			*at(&s.f) = fact(order.Told, s.now)
			if got, want := of(s.next()), sends(order.Pay, order.Paying); got != want {
				t.Errorf("Next = %+v, want %+v", got, want)
			}
			s.now = deadline.Add(time.Hour)
			for _, a := range s.next().Alerts {
				t.Errorf("alert %s for a fact that is only told, want none", a.Name)
			}
		})
	}
}
