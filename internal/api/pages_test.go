package api_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"hubquote/docs"
	"hubquote/internal/api"
)

const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func TestPagesAndTheirFiles(t *testing.T) {
	s := newServer(t, api.Options{Pins: []byte("{}")})
	tests := []struct{ path, contentType string }{
		{"/", "text/html; charset=utf-8"},
		{"/docs", "text/html; charset=utf-8"},
		{"/errors", "text/html; charset=utf-8"},
		{"/page/style.css", "text/css; charset=utf-8"},
		{"/page/js/page.js", "text/javascript; charset=utf-8"},
		{"/page/icon.svg", "image/svg+xml"},
		{"/page/pins.json", "application/json"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			w := get(s, tt.path)
			if w.Code != http.StatusOK {
				t.Fatalf("status = %d, want 200", w.Code)
			}
			for name, want := range map[string]string{
				"Content-Type": tt.contentType, "Content-Security-Policy": pagePolicy,
				"Referrer-Policy": "no-referrer", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s = %s, want %s", name, got, want)
				}
			}
		})
	}
}

func TestOnlyPageFilesAreServed(t *testing.T) {
	s := newServer(t, api.Options{})
	for _, path := range []string{"/page/", "/page/index.html", "/page/js", "/page/../server.go", "/page/package.json", "/page/pins.json"} {
		if w := get(s, path); w.Code == http.StatusOK {
			t.Errorf("status of %s = 200, want another", path)
		}
	}
}

// A page without anything inline is what its policy relies on.
func TestNothingInline(t *testing.T) {
	s := newServer(t, api.Options{})
	inline := regexp.MustCompile(`<script(?:[^>]*)>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:|https?://`)
	for _, path := range []string{"/", "/docs", "/errors"} {
		if found := inline.FindString(get(s, path).Body.String()); found != "" {
			t.Errorf("%s has %q, want nothing inline", path, found)
		}
	}
}

func TestDocumentsAreCompressedForClientsThatAcceptIt(t *testing.T) {
	s := newServer(t, api.Options{})
	plain := get(s, "/v3/app/routes")
	tests := []struct {
		accept string
		gzip   bool
	}{
		{"gzip", true}, {"br, gzip;q=0.5", true}, {"GZIP", true},
		{"", false}, {"br", false}, {"gzip;q=0", false}, {"gzip;q=0.000", false}, {"xgzip", false},
	}
	for _, tt := range tests {
		t.Run(tt.accept, func(t *testing.T) {
			w := getWith(s, "/v3/app/routes", "Accept-Encoding", tt.accept)
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != tt.gzip {
				t.Fatalf("compressed = %t, want %t", got, tt.gzip)
			}
			if w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("Vary = %q, want Accept-Encoding", w.Header().Get("Vary"))
			}
			if tt.gzip && unzip(t, w) != plain.Body.String() {
				t.Error("gzipped body differs from the plain body, want the same")
			}
			if tt.gzip == (w.Header().Get("ETag") == plain.Header().Get("ETag")) {
				t.Errorf("ETag = %s, plain ETag = %s, want them to differ only if compressed", w.Header().Get("ETag"), plain.Header().Get("ETag"))
			}
			again := httptest.NewRequest("GET", "/v3/app/routes", nil)
			again.Header.Set("Accept-Encoding", tt.accept)
			again.Header.Set("If-None-Match", w.Header().Get("ETag"))
			second := httptest.NewRecorder()
			s.ServeHTTP(second, again)
			if second.Code != http.StatusNotModified || second.Body.Len() != 0 {
				t.Errorf("second response = %d with %d bytes, want 304 with none", second.Code, second.Body.Len())
			}
		})
	}
}

func getWith(s http.Handler, target, header, value string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", target, nil)
	r.Header.Set(header, value)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func unzip(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	r, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// The reference has all that the OpenAPI document has.
func TestReference(t *testing.T) {
	page := get(newServer(t, api.Options{}), "/docs").Body.String()
	var document struct {
		Paths map[string]struct {
			Get struct {
				OperationID string
				Parameters  []struct{ Name string }
			}
		}
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(docs.OpenAPI, &document); err != nil {
		t.Fatal(err)
	}
	var want []string
	for path, item := range document.Paths {
		want = append(want, ">"+path+"</code>", `id="`+item.Get.OperationID+`"`)
		for _, p := range item.Get.Parameters {
			want = append(want, "<code>"+p.Name+"</code>")
		}
	}
	for name := range document.Components.Schemas {
		want = append(want, `id="schema-`+name+`"`)
	}
	for _, w := range want {
		if !strings.Contains(page, w) {
			t.Errorf("page has no %s, want it", w)
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+m[1]+`"`) {
			t.Errorf("a link leads to %s, want an element with that ID", m[1])
		}
	}
}

// Every problem type has its row on the page of errors.
func TestProblemTypesHaveARow(t *testing.T) {
	s := newServer(t, api.Options{})
	page := get(s, "/errors").Body.String()
	for _, code := range codes(t) {
		anchor := strings.ToLower(strings.ReplaceAll(string(code), "_", "-"))
		if !strings.Contains(page, `id="`+anchor+`"`) {
			t.Errorf("page has no row for %s, want one", code)
		}
	}
}

func TestBannerOfTheReferenceDeployment(t *testing.T) {
	if !strings.Contains(get(newServer(t, api.Options{}), "/").Body.String(), "Reference deployment.") {
		t.Error("the page has no banner, want that of the reference deployment")
	}
}
