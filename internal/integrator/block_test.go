package integrator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

func TestAgeOfABlock(t *testing.T) {
	tests := []struct {
		name   string
		behind time.Duration
		limit  time.Duration
		want   swap.Code
	}{
		{"of now", 0, 0, ""},
		{"four minutes old", 4 * time.Minute, 0, ""},
		{"six minutes old: the endpoint has stopped", 6 * time.Minute, 0, swap.RegistryUnavailable},
		{"six minutes ahead: a clock is wrong", -6 * time.Minute, 0, swap.RegistryUnavailable},
		{"older than a stricter limit", time.Minute, 30 * time.Second, swap.RegistryUnavailable},
		{"a year old, on a chain that makes blocks on demand", 365 * 24 * time.Hour, -1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNode(369)
				n.Behind = tt.behind
				rs := start(t, integrator.Options{
					Chains: []integrator.Chain{{
						ID: 369, Registry: registry, Endpoints: []upstream.URL{mustURL(t, "http://node")}, MaxBlockAge: tt.limit,
					}},
					Transport: memory{"node": n},
				})
				if tt.want == "" {
					found(t, rs, 369)
				} else {
					refused(t, rs, 369, partner, tt.want)
				}
			})
		})
	}
}

// An endpoint that follows the chain takes the place of one that has stopped.
func TestStaleEndpointFailsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stale, fresh := newNode(369), newNode(369)
		stale.Behind = time.Hour
		lie(stale, 1)
		found(t, open(t, stale, fresh), 369)
	})
}

// FuzzBlock checks that no answer to the first question is taken for anything
// but a block: the registry is asked at the block's hash or not at all.
func FuzzBlock(f *testing.F) {
	n := newNode(369)
	f.Add(n.answer("eth_getBlockByNumber", []json.RawMessage{json.RawMessage(`"latest"`)}))
	for _, seed := range []string{
		`null`, `{}`, `[]`, `"0x1"`, `{"number":"0x01","hash":"0x","timestamp":"0x1"}`,
		`{"number":null,"hash":null,"timestamp":null}`, `{"number":"0xffffffffffffffffff"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, block string) {
		n := newNode(369)
		n.Handle = func(w http.ResponseWriter, _ *http.Request, method string) bool {
			if method == "eth_getBlockByNumber" {
				_, _ = io.WriteString(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":%s}`, block))
			}
			return method == "eth_getBlockByNumber"
		}
		rs := open(t, n)
		got, err := rs.Integrator(t.Context(), 369, partner)
		if err == nil && got != known || err != nil && swap.CodeOf(err) != swap.RegistryUnavailable {
			t.Errorf("%v, %v", got, err)
		}
	})
}
