package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"

	"hubquote/docs"
	"hubquote/test/quotes"
)

const openAPIFile = "../../docs/openapi.json"

// An example is a request, and the answer that the OpenAPI document shows for it.
type example struct {
	Summary string          `json:"summary"`
	Given   string          `json:"x-given,omitempty"` // the scene it happens in; none for a server by itself
	Request string          `json:"x-request"`
	Excerpt []string        `json:"x-excerpt,omitempty"` // the members of the answer that are shown, of each list the first entry
	Value   json.RawMessage `json:"value"`
}

// Every example in the document is the answer that the service gives to its
// request. With -update the answers are written anew.
func TestOpenAPIExamples(t *testing.T) {
	shared := sharedExamples(t, docs.OpenAPI)
	if *update {
		for name, e := range shared {
			e.Value = e.replay(t)
			shared[name] = e
		}
		writeExamples(t, shared)
	}
	for name, e := range shared {
		t.Run(name, func(t *testing.T) {
			if got := compact(t, e.replay(t)); got != compact(t, e.Value) {
				t.Errorf("%s is answered with\n%s\nwant the example, or rewrite it with -update:\n%s", e.Request, got, compact(t, e.Value))
			}
		})
	}
}

func sharedExamples(t *testing.T, document []byte) map[string]example {
	t.Helper()
	var doc struct {
		Components struct{ Examples map[string]example }
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Components.Examples) == 0 {
		t.Fatal("the document has no examples, want some")
	}
	return doc.Components.Examples
}

// replay asks for the example's answer. Its request ID is chosen and the
// randomness of shielding is fixed, so that the answer is always the same.
func (e *example) replay(t *testing.T) json.RawMessage {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 1)
	method, target, _ := strings.Cut(e.Request, " ")
	r := httptest.NewRequest(method, target+scenery(e.Given), nil)
	r.Header.Set("X-Request-Id", "example")
	w := httptest.NewRecorder()
	stage(t, e.Given).ServeHTTP(w, r)
	if e.Excerpt == nil {
		return w.Body.Bytes()
	}
	return excerpt(t, w.Body.Bytes(), e.Excerpt)
}

// excerpt returns the members of an object that are named, or all if none is, and
// of each list in them the first entry.
func excerpt(t *testing.T, body json.RawMessage, names []string) json.RawMessage {
	t.Helper()
	body = bytes.TrimSpace(body)
	dec := json.NewDecoder(bytes.NewReader(body))
	start, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	if start != json.Delim('{') && start != json.Delim('[') {
		return body
	}
	var parts [][]byte
	for dec.More() {
		key := ""
		if start == json.Delim('{') {
			token, _ := dec.Token()
			key = token.(string)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		switch {
		case start == json.Delim('['):
			return slices.Concat([]byte("["), excerpt(t, value, nil), []byte("]"))
		case names == nil || slices.Contains(names, key):
			parts = append(parts, fmt.Appendf(nil, "%q:%s", key, excerpt(t, value, nil)))
		}
	}
	return slices.Concat(body[:1], bytes.Join(parts, []byte(",")), body[len(body)-1:])
}

// writeExamples writes the document with these shared examples, which are its
// last part.
func writeExamples(t *testing.T, shared map[string]example) {
	t.Helper()
	const part = "\n    \"examples\": "
	before, _, found := bytes.Cut(docs.OpenAPI, []byte(part))
	if !found {
		t.Fatalf("%s has no shared examples, want them at its end", openAPIFile)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("    ", "  ")
	if err := enc.Encode(shared); err != nil {
		t.Fatal(err)
	}
	text := slices.Concat(before, []byte(part), out.Bytes(), []byte("  }\n}\n"))
	if err := os.WriteFile(openAPIFile, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func compact(t *testing.T, body json.RawMessage) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, body); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return out.String()
}

// The quotes shown are cases of the specification, apart from what they add.
func TestOpenAPIExamplesAreOfTheCorpus(t *testing.T) {
	cases, err := quotes.Load(quotesDir)
	if err != nil {
		t.Fatal(err)
	}
	corpus := map[string]bool{}
	for _, c := range cases {
		corpus[c.Query.Encode()] = true
	}
	for name, e := range sharedExamples(t, docs.OpenAPI) {
		if !strings.HasPrefix(name, "quote-") {
			continue
		}
		q := httptest.NewRequest("GET", strings.TrimPrefix(e.Request, "GET "), nil).URL.Query()
		for _, added := range []string{"include", "refundTo", "integratorId", "revision"} {
			q.Del(added)
		}
		if !corpus[q.Encode()] {
			t.Errorf("%s asks for %s, want a case of %s", name, q.Encode(), quotesDir)
		}
	}
}
