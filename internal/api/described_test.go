package api_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"hubquote/docs"
	"hubquote/internal/api"
)

// Every operation, parameter, answer and code has an example.
func TestOpenAPIHasAnExampleOfEverything(t *testing.T) {
	doc, _ := loadOpenAPI(t)
	shared := sharedExamples(t, docs.OpenAPI)
	shown := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for _, p := range item.Get.Parameters {
			if p.Value.Example == nil {
				t.Errorf("%s: parameter %s has no example, want one", path, p.Value.Name)
			}
		}
		for status, response := range item.Get.Responses.Map() {
			for _, content := range response.Value.Content {
				if len(content.Examples) == 0 {
					t.Errorf("%s: answer %s has no example, want one", path, status)
				}
				for name := range content.Examples {
					shown[name] = true
				}
			}
			for name, h := range response.Value.Headers {
				if h.Value.Example == nil {
					t.Errorf("%s: header %s of answer %s has no example, want one", path, name, status)
				}
			}
		}
	}
	// No operation is described that these could be answers of.
	shown["NOT_FOUND"], shown["METHOD_NOT_ALLOWED"] = true, true
	for _, code := range codes(t) {
		e, ok := shared[string(code)]
		var p problem
		if err := json.Unmarshal(e.Value, &p); !ok || err != nil || p.Code != code {
			t.Errorf("the example of %s has the code %q, want its own", code, p.Code)
		}
	}
	for name := range shared {
		if !shown[name] {
			t.Errorf("example %s is shown nowhere, want it at an answer", name)
		}
	}
}

// The examples of an operation's parameters make a request that is answered: the
// required ones, alone and with each of the others.
func TestOpenAPIParameterExamples(t *testing.T) {
	doc, _ := loadOpenAPI(t)
	s := stage(t, "every parameter")
	for path, item := range doc.Paths.Map() {
		var required, optional []string
		for _, p := range item.Get.Parameters {
			pair := fmt.Sprintf("%s=%v&", p.Value.Name, p.Value.Example)
			if p.Value.Required {
				required = append(required, pair)
			} else {
				optional = append(optional, pair)
			}
		}
		for _, more := range append(optional, "") {
			target := path + "?" + strings.Join(required, "") + more
			if w := get(s, target); w.Code != 200 && !refusedByVersion(path, more) {
				t.Errorf("%s = %d, want 200: %s", target, w.Code, w.Body)
			}
		}
	}
}

// refusedByVersion reports whether the first version has the parameter only to
// refuse it.
func refusedByVersion(path, pair string) bool {
	return strings.Contains(path, "v1") && (strings.HasPrefix(pair, "integratorId=") || strings.HasPrefix(pair, "refundTo="))
}

// The headers that an answer has are those that the document describes for it.
func TestOpenAPIDescribesEveryHeader(t *testing.T) {
	doc, _ := loadOpenAPI(t)
	// HTTP's own, and those that every answer has for browsers.
	usual := []string{"Content-Type", "Cache-Control", "Vary", "X-Content-Type-Options", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers"}
	s := newServer(t, api.Options{Limiter: &recordingLimiter{}, StatusLimiter: &recordingLimiter{}})
	for _, e := range sharedExamples(t, docs.OpenAPI) {
		method, target, _ := strings.Cut(e.Request, " ")
		r := httptest.NewRequest(method, target, nil)
		item := doc.Paths.Find(r.URL.Path)
		if item == nil || method != "GET" {
			continue
		}
		w := get(s, target)
		response := item.Get.Responses.Status(w.Code)
		if response == nil {
			t.Errorf("%s = %d, want an answer that is described", target, w.Code)
			continue
		}
		for name := range w.Header() {
			described := slices.Contains(usual, name)
			for known := range response.Value.Headers {
				described = described || strings.EqualFold(known, name)
			}
			if !described {
				t.Errorf("%s: header %s of answer %d is not described, want it in the document", target, name, w.Code)
			}
		}
	}
}
