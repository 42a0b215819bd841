package docs_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	source "go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	compiled "hubquote/internal/contract"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// table returns the cells of a table by its first heading, row by row.
func table(t *testing.T, file, heading string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "\n| "+heading+" |")
	if !found {
		t.Fatalf("%s has no table of %s", file, heading)
	}
	for i, line := range strings.Split(after, "\n") {
		switch {
		case i < 2: // the heading and the rule
		case !strings.HasPrefix(line, "| "):
			return rows
		default:
			var cells []string
			for _, cell := range strings.Split(strings.Trim(line, "|"), " | ") {
				cells = append(cells, strings.TrimSpace(cell))
			}
			rows = append(rows, cells)
		}
	}
	return rows
}

var quoted = regexp.MustCompile("`([A-Za-z_]+)`")

// words are those in a cell that are set as code.
func words(cell string) (list []string) {
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		list = append(list, m[1])
	}
	return list
}

// constants are the values of a file's constants of one type.
func constants(t *testing.T, file, kind string) (list []string) {
	t.Helper()
	tree, err := parser.ParseFile(source.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is {
			return true
		}
		if id, is := spec.Type.(*ast.Ident); is && id.Name == kind {
			for _, v := range spec.Values {
				value, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, value)
			}
		}
		return true
	})
	if len(list) == 0 {
		t.Fatalf("%s has no constants of type %s", file, kind)
	}
	return list
}

func wantSame(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Clone(got), slices.Clone(want)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s are %v, want %v", what, got, want)
	}
}

// Each status, leg and reason is explained once, and no other is.
func TestTrackingPageExplainsEveryWord(t *testing.T) {
	var stages, reasons, legs []string
	for _, row := range table(t, "tracking.md", "`status`") {
		stages = append(stages, words(row[0])...)
	}
	for _, row := range table(t, "tracking.md", "`reason`") {
		reasons = append(reasons, words(row[0])...)
	}
	for _, row := range table(t, "tracking.md", "leg") {
		legs = append(legs, words(row[0])...)
	}
	wantSame(t, "the statuses", stages, constants(t, "../swap/status.go", "Stage"))
	wantSame(t, "the reasons", reasons, reasonWords(t))
	wantSame(t, "the legs", legs, constants(t, "../swap/status.go", "LegKind"))
}

// reasonWords are the journal's reasons as a status spells them.
func reasonWords(t *testing.T) (list []string) {
	for _, r := range constants(t, "../internal/settle/order/words.go", "Reason") {
		list = append(list, strings.ReplaceAll(r, " ", "_"))
	}
	return list
}

// The reasons for a hash without an order are those of the code.
func TestTrackingPageNamesWhyThereIsNoOrder(t *testing.T) {
	for _, row := range table(t, "tracking.md", "`status`") {
		if row[0] == "`unknown`" {
			wantSame(t, "the reasons of unknown", slices.DeleteFunc(words(row[1]), func(w string) bool { return w == "reason" }),
				[]string{"not_found", "pending", "reverted", "no_order", "reorganised"})
		}
	}
}

// The events that prove a leg are events of ours or of the issuer's.
func TestTrackingPageNamesRealEvents(t *testing.T) {
	known := map[string]bool{}
	for _, c := range []*compiled.Compiled{compiled.Pool, compiled.Receiver, compiled.Transmitter} {
		for name := range c.ABI().Events {
			known[name] = true
		}
	}
	for _, row := range table(t, "tracking.md", "leg") {
		for _, name := range words(row[1]) {
			if name[0] >= 'A' && name[0] <= 'Z' && !known[name] {
				t.Errorf("%s is proved by %s, want an event that there is", row[0], name)
			}
		}
	}
}

// In the examples a time to come is to come, and a swap that is delayed has none.
func TestExamplesExpectTheFuture(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct {
					Examples map[string]struct{ Value json.RawMessage }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	examples := document.Paths["/v3/swap/status"]["get"].Responses["200"].Content["application/json"].Examples
	for name, e := range examples {
		answer, err := tracking.Parse(e.Value)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range answer.Orders {
			s := &answer.Orders[i]
			if !s.ETA.IsZero() && (!s.ETA.After(answer.AsOf) || s.Delayed) {
				t.Errorf("%s: eta %v as of %v, delayed %t, want a time to come or none", name, s.ETA, answer.AsOf, s.Delayed)
			}
			if s.Stage == swap.StageAttesting && s.ETA.IsZero() {
				t.Errorf("%s has no eta, want one", name)
			}
		}
	}
	if len(examples) != len(swap.Stages) {
		t.Errorf("%d examples, want one for each status", len(examples))
	}
}

// The page has a sentence for each reason.
func TestPageHasASentenceForEachReason(t *testing.T) {
	text, err := os.ReadFile("../web/src/progress.js")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "const reasons = {")
	body, _, _ := strings.Cut(after, "\n};")
	for _, reason := range append(reasonWords(t), "not_found", "pending", "reverted", "no_order") {
		if !regexp.MustCompile(`[\s{,]` + reason + `: "`).MatchString(body) {
			t.Errorf("the page has no sentence for %s, want one", reason)
		}
	}
}
