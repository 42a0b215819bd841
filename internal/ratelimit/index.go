package ratelimit

// An index finds entries by the hash of their client: a table with linear
// probing, whose length is a power of two and which is never full.
//
// It does the work of a map in half the space and with one read of memory less,
// which is what a decision costs when there are a million clients.
type index []slot

// A slot is a hash and the number of an entry. Zero is a free slot, as entry 0
// is nobody's.
type slot uint64

func slotOf(hash, id uint32) slot { return slot(hash)<<32 | slot(id) }

func (s slot) hash() uint32 { return uint32(s >> 32) }
func (s slot) id() uint32   { return uint32(s) }

// home returns where the search for hash begins.
func (x index) home(hash uint32) uint32 { return hash & uint32(len(x)-1) }

// after returns where it goes on.
func (x index) after(i uint32) uint32 { return (i + 1) & uint32(len(x)-1) }

func (x index) insert(s slot) {
	i := x.home(s.hash())
	for x[i] != 0 {
		i = x.after(i)
	}
	x[i] = s
}

// remove frees the slot of s, which must be there. Slots that were pushed past
// it move up, so that a search may end at the first free one.
func (x index) remove(s slot) {
	free := x.home(s.hash())
	for x[free] != s {
		free = x.after(free)
	}
	for i := x.after(free); x[i] != 0; i = x.after(i) {
		pushed := i - x.home(x[i].hash())
		if mask := uint32(len(x) - 1); pushed&mask >= (i-free)&mask {
			x[free], free = x[i], i
		}
	}
	x[free] = 0
}

// doubled returns an index of twice the length with the same slots.
func (x index) doubled() index {
	y := make(index, 2*len(x))
	for _, s := range x {
		if s != 0 {
			y.insert(s)
		}
	}
	return y
}
