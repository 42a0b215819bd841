package fake

import (
	"encoding/json"
	"net/http"

	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// A Status is the status endpoint of a service or a settler: it answers each
// request with what the function returns. With nil it is down.
type Status func(*http.Request) *swap.Tracking

// Says returns a Status with one answer for all requests.
func Says(t *swap.Tracking) Status { return func(*http.Request) *swap.Tracking { return t } }

func (answer Status) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := answer(r)
	if t == nil {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	_ = json.NewEncoder(w).Encode(tracking.New(t))
}
