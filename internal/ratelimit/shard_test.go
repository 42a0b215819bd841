package ratelimit

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestShard compares a shard with a list of clients in the order they were
// linked. It is inside the package because only here can hashes be chosen: so
// few that many clients have the same, and some wrap around the end of the
// index.
func TestShard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.SliceOfN(rapid.SampledFrom([]uint32{0, 1, 14, 15, 31, 63, 1 << 31, 1<<32 - 1}), 100, 100).Draw(t, "hashes")
		var s shard
		s.reset()
		var order []Client // the one linked last is the last
		visit := func(c Client) {
			id := s.find(c, hash[c.bits])
			i := slices.Index(order, c)
			if (id != 0) != (i >= 0) {
				t.Fatalf("client %d: known is %v, want %v", c.bits, id != 0, i >= 0)
			}
			if i >= 0 {
				order = slices.Delete(order, i, i+1)
				s.unlink(id)
				s.link(id)
			} else {
				s.put(s.grow(), c, hash[c.bits])
			}
			order = append(order, c)
		}
		replaceOldest := func(c Client) {
			id := s.oldest()
			if id == 0 || slices.Contains(order, c) {
				return
			}
			if s.at(id).client != order[0] {
				t.Fatalf("the oldest is %d, want %d", s.at(id).client.bits, order[0].bits)
			}
			s.remove(id, hash[order[0].bits])
			s.put(id, c, hash[c.bits])
			order = append(order[1:], c)
		}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			c := Client{rapid.Uint64Range(0, 99).Draw(t, "client")}
			if rapid.Bool().Draw(t, "replace") {
				replaceOldest(c)
			} else {
				visit(c)
			}
		}
		if s.clients() != len(order) {
			t.Errorf("%d clients, want %d", s.clients(), len(order))
		}
		for _, c := range order {
			visit(c)
		}
	})
}
