package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hubquote/internal/command"
	"hubquote/internal/contract"
	"hubquote/internal/listen"
	"hubquote/test/fake"
)

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const (
	operating = "../../docs/operating.md"
	alerts    = "../../deploy/alerts.yml"
	dashboard = "../../deploy/grafana.json"
	unit      = "../../deploy/hubquote.service"
)

// The table of settings in the manual has exactly the flags.
func TestManualListsTheSettings(t *testing.T) {
	var c settings
	f := command.Std{Program: "hubquote"}.Flags("serve", "")
	c.define(f)
	table := "| flag | environment | default | |\n|---|---|---|---|\n"
	f.VisitAll(func(fl *flag.Flag) {
		value, usage := flag.UnquoteUsage(fl)
		name := strings.TrimSpace("--" + fl.Name + " " + value)
		fallback := ""
		if fl.DefValue != "" {
			fallback = "`" + fl.DefValue + "`"
		}
		table += fmt.Sprintf("| `%s` | `%s` | %s | %s |\n", name,
			f.Variable(fl.Name), fallback, strings.ReplaceAll(usage, "\n", " "))
	})
	if !strings.Contains(textOf(t, operating), "\n"+table+"\n") {
		t.Errorf("%s has another table of settings, want:\n%s", operating, table)
	}
}

// A query is one expression of the rules or the dashboard, with the text that shows
// its result.
type query struct{ name, expr, text string }

var rule = regexp.MustCompile(`(?s)- alert: (\w+)\n.*?expr: \|?(.*?)\n {8}(?:for|labels):(.*?)(?:\n\n|$)`)

func rules(t *testing.T) (queries []query) {
	t.Helper()
	text := textOf(t, alerts)
	for _, m := range rule.FindAllStringSubmatch(text, -1) {
		queries = append(queries, query{m[1], m[2], m[3]})
	}
	if len(queries) != strings.Count(text, "- alert:") || len(queries) == 0 {
		t.Fatalf("%d rules were parsed, want %d", len(queries), strings.Count(text, "- alert:"))
	}
	return queries
}

func panels(t *testing.T) (queries []query) {
	t.Helper()
	var d struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal([]byte(textOf(t, dashboard)), &d); err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			queries = append(queries, query{p.Title, target.Expr, target.LegendFormat})
		}
	}
	return queries
}

// exposed has every metric of a scrape, with its labels and their values.
type exposed map[string]map[string]map[string]bool

var (
	series = regexp.MustCompile(`(?m)^(\w+)(?:\{(.*)\})? \S+$`)
	pair   = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

func parseScrape(text string) exposed {
	metrics := exposed{}
	for _, m := range series.FindAllStringSubmatch(text, -1) {
		if metrics[m[1]] == nil {
			// Prometheus adds these itself.
			metrics[m[1]] = map[string]map[string]bool{"job": {"hubquote": true}, "instance": {}}
		}
		for _, p := range pair.FindAllStringSubmatch(m[2], -1) {
			if metrics[m[1]][p[1]] == nil {
				metrics[m[1]][p[1]] = map[string]bool{}
			}
			metrics[m[1]][p[1]][p[2]] = true
		}
	}
	return metrics
}

// scrape returns the metrics of a program with every upstream, after a quote of each
// kind.
func scrape(t *testing.T) exposed {
	t.Helper()
	hub, issuer, redis := newNode(t, 369), fake.Serve(t, fake.NewIssuer(fake.Flat("1"))), newRedis(t)
	leg := hub.Pools.Leg("WETH@369", "ETH@1") // one field differs and harms, another does not
	hub.Pools.Change(leg.From, func(s *contract.Snapshot) {
		leg.Destination(s).Rate++
		s.DepositsPaused = true
	})
	p := launch(t, append(rpc(hub), "--issuer", urlOf(issuer), "--redis", redis.url())...)
	fake.Eventually(t, "the pools are seen", func() bool { return p.check("pools 369") == "down" })
	p.quotes(laneTo(369), partner)
	fake.Eventually(t, "a fee", func() bool { return p.check("issuer fee") == "ok" })
	p.maxFee()
	metrics := parseScrape(string(p.fetch(p.admin+"/metrics", "").body))
	metrics["up"] = map[string]map[string]bool{"job": {"hubquote": true}, "instance": {}}
	return metrics
}

var (
	selector = regexp.MustCompile(`\b((?:hubquote|process|go)_\w+|up)\b(?:\{([^}]*)\})?`)
	matcher  = regexp.MustCompile(`(\w+)(=~|!~|!=|=)"([^"]*)"`)
	grouping = regexp.MustCompile(`\b(?:by|without|on|ignoring) \(([^)]*)\)`)
	shown    = regexp.MustCompile(`\{\{ *(?:\$labels\.)?(\w+) *\}\}`)
)

// check fails the test if q uses a metric, label or value that the program does not
// expose.
func (metrics exposed) check(t *testing.T, q query) {
	t.Helper()
	labels := map[string]bool{}
	found := selector.FindAllStringSubmatch(q.expr, -1)
	if len(found) == 0 {
		t.Errorf("%s: expression = %s, want at least one metric", q.name, q.expr)
	}
	for _, m := range found {
		metric, known := metrics[m[1]]
		if !known {
			t.Errorf("%s uses %s, want an exposed metric", q.name, m[1])
		}
		for label := range metric {
			labels[label] = true
		}
		for _, l := range matcher.FindAllStringSubmatch(m[2], -1) {
			// Not every status is in this scrape, so statuses are not checked.
			if metric[l[1]] == nil || l[2] == "=" && l[1] != "status" && !metric[l[1]][l[3]] {
				t.Errorf("%s uses %s with %s, want a label and value of a series", q.name, m[1], l[0])
			}
		}
	}
	for _, m := range grouping.FindAllStringSubmatch(q.expr, -1) {
		for label := range strings.SplitSeq(m[1], ", ") {
			if !labels[label] {
				t.Errorf("%s groups by %q, want a label of its metrics", q.name, label)
			}
		}
	}
	for _, m := range shown.FindAllStringSubmatch(q.text, -1) {
		if !labels[m[1]] {
			t.Errorf("%s shows %q, want a label of its metrics", q.name, m[1])
		}
	}
}

// The rules, the dashboard and the manual use only exposed metrics, and the manual
// has all of them.
func TestDocumentedMetricsAreExposed(t *testing.T) {
	t.Parallel()
	metrics := scrape(t)
	for _, q := range slices.Concat(rules(t), panels(t)) {
		metrics.check(t, q)
	}
	manual := textOf(t, operating)
	for _, name := range regexp.MustCompile("`(hubquote_\\w+)").FindAllStringSubmatch(manual, -1) {
		if metrics[name[1]] == nil && metrics[name[1]+"_count"] == nil {
			t.Errorf("the manual has %s, want only exposed metrics", name[1])
		}
	}
	histogram := regexp.MustCompile(`_(bucket|sum|count)$`)
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		if name := histogram.ReplaceAllString(name, ""); strings.HasPrefix(name, "hubquote_") && !strings.Contains(manual, "`"+name+"`") {
			t.Errorf("the manual does not have %s, want every metric", name)
		}
	}
}

func TestManualListsTheAlerts(t *testing.T) {
	manual := textOf(t, operating)
	known := map[string]bool{}
	for _, r := range rules(t) {
		known[r.name] = true
		if !strings.Contains(manual, "`"+r.name+"`") {
			t.Errorf("the manual does not have %s, want every alert", r.name)
		}
	}
	for _, m := range regexp.MustCompile("`(Hubquote\\w+)`").FindAllStringSubmatch(manual, -1) {
		if !known[m[1]] {
			t.Errorf("the manual has %s, want only alerts with a rule", m[1])
		}
	}
}

func TestUnitLeavesTimeToDrain(t *testing.T) {
	text := textOf(t, unit)
	duration := func(key string) time.Duration {
		t.Helper()
		m := regexp.MustCompile(key + `=(\w+)`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("the unit has no %s, want it set", key)
		}
		d, err := time.ParseDuration(m[1])
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if stop, need := duration("TimeoutStopSec"), duration("HUBQUOTE_DRAIN_DELAY")+listen.ShutdownTimeout; stop <= need {
		t.Errorf("TimeoutStopSec = %v, want more than %v for draining", stop, need)
	}
}
