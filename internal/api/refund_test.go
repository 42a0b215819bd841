package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/cryptotest"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/api"
)

// An account for refunds changes the call of a deposit, and no other field. The
// words are counted here by hand: swapFor has seven, the last of them the account.
func TestRefundTo(t *testing.T) {
	s := newServer(t, api.Options{})
	for _, tt := range []struct{ name, target string }{
		{"a token", valid()},
		{"native coin", valid("srcToken", "ETH", "dstToken", "WETH", "amount", "1000000000000000000")},
		{"out of a privacy pool", valid("srcChain", "69696969")},
		{"into a privacy pool", shielding(private)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plain, call := split(t, s, tt.target)
			named, callFor := split(t, s, tt.target+"&refundTo="+strings.ToLower(refundTo))
			if diff := cmp.Diff(plain, named); diff != "" {
				t.Errorf("other fields (-without +with):\n%s", diff)
			}
			word := func(digits string) string { return strings.Repeat("0", 64-len(digits)) + digits }
			want := "0xaddb3d3d" + call[10:10+2*64] + word("e0") + call[10+3*64:10+6*64] + word(strings.ToLower(refundTo[2:])) + call[10+6*64:]
			if callFor != want {
				t.Errorf("call with an account for refunds\n got %s\nwant %s", callFor, want)
			}
		})
	}
}

// split returns an answer without its call, and the call. The randomness of
// shielding is fixed.
func split(t *testing.T, s *api.Server, target string) (rest map[string]any, call string) {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 1)
	w := get(s, target)
	if err := json.Unmarshal(w.Body.Bytes(), &rest); err != nil || w.Code != 200 {
		t.Fatalf("status = %d, want 200: %s", w.Code, w.Body)
	}
	m := rest["methodParameters"].(map[string]any)
	call = m["calldata"].(string)
	delete(m, "calldata")
	return rest, call
}
