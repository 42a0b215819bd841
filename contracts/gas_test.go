package contracts_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The figures of the README are those of the gas tests.
func TestReadmeHasTheGasOfASwapToANote(t *testing.T) {
	row := regexp.MustCompile(`(?s)function test_swap_tokenToNote\(\).*?spent\(([0-9_]+), tenth\(([0-9_]+)\)\)`)
	gas := row.FindStringSubmatch(read(t, "test/Gas.t.sol"))
	if gas == nil {
		t.Fatal("Gas.t.sol has no figure for a swap to a note")
	}
	before, err := strconv.Atoi(strings.ReplaceAll(gas[2], "_", ""))
	if err != nil {
		t.Fatal(err)
	}
	bound := strconv.Itoa(before * 11 / 10)
	readme := strings.ReplaceAll(read(t, "README.md"), ",", "")
	for _, figure := range []string{strings.ReplaceAll(gas[1], "_", ""), bound} {
		if !strings.Contains(readme, figure) {
			t.Errorf("README.md has no %s, want the gas of a swap to a note, and its bound", figure)
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
