package terms_test

import (
	"testing"

	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/settle/burns/terms"
	"hubquote/swap"
	"hubquote/test/reference"
)

// Burns to the receiver of an older generation are ours for as long as that is
// named.
func TestGenerations(t *testing.T) {
	first, second := reference.Plan(t, 1), reference.Plan(t, 2)
	both, err := terms.Of(first, second)
	if err != nil {
		t.Fatal(err)
	}
	for name, plan := range map[string]*deployment.Plan{"the first": first, "the second": second} {
		if !both.IsReceiver(swap.Address(plan.Address(lane.Receiver))) {
			t.Errorf("the receiver of %s generation is not ours, want both", name)
		}
	}
	if n := len(both.Burners()); n != 4 {
		t.Errorf("%d contracts burn, want a receiver and a pool of each generation", n)
	}
}
