package messenger_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"hubquote/internal/pools/messenger"
	"hubquote/internal/quorum"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// A messenger without the function reverts, as a node reports it.
func TestAnOldEditionDemandsNothing(t *testing.T) {
	for name, answer := range map[string]string{
		"geth":  `"error":{"code":3,"message":"execution reverted","data":"0x"}`,
		"older": `"error":{"code":-32000,"message":"execution reverted"}`,
		"words": `"error":{"code":-32000,"message":"VM error"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var q struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.NewDecoder(r.Body).Decode(&q)
				w.Header().Set("Content-Type", "application/json")
				result := answer
				switch q.Method {
				case "eth_chainId":
					result = `"result":"0x1"`
				case "eth_getBlockByNumber":
					result = `"result":{"number":"0x5","timestamp":"0x5","hash":"0x0000000000000000000000000000000000000000000000000000000000000005"}`
				}
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, result)
			}))
			defer s.Close()
			u, err := upstream.Parse(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			nodes, err := quorum.New(quorum.Options{Chain: 1, Endpoints: []upstream.URL{u}, MaxBlockAge: -1})
			if err != nil {
				t.Fatal(err)
			}
			defer nodes.Close()
			if rate, err := messenger.New(nodes, swap.Address{1}).MinFee(t.Context()); err != nil || rate != 0 {
				t.Errorf("MinFee = %v, %v; want 0", rate, err)
			}
		})
	}
}
