package prove_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hubquote/internal/contract"
	"hubquote/swap"
)

// provedBy are the events that docs/tracking.md says prove each kind of leg.
func provedBy(t *testing.T) map[swap.LegKind][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/tracking.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "| leg | proved by |\n")
	table, _, _ := strings.Cut(after, "\n\n")
	word, events := regexp.MustCompile("`([a-z]+)`"), regexp.MustCompile("`([A-Z][A-Za-z]+)`")
	by := map[swap.LegKind][]string{}
	for _, row := range strings.Split(table, "\n")[1:] {
		cells := strings.SplitN(row, " | ", 2)
		for _, kind := range word.FindAllStringSubmatch(cells[0], -1) {
			for _, e := range events.FindAllStringSubmatch(cells[1], -1) {
				by[swap.LegKind(kind[1])] = append(by[swap.LegKind(kind[1])], e[1])
			}
		}
	}
	return by
}

// The receipt of a leg has an event that docs/tracking.md names for it, and without
// these the leg is not proved.
func TestLegsAreProvedAsDocumented(t *testing.T) {
	topics := map[string]swap.Hash{}
	for _, c := range []*contract.Compiled{contract.Pool, contract.Transmitter} {
		for name, e := range c.ABI().Events {
			topics[name] = swap.Hash(e.ID)
		}
	}
	by, seen := provedBy(t), map[swap.LegKind]bool{}
	for name, make := range worlds {
		for i := range make(t).s.Legs {
			w := make(t)
			leg := w.s.Legs[i]
			receipt := w.node(leg.Chain).receipts[leg.Tx.String()].(map[string]any)
			had := receipt["logs"].([]any)
			left := slices.DeleteFunc(slices.Clone(had), func(log any) bool {
				topic := log.(map[string]any)["topics"].([]swap.Hash)[0]
				return slices.ContainsFunc(by[leg.Kind], func(event string) bool { return topics[event] == topic })
			})
			if len(left) == len(had) {
				t.Errorf("%s: the logs of the %s have none of %v, want one", name, leg.Kind, by[leg.Kind])
			}
			receipt["logs"] = left
			if r, err := w.prover().Check(t.Context(), w.asked, &w.s); err == nil && r.Legs[i].Proved {
				t.Errorf("%s: the %s is proved without %v, want it refused or told", name, leg.Kind, by[leg.Kind])
			}
			seen[leg.Kind] = true
		}
	}
	for kind := range by {
		if !seen[kind] && kind != swap.LegReclaim { // as refund, with another topic
			t.Errorf("no case has a %s, want one", kind)
		}
	}
}

func (w *world) node(id swap.ChainID) *chain {
	return map[swap.ChainID]*chain{369: w.hub, 8453: w.base, 10: w.op}[id]
}
