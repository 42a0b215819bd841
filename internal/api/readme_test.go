package api_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"hubquote/internal/api"
)

// The answer on the README's first screen is the one the service gives.
func TestReadmeShowsARealAnswer(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "$ curl -s 'http://127.0.0.1:8080")
	target, rest, _ := strings.Cut(rest, "'")
	shown, _, _ := strings.Cut(rest, "```")
	body := get(newServer(t, api.Options{}), target).Body.String()
	fields := regexp.MustCompile(`"(\w+)": ("[^"…]*"|[0-9.]+)`).FindAllStringSubmatch(shown, -1)
	for _, m := range fields {
		if !strings.Contains(body, `"`+m[1]+`":`+m[2]) {
			t.Errorf("README shows %s, want fields of the answer %s", m[0], body)
		}
	}
	if len(fields) < 8 {
		t.Errorf("README shows %d fields, want at least 8 of an answer", len(fields))
	}
}
