package fake

import (
	"net/http"
	"strings"
	"sync"
)

// A Recorder is an HTTP transport that remembers the requests made through it.
type Recorder struct {
	http.Transport
	mu    sync.Mutex
	lines []string // method and URL
}

// RoundTrip notes a request and sends it.
func (r *Recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.lines = append(r.lines, q.Method+" "+q.URL.String())
	r.mu.Unlock()
	return r.Transport.RoundTrip(q)
}

// Requests returns how many requests had part in their method and URL.
func (r *Recorder) Requests(part string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range r.lines {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}
