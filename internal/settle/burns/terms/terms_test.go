package terms_test

import (
	"testing"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/settle/burns/terms"
	"hubquote/swap"
)

// Burns to the receiver of an older generation are ours for as long as that is
// named.
func TestGenerations(t *testing.T) {
	cat, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := lane.Of(cat)
	if err != nil {
		t.Fatal(err)
	}
	settings := operator.Reference(lanes)
	first, err := deployment.New(deployment.Options{Catalog: cat, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	second, err := deployment.New(deployment.Options{Catalog: cat, Settings: settings, Generation: 2, Before: cat})
	if err != nil {
		t.Fatal(err)
	}
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
