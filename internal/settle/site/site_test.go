package site_test

import (
	"testing"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/site"
)

// TestEveryContract compares the embedded catalog with what the plan of it
// deploys, by number and kind.
func TestEveryContract(t *testing.T) {
	cat, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	m, err := site.Of(cat, cat)
	if err != nil {
		t.Fatal(err)
	}
	got := map[site.Kind]int{}
	for _, s := range m.Sites {
		got[s.Kind]++
		if s.Generation != 1 || s.Token == nil || s.Place == 0 || s.Chain == 0 || s.Address.IsZero() {
			t.Errorf("%s is incomplete: %+v", s.Name, s)
		}
	}
	if got[site.Receiver] != 1 || got[site.Gateway] != 1 || got[site.Shield] == 0 || got[site.Pool] == 0 {
		t.Errorf("kinds = %v, want one receiver, one gateway pool, and some of the others", got)
	}
	if chains := m.Chains(); len(chains) != 5 {
		t.Errorf("contracts on %v, want five networks", chains)
	}
	if _, err := site.Of(); err == nil {
		t.Error("Of() without a catalog, want an error")
	}
}
