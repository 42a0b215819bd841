package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hubquote/docs"
	"hubquote/internal/api"
)

func TestFilesForPrograms(t *testing.T) {
	s := newServer(t, api.Options{SecurityContact: "mailto:security@example.org"})
	for _, tt := range []struct{ path, contentType, has string }{
		{"/robots.txt", "text/plain; charset=utf-8", "Disallow: /v3/"},
		{"/llms.txt", "text/plain; charset=utf-8", "# hubquote"},
		{"/favicon.ico", "image/svg+xml", "<svg"},
		{"/.well-known/api-catalog", `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, `"/openapi.json"`},
		{"/.well-known/security.txt", "text/plain; charset=utf-8", "Contact: mailto:security@example.org\n"},
	} {
		w := get(s, tt.path)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != tt.contentType || !strings.Contains(w.Body.String(), tt.has) {
			t.Errorf("%s = %d, %s, want 200, %s and %q in it:\n%s", tt.path, w.Code, w.Header().Get("Content-Type"), tt.contentType, tt.has, w.Body)
		}
	}
}

// RFC 9116 wants a date in the future, and advises less than a year.
func TestSecurityContactExpiresWithinAYear(t *testing.T) {
	text := get(newServer(t, api.Options{SecurityContact: "mailto:a@example.org"}), "/.well-known/security.txt").Body.String()
	_, date, _ := strings.Cut(text, "Expires: ")
	date, _, _ = strings.Cut(date, "\n")
	expires, err := time.Parse(time.RFC3339, date)
	if left := time.Until(expires); err != nil || left <= 0 || left > 365*24*time.Hour {
		t.Errorf("Expires: %q (%v), want a date within a year", date, err)
	}
}

func TestNoSecurityFileWithoutAContact(t *testing.T) {
	if w := get(newServer(t, api.Options{}), "/.well-known/security.txt"); w.Code != http.StatusNotFound {
		t.Errorf("status = %d, want 404", w.Code)
	}
}

// Every address in the files for programs is answered.
func TestFilesForProgramsNameWhatIsServed(t *testing.T) {
	s := newServer(t, api.Options{})
	var catalog struct {
		Linkset []map[string]json.RawMessage `json:"linkset"`
	}
	body := get(s, "/.well-known/api-catalog").Body.String()
	if err := json.Unmarshal([]byte(body), &catalog); err != nil || len(catalog.Linkset) != 1 {
		t.Fatalf("api-catalog: %v: %s", err, body)
	}
	paths := regexp.MustCompile(`"href":"([^"]*)"`).FindAllStringSubmatch(body, -1)
	paths = append(paths, regexp.MustCompile(`\]\((/[^)]*)\)|GET (/\S*)`).FindAllStringSubmatch(string(docs.Agents), -1)...)
	if len(paths) < 12 {
		t.Fatalf("%d addresses found, want at least 12", len(paths))
	}
	for _, match := range paths {
		path := strings.Join(match[1:], "")
		if w := get(s, path); w.Code != http.StatusOK {
			t.Errorf("status of %s = %d, want 200: %s", path, w.Code, w.Body)
		}
	}
}
