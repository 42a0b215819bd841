// Package reference gives a test the reference deployment: the embedded catalog,
// its lanes, and the plan that its addresses come from.
package reference

import (
	"testing"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
)

// Catalog returns the embedded catalog.
func Catalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// Lanes returns the lanes of the embedded catalog.
func Lanes(t testing.TB) []*lane.Lane {
	t.Helper()
	lanes, err := lane.Of(Catalog(t))
	if err != nil {
		t.Fatal(err)
	}
	return lanes
}

// Plan returns the plan of a generation, with the settings of the reference
// deployment.
func Plan(t testing.TB, generation int) *deployment.Plan {
	t.Helper()
	cat := Catalog(t)
	opts := deployment.Options{Catalog: cat, Settings: operator.Reference(Lanes(t))}
	if generation > 1 {
		opts.Generation, opts.Before = generation, cat
	}
	plan, err := deployment.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
