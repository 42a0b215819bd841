package ratelimit

import "sync"

// A shard is the part of a [Memory] under one lock: the windows of some
// clients, in the order in which the clients were last seen.
//
// Entries live in chunks that are never moved or copied and hold no pointers,
// so the collector does not read them. They are linked in a ring, with entry 0
// as the place where it begins and ends: its next is the client seen last, its
// prev the one not seen for the longest time.
type shard struct {
	mu     sync.Mutex
	index  index
	chunks []*[chunkSize]entry
	used   uint32 // entries handed out, with entry 0
	now    int64  // the time of the last visit; never runs backwards
}

// An entry is what is kept of one client.
type entry struct {
	client     Client
	prev, next uint32
	seen       int64 // when it was last moved to the front of the ring
	window     window
}

const (
	// chunkSize makes a chunk exactly as long as one of the allocator's size
	// classes: 64 entries of 160 bytes are 10,240.
	chunkSize = 64

	minIndex = 16
)

func (s *shard) at(id uint32) *entry { return &s.chunks[id/chunkSize][id%chunkSize] }

// clients returns how many clients s remembers.
func (s *shard) clients() int { return int(s.used) - 1 }

// reset makes s empty and gives its memory back.
func (s *shard) reset() {
	s.index, s.chunks, s.used = make(index, minIndex), nil, 0
	s.grow()
}

// grow returns an entry that was never used.
func (s *shard) grow() uint32 {
	if s.used%chunkSize == 0 {
		s.chunks = append(s.chunks, new([chunkSize]entry))
	}
	if int(s.used) > len(s.index)/4*3 {
		s.index = s.index.doubled()
	}
	s.used++
	return s.used - 1
}

// find returns the entry of c, or 0.
func (s *shard) find(c Client, hash uint32) uint32 {
	for i := s.index.home(hash); s.index[i] != 0; i = s.index.after(i) {
		found := s.index[i]
		if found.hash() == hash && s.at(found.id()).client == c {
			return found.id()
		}
	}
	return 0
}

// oldest returns the entry of the client not seen for the longest time, or 0.
func (s *shard) oldest() uint32 { return s.at(0).prev }

// put gives the entry to c, with an empty window.
func (s *shard) put(id uint32, c Client, hash uint32) {
	*s.at(id) = entry{client: c}
	s.index.insert(slotOf(hash, id))
	s.link(id)
}

// remove forgets the entry's client.
func (s *shard) remove(id, hash uint32) {
	s.index.remove(slotOf(hash, id))
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
