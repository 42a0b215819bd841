package roster_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
)

// TestRecordedIsPlanned compares the contracts of the embedded catalog with
// those of the plan that made its addresses.
func TestRecordedIsPlanned(t *testing.T) {
	cat, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := lane.Of(cat)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := deployment.New(deployment.Options{Catalog: cat, Settings: operator.Reference(lanes)})
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := deployment.Recorded(cat)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byAddress(roster.Of(plan)), byAddress(roster.Of(recorded))); diff != "" {
		t.Errorf("contracts (-planned +recorded):\n%s", diff)
	}
}

func byAddress(r roster.Roster) map[order.Pool]roster.Contract {
	set := map[order.Pool]roster.Contract{}
	for _, c := range r {
		set[c.Pool] = c
	}
	return set
}
