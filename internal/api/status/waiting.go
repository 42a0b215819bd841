package status

import (
	"sync"

	"hubquote/internal/ratelimit"
)

// How many requests may wait, of one client and in all.
const (
	maxPerClient = 4
	maxInAll     = 512
)

// waiting counts the requests that wait.
type waiting struct {
	mu       sync.Mutex
	all      int
	byClient map[ratelimit.Client]int
}

// enter takes a place, if one is free.
func (w *waiting) enter(c ratelimit.Client) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all >= maxInAll || w.byClient[c] >= maxPerClient {
		return false
	}
	if w.byClient == nil {
		w.byClient = map[ratelimit.Client]int{}
	}
	w.all++
	w.byClient[c]++
	return true
}

func (w *waiting) leave(c ratelimit.Client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all--
	if w.byClient[c]--; w.byClient[c] == 0 {
		delete(w.byClient, c)
	}
}

func (w *waiting) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all
}
