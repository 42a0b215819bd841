package watch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// A mainTest is a test whose cleanups run when all tests are over, so that they
// share what it starts.
type mainTest struct{ testing.TB }

var cleanups []func()

func (m mainTest) Cleanup(f func())         { cleanups = append(cleanups, f) }
func (m mainTest) Context() context.Context { return context.Background() }

func TestMain(m *testing.M) {
	code := m.Run()
	for _, f := range cleanups {
		f()
	}
	os.Exit(code)
}

// rpcDo calls a method of a chain whose answer is a string.
func rpcDo(ctx context.Context, url, method string, params ...any) (text string, err error) {
	raw, err := rpcRaw(ctx, url, method, params...)
	return strings.Trim(string(raw), `"`), err
}

func rpcRaw(ctx context.Context, url, method string, params ...any) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": append([]any{}, params...)})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct{ Result, Error json.RawMessage }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.Error != nil {
		return nil, fmt.Errorf("%s: %s %w", method, answer.Error, err)
	}
	return answer.Result, nil
}
