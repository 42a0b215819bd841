package contracts_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What has emptied other bridges is not in these contracts, so that no change
// can slip it in: a call whose target or bytes a user chose, code run in a
// contract's own name, and money taken from an account other than the caller.
// The exceptions are counted, each in the one file that needs it.
func TestNothingCanBeMadeToCallOrTakeAtWill(t *testing.T) {
	allowed := map[string][]string{
		// Pays the native coin, without data, and reads no answer.
		"types/Currency.sol": {"assembly (\"memory-safe\") {\n            sent := call(limit, to, amount, 0, 0, 0, 0)\n        }"},
		// Asks the issuer's messenger, an immutable, for a fee that old ones do not know.
		"libraries/Burns.sol": {`address(messenger).staticcall(abi.encodeCall(ITokenMessengerV2.getMinFeeAmount, (amount)))`},
		// Shows that a key, and not a contract at its address, asks for the money.
		"Receiver.sol": {`tx.origin != msg.sender`},
		// Asks another's privacy pool, whose answer must not hide ours. Never deployed.
		"Lens.sol": {`address(privacyPool).staticcall{gas: SHIELD_FEE_GAS}(abi.encodeCall(IPrivacyPool.shieldFee, ()))`},
		// Is never deployed: it answers an eth_call.
		"LensCall.sol": {`address(new Lens()).staticcall(call)`, `assembly ("memory-safe")`},
	}
	forbidden := regexp.MustCompile(`delegatecall|callcode|selfdestruct|assembly|multicall|\.(static)?call[({]|tx\.origin`)
	taking := regexp.MustCompile(`[tT]ransferFrom\(([^,;]*),`)
	for path, code := range sources(t) {
		for _, text := range allowed[path] {
			if n := strings.Count(code, text); n != 1 {
				t.Errorf("%s has %q %d times, want once", path, text, n)
			}
			code = strings.Replace(code, text, "", 1)
		}
		if found := forbidden.FindString(code); found != "" {
			t.Errorf("%s has %s, want no such call", path, found)
		}
		for _, m := range taking.FindAllStringSubmatch(code, -1) {
			if from := strings.TrimSpace(m[1]); from != "msg.sender" && !strings.HasPrefix(from, "address ") {
				t.Errorf("%s takes tokens from %s, want the caller", path, from)
			}
		}
	}
}

// A self-call is how a batch survives a failing item, and there is one: a
// second could be given bytes from outside.
func TestOnlyTheBatchCallsItself(t *testing.T) {
	self := regexp.MustCompile(`\bthis\.\w+\(`)
	var found []string
	for path, code := range sources(t) {
		for _, call := range self.FindAllString(code, -1) {
			found = append(found, path+" "+call)
		}
	}
	if want := []string{"Pool.sol this.fulfilOne("}; !slices.Equal(found, want) {
		t.Errorf("self-calls = %q, want %q", found, want)
	}
}

// sources returns the Solidity below src, without comments, by path.
func sources(t *testing.T) map[string]string {
	t.Helper()
	comments := regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/`)
	found := make(map[string]string)
	err := fs.WalkDir(os.DirFS("src"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".sol") {
			return err
		}
		text, err := os.ReadFile("src/" + path)
		found[path] = comments.ReplaceAllString(string(text), "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
