package contracts_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// What has emptied other bridges is not in these contracts, so that nobody can
// slip it into a change: a call whose target or bytes a user chose, code run in
// a contract's own name, and money taken from anyone but the caller.
func TestNothingCanBeMadeToCallOrTakeAtWill(t *testing.T) {
	const onlyCall = `to.call{value: amount, gas: NATIVE_PAYMENT_GAS}("")` // pays the native coin
	forbidden := regexp.MustCompile(`delegatecall|callcode|selfdestruct|assembly|multicall|\.(static)?call[({]|tx\.origin`)
	taking := regexp.MustCompile(`[tT]ransferFrom\(([^,;]*),`)
	err := fs.WalkDir(os.DirFS("src"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".sol") {
			return err
		}
		text, err := os.ReadFile("src/" + path)
		code := strings.Replace(string(text), onlyCall, "", 1)
		if found := forbidden.FindString(code); found != "" {
			t.Errorf("%s has %s", path, found)
		}
		for _, m := range taking.FindAllStringSubmatch(code, -1) {
			if from := strings.TrimSpace(m[1]); from != "msg.sender" && !strings.HasPrefix(from, "address ") {
				t.Errorf("%s takes from %s, not from the caller", path, from)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
