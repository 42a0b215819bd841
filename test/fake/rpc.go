package fake

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// An RPC is a JSON-RPC server with answers of its own: it returns the JSON of a call's
// result, or nothing, and then the server fails.
type RPC func(ctx context.Context, method string, params []json.RawMessage) (result string)

func (answer RPC) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "not a call", http.StatusBadRequest)
		return
	}
	result := answer(r.Context(), req.Method, req.Params)
	if result == "" {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, result)
}
