package gauge_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settler/gauge"
	"hubquote/swap"
)

const (
	rules     = "../../../deploy/settler-alerts.yml"
	dashboard = "../../../deploy/settler-dashboard.json"
	manual    = "../../../docs/settling.md"
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
			t.Errorf("%s has no row for %s, want one", manual, m[1])
		}
	}
	for _, name := range []string{
		step.Unreleased, step.ReclaimAnnounced, step.PaidAndReturned, step.PaidNoDeposit, step.ReleasedUnpaid,
		step.FinalityBroken, step.FinalityStalled, step.Poisoned,
	} {
		if !strings.Contains(text, `settler_alert_orders{alert="`+name+`"}`) {
			t.Errorf("%s has no rule for %s, want one", rules, name)
		}
	}
}

// An order that stays in any state but those that may last is late.
func TestLateOrdersOfAllStates(t *testing.T) {
	m := regexp.MustCompile(`settler_oldest_seconds\{state=~"([a-z|]+)"\} > 7200`).FindStringSubmatch(read(t, rules))
	if m == nil {
		t.Fatalf("%s has no rule for late orders", rules)
	}
	listed := strings.Split(m[1], "|")
	for _, g := range gauge.List(gauge.Source{}) {
		state := g.Labels["state"]
		if g.Name == "settler_oldest_seconds" && state != string(order.Gone) && state != string(order.Claimable) && !slices.Contains(listed, state) {
			t.Errorf("no alert for an order that stays %s, want one", state)
		}
	}
}

var named = regexp.MustCompile(`settler_[a-z_]+`)

// The dashboard shows figures that there are, with labels that they have, and all
// of them.
func TestDashboardShowsTheFigures(t *testing.T) {
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, dashboard)), &board); err != nil {
		t.Fatal(err)
	}
	labels, shown := map[string]map[string]string{}, map[string]bool{}
	for _, g := range gauge.List(gauge.Source{Chains: []swap.ChainID{369}}) {
		labels[g.Name] = g.Labels
	}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			for _, name := range named.FindAllString(target.Expr, -1) {
				if _, there := labels[name]; !there {
					t.Errorf("%q shows %s, want a figure that there is", p.Title, name)
				}
				shown[name] = true
				for _, m := range regexp.MustCompile(`{{(\w+)}}`).FindAllStringSubmatch(target.LegendFormat, -1) {
					if _, has := labels[name][m[1]]; !has || !strings.Contains(target.Expr, m[1]) {
						t.Errorf("%q names the label %s, want a label of %s that the query keeps", p.Title, m[1], name)
					}
				}
			}
		}
	}
	for name := range labels {
		if !shown[name] {
			t.Errorf("%s does not show %s, want a panel with it", dashboard, name)
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
