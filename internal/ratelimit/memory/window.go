package memory

// maxRequests is the number of times that a window has room for. Each costs four
// bytes per client.
const maxRequests = 30

// A window is the times of a client's counted requests, in microseconds since the
// limiter was made.
//
// Only the newest is kept in full. [window.expire] runs before a time is added, so
// the others are less than an hour older, and their lower 32 bits are enough.
type window struct {
	newest int64 // undefined while count is zero
	first  uint8 // where in times the oldest is
	count  uint8
	times  [maxRequests]uint32
}

// oldest returns the time of the oldest request. There must be one.
func (w *window) oldest() int64 {
	return w.newest - int64(uint32(w.newest)-w.times[w.first])
}

// expire forgets the requests made at end or earlier.
func (w *window) expire(end int64) {
	for w.count > 0 && w.oldest() <= end {
		w.first = (w.first + 1) % maxRequests
		w.count--
	}
}

// add counts a request made now. There must be room for it.
func (w *window) add(now int64) {
	w.times[(w.first+w.count)%maxRequests] = uint32(now)
	w.newest = now
	w.count++
}
