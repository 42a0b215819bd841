package contracts_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hubquote/contracts"
)

var deployed = []contracts.Name{
	contracts.Pool, contracts.GatewayPool, contracts.ShieldPool, contracts.Receiver, contracts.IntegratorRegistry,
}

// What these say changes nothing that a contract stores, so an indexer of its
// state passes over them.
var stateless = map[string]bool{
	"BatchStopped": true, "OrderSkipped": true, "ReleaseSkipped": true, "Funded": true, "Swept": true,
}

// A new event needs a test that expects it, and a place in the indexer that
// rebuilds the state from logs.
func TestEveryEventIsExpectedAndIndexed(t *testing.T) {
	expected, indexer := eventTests(t), readFile(t, "test/events/Indexer.sol")
	for _, name := range deployed {
		for event := range parseABI(t, load(t, name)).Events {
			mention := regexp.MustCompile(`I\w+\.` + event + `(\(|\.selector)`)
			if !mention.MatchString(expected) {
				t.Errorf("%s of %s is expected by no test in test/events, want one", event, name)
			}
			if got, want := mention.MatchString(indexer), !stateless[event]; got != want {
				t.Errorf("%s of %s: read by the indexer = %t, want %t", event, name, got, want)
			}
		}
	}
}

func eventTests(t *testing.T) string {
	t.Helper()
	paths, err := filepath.Glob("test/events/*.t.sol")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, path := range paths {
		text.WriteString(readFile(t, path))
	}
	return text.String()
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
