package memory

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hubquote/internal/ratelimit"
	"hubquote/test/limiter"
)

// TestShard compares a shard with a list of clients in the order they were
// linked.
func TestShard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s shard
		s.reset()
		var order []ratelimit.Client // in the order of linking
		request := func(c ratelimit.Client) {
			id, i := s.index[c], slices.Index(order, c)
			if (id != 0) != (i >= 0) {
				t.Fatalf("client %v: known = %v, want %v", c, id != 0, i >= 0)
			}
			if i >= 0 {
				order = slices.Delete(order, i, i+1)
				s.unlink(id)
				s.link(id)
			} else {
				s.put(s.grow(), c)
			}
			order = append(order, c)
		}
		replaceOldest := func(c ratelimit.Client) {
			id := s.oldest()
			if id == 0 || slices.Contains(order, c) {
				return
			}
			if got := s.at(id).client; got != order[0] {
				t.Fatalf("oldest = %v, want %v", got, order[0])
			}
			s.remove(id)
			s.put(id, c)
			order = append(order[1:], c)
		}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			c := limiter.Numbered(rapid.Uint32Range(0, 99).Draw(t, "client"))
			if rapid.Bool().Draw(t, "replace") {
				replaceOldest(c)
			} else {
				request(c)
			}
		}
		if s.clients() != len(order) {
			t.Errorf("%d clients, want %d", s.clients(), len(order))
		}
		for _, c := range order {
			request(c)
		}
	})
}
