// Package logqueue writes log lines in the background, so that a reader that is
// slow, stalled or gone never delays the program that logs.
//
// Lines are written whole and in their order. When the queue is full, new lines
// are dropped and counted, and the count is logged once there is room.
package logqueue

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// size is the number of lines that wait for a slow reader: a few hundred KB.
const size = 1024

// A Queue is an [io.Writer] that never blocks. Each Write is one line.
type Queue struct {
	lines chan []byte
	done  chan struct{} // closed once the last line was written

	mu      sync.Mutex
	closed  bool
	dropped int
}

// New returns a queue that writes to w until it is closed.
func New(w io.Writer) *Queue {
	q := &Queue{lines: make(chan []byte, size), done: make(chan struct{})}
	go q.drain(w)
	return q
}

// drain ignores errors of w: there is no other place to report them.
func (q *Queue) drain(w io.Writer) {
	defer close(q.done)
	for line := range q.lines {
		_, _ = w.Write(line)
		if n := q.takeDropped(); n > 0 {
			_, _ = w.Write(report(n))
		}
	}
}

func (q *Queue) takeDropped() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.dropped
	q.dropped = 0
	return n
}

// report is the line about dropped lines, in the form of the other lines.
func report(n int) []byte {
	line, _ := json.Marshal(struct {
		Time  time.Time `json:"time"`
		Level string    `json:"level"`
		Msg   string    `json:"msg"`
		Lines int       `json:"lines"`
	}{time.Now(), "WARN", "log lines were dropped: the log is not read fast enough", n})
	return append(line, '\n')
}

// Write queues a copy of line, or drops it when the queue is full or closed. It
// always succeeds.
func (q *Queue) Write(line []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return len(line), nil
	}
	select {
	case q.lines <- append([]byte(nil), line...):
	default:
		q.dropped++
	}
	return len(line), nil
}

// Close writes the lines that wait, for as long as the timeout allows.
func (q *Queue) Close(timeout time.Duration) {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.lines)
	}
	q.mu.Unlock()
	select {
	case <-q.done:
	case <-time.After(timeout):
	}
}
