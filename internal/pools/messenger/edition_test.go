package messenger_test

import (
	"io"
	"net/http"
	"testing"

	"hubquote/internal/pools/messenger"
	"hubquote/internal/quorum"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A messenger without the function reverts, and demands nothing. From another error of
// a node nothing follows.
func TestOldEditionDemandsNothing(t *testing.T) {
	for _, tt := range []struct {
		name, answer string
		known        bool
	}{
		{"a revert as geth reports it", `{"code":3,"message":"execution reverted","data":"0x"}`, true},
		{"a revert as older nodes report it", `{"code":-32000,"message":"execution reverted"}`, true},
		{"a revert in capitals", `{"code":-32000,"message":"Execution reverted"}`, true},
		{"too many requests", `{"code":-32005,"message":"limit exceeded"}`, false},
		{"a block that the machine does not have", `{"code":-32000,"message":"header not found"}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := fake.NewNode(1, swap.Address{})
			n.SetHandle(func(w http.ResponseWriter, _ *http.Request, method string) bool {
				if method != "eth_call" {
					return false
				}
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":`+tt.answer+`}`)
				return true
			})
			u, err := upstream.Parse("http://node")
			if err != nil {
				t.Fatal(err)
			}
			nodes, err := quorum.New(quorum.Options{Chain: 1, Endpoints: []upstream.URL{u}, Transport: fake.Network{"node": n}})
			if err != nil {
				t.Fatal(err)
			}
			defer nodes.Close()
			if rate, err := messenger.New(nodes, swap.Address{1}).MinFee(t.Context()); rate != 0 || (err == nil) != tt.known {
				t.Errorf("MinFee = %v, %v; want 0, and an error: %t", rate, err, !tt.known)
			}
		})
	}
}
