package roster_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/swap"
	"hubquote/test/reference"
)

// TestRecordedIsPlanned compares the contracts of the embedded catalog with
// those of the plan that made its addresses.
func TestRecordedIsPlanned(t *testing.T) {
	plan := reference.Plan(t, 1)
	recorded, err := deployment.Recorded(reference.Catalog(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byAddress(roster.Of(plan)), byAddress(roster.Of(recorded))); diff != "" {
		t.Errorf("contracts (-planned +recorded):\n%s", diff)
	}
}

// Every generation is listed, and the pools of the newest pay what burns to an
// older receiver open.
func TestGenerations(t *testing.T) {
	first, second := reference.Plan(t, 1), reference.Plan(t, 2)
	both := roster.Of(first, second)
	if got, want := len(both), len(roster.Of(first))+len(roster.Of(second)); got != want {
		t.Errorf("%d contracts are listed, want the %d of both generations", got, want)
	}
	former := swap.Address(first.Address(lane.Receiver))
	pays := map[int64]bool{}
	for _, c := range both {
		for _, s := range c.Sources {
			pays[c.Generation] = pays[c.Generation] || s.Pool.Address == former
		}
	}
	if !pays[1] || !pays[2] {
		t.Errorf("orders of the first receiver are paid by generations %v, want by 1 and 2", pays)
	}
}

func byAddress(r roster.Roster) map[order.Pool]roster.Contract {
	set := map[order.Pool]roster.Contract{}
	for _, c := range r {
		set[c.Pool] = c
	}
	return set
}
