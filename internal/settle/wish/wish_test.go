package wish_test

import (
	"testing"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/wish"
)

func TestResult(t *testing.T) {
	for _, tt := range []struct {
		name  string
		verb  order.Verb
		state order.State
		want  string
		over  bool
	}{
		{"parked", order.WishPark, order.Parked, "parked", true},
		{"too late to park", order.WishPark, order.Paid, "not parked: the order is paid", true},
		{"a retry is over at once", order.WishRetry, order.Paying, "tried again: the order is paying", true},
		{"a cancellation that waits for gas stays open", order.WishCancel, order.Waiting, "", false},
		{"a cancellation under way", order.WishCancel, order.Cancelling, "the order is cancelling", true},
		{"a refund under way", order.WishRefund, order.Refunding, "the order is refunding", true},
		{"a paid order", order.WishRefund, order.Settled, "not cancelled: the order is paid", true},
		{"a closed order", order.WishCancel, order.Closed, "nothing to do: the order is closed", true},
		{"a deposit that is gone", order.WishCancel, order.Gone, "not cancelled: the deposit is gone", true},
		{"another verb", "sell", order.Paying, `there is no verb "sell"`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if text, over := wish.Result(tt.verb, step.Step{State: tt.state}); text != tt.want || over != tt.over {
				t.Errorf("Result = %q, %v, want %q, %v", text, over, tt.want, tt.over)
			}
		})
	}
}
