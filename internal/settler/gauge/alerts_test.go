package gauge_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settler/gauge"
	"hubquote/swap"
)

const (
	rules  = "../../../deploy/settler-alerts.yml"
	manual = "../../../docs/settling.md"
)

// An alert is made from figures that there are, has a row in the manual, and every
// alert that an order can raise has a rule.
func TestAlertsAreMadeFromFigures(t *testing.T) {
	text, page := read(t, rules), read(t, manual)
	names := map[string]bool{}
	for _, g := range gauge.List(gauge.Source{Chains: []swap.ChainID{369}}) {
		names[g.Name] = true
	}
	for _, m := range regexp.MustCompile(`expr:.*?(settler_[a-z_]+)`).FindAllStringSubmatch(text, -1) {
		if !names[m[1]] {
			t.Errorf("a rule reads %s, want a figure that there is", m[1])
		}
	}
	found := regexp.MustCompile(`alert: (Settler\w+)`).FindAllStringSubmatch(text, -1)
	if len(found) < 13 {
		t.Errorf("%d alerts, want at least 13", len(found))
	}
	for _, m := range found {
		if !strings.Contains(page, "| `"+m[1]+"` |") {
			t.Errorf("%s has no row for %s", manual, m[1])
		}
	}
	for _, name := range []string{
		step.Unreleased, step.ReclaimAnnounced, step.PaidAndReturned, step.PaidNoDeposit, step.ReleasedUnpaid,
		step.FinalityBroken, step.FinalityStalled, step.Poisoned,
	} {
		if !strings.Contains(text, `settler_alert_orders{alert="`+name+`"}`) {
			t.Errorf("%s has no rule for %s", rules, name)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
