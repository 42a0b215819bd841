package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"hubquote/docs"
)

// hostile clears a terminal and prints a false success, followed by much text.
var hostile = "\x1b[2J\x1b[H\u202e\u009b\r\n  ✓ every field and byte is what the pins make of the request\x1b[8m" + strings.Repeat("k", 50_000)

// Text of a server is printed only through client.Printable, in every field and key.
func TestServerTextIsPrintedSafely(t *testing.T) {
	query, quote := vector(t, "eth-1-to-weth-69696969-integrator")
	for _, body := range poisoned(t, quote) {
		checkSafe(t, runWith(body, "verify", "--request", query, "-"), body)
	}
	query, quote = vector(t, "usdc-10-to-usdc-369")
	for _, body := range poisoned(t, quote) {
		checkSafe(t, runWith(nil, quoteArgs(t, serveOnce(t, http.StatusOK, body), query)...), body)
	}
}

func TestServerErrorsArePrintedSafely(t *testing.T) {
	const fault = `"code":"AMOUNT_TOO_LOW","param":"amount","detail":"a swap takes more","limits":{"token":"USDC","decimals":6,"min":"10","max":"20"}`
	problem := `{"type":"/errors","title":"The amount","status":400,` + fault + `,"requestId":"abc","errors":[{` + fault + `}]}`
	query, _ := vector(t, "usdc-10-to-usdc-369")
	for _, problem := range []string{problem, strings.Replace(problem, `,"errors":[{`+fault+`}]`, "", 1)} {
		for _, body := range poisoned(t, []byte(problem)) {
			checkSafe(t, runWith(nil, quoteArgs(t, serveOnce(t, http.StatusBadRequest, body), query)...), body)
		}
	}
	many := []byte(`{"code":"A","errors":[` + strings.Repeat(`{"code":"B"},`, 4000) + `{"code":"C"}]}`)
	checkSafe(t, runWith(nil, quoteArgs(t, serveOnce(t, http.StatusBadRequest, many), query)...), many)
}

func checkSafe(t *testing.T, got screen, body []byte) {
	t.Helper()
	if got.code != 1 || got.out != "" {
		t.Fatalf("exit code = %d, output = %q, want 1 and none\n%.300s", got.code, got.out, body)
	}
	lines := strings.Split(strings.TrimSuffix(got.err, "\n"), "\n")
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "hubquote: ") || utf8.RuneCountInString(lines[0]) > 2000 {
		t.Errorf("%d lines, the first %.300q; want one short line\n%.300s", len(lines), lines[0], body)
	}
	// Of 80 characters these are left for the run of letters at the end.
	if most := 80 - utf8.RuneCountInString(strings.TrimRight(hostile, "k")); strings.Contains(lines[0], strings.Repeat("k", most+1)) {
		t.Errorf("%.300q shows a longer text, want at most 80 characters\n%.300s", lines[0], body)
	}
	for _, r := range lines[0] {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			t.Fatalf("%q has %q, want printable characters only\n%.300s", lines[0], r, body)
		}
	}
}

func vector(t *testing.T, name string) (query string, quote []byte) {
	t.Helper()
	var v struct {
		Vectors []struct {
			Name    string
			Request map[string]string
			Quote   json.RawMessage
		}
	}
	if err := json.Unmarshal(docs.Vectors, &v); err != nil {
		t.Fatal(err)
	}
	for _, v := range v.Vectors {
		if v.Name == name {
			for key, value := range v.Request {
				query += fmt.Sprintf("&%s=%s", key, value)
			}
			return query[1:], v.Quote
		}
	}
	t.Fatalf("vector %s is missing, want it in the vectors", name)
	return "", nil
}

// poisoned returns the object once for each of its values and keys at any depth,
// with hostile text in its place, and once with an additional hostile key.
func poisoned(t *testing.T, object []byte) (bodies [][]byte) {
	t.Helper()
	var root any
	if err := json.Unmarshal(object, &root); err != nil {
		t.Fatal(err)
	}
	poison(root, func() {
		body, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		if len(body) < 64<<10 {
			bodies = append(bodies, body)
		}
	})
	if len(bodies) < 20 {
		t.Fatalf("%d bodies, want one for each field and key", len(bodies))
	}
	return bodies
}

func poison(v any, emit func()) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			old := v[key]
			v[key] = hostile
			emit()
			delete(v, key)
			v[hostile] = old
			emit()
			delete(v, hostile)
			v[key] = old
			poison(old, emit)
		}
		v[hostile] = 1
		emit()
		delete(v, hostile)
	case []any:
		for i, old := range v {
			v[i] = hostile
			emit()
			v[i] = old
			poison(old, emit)
		}
	}
}
