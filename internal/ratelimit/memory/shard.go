package memory

import (
	"sync"

	"hubquote/internal/ratelimit"
)

// A shard is the part of a [Memory] under one lock: the windows of some
// clients, in the order in which the clients were last seen.
//
// Entries are in chunks that are never moved or copied and contain no pointers,
// so the garbage collector does not scan them. They are linked in a ring whose
// head is entry 0: its next is the client seen last, its prev the one that was
// idle for the longest time.
type shard struct {
	mu     sync.Mutex
	index  map[ratelimit.Client]uint32 // entries by client
	chunks []*[chunkSize]entry
	used   uint32 // entries handed out, with entry 0
	now    int64  // the time of the last request; never runs backwards
}

// An entry is the state of one client.
type entry struct {
	client     ratelimit.Client
	prev, next uint32
	seen       int64 // when it was last moved to the front of the ring
	window     window
}

// chunkSize makes a chunk exactly as long as one of the allocator's size classes:
// 64 entries of 160 bytes are 10,240.
const chunkSize = 64

func (s *shard) at(id uint32) *entry { return &s.chunks[id/chunkSize][id%chunkSize] }

// clients returns the number of clients in s.
func (s *shard) clients() int { return int(s.used) - 1 }

// reset empties s and frees its memory.
func (s *shard) reset() {
	s.index, s.chunks, s.used = map[ratelimit.Client]uint32{}, nil, 0
	s.grow()
}

// grow returns an entry that was never used.
func (s *shard) grow() uint32 {
	if s.used%chunkSize == 0 {
		s.chunks = append(s.chunks, new([chunkSize]entry))
	}
	s.used++
	return s.used - 1
}

// oldest returns the entry of the client that was idle for the longest time, or 0.
func (s *shard) oldest() uint32 { return s.at(0).prev }

// put gives the entry to c, with an empty window.
func (s *shard) put(id uint32, c ratelimit.Client) {
	*s.at(id) = entry{client: c}
	s.index[c] = id
	s.link(id)
}

// remove removes the entry's client.
func (s *shard) remove(id uint32) {
	delete(s.index, s.at(id).client)
	s.unlink(id)
}

// link makes the entry the first in the ring.
func (s *shard) link(id uint32) {
	e, begin := s.at(id), s.at(0)
	e.seen = s.now
	e.prev, e.next = 0, begin.next
	s.at(begin.next).prev = id
	begin.next = id
}

func (s *shard) unlink(id uint32) {
	e := s.at(id)
	s.at(e.prev).next = e.next
	s.at(e.next).prev = e.prev
}
