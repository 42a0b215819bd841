package logqueue_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"hubquote/internal/logqueue"
)

func TestLinesAreWrittenInOrder(t *testing.T) {
	var out bytes.Buffer
	q := logqueue.New(&out)
	line := []byte("x\n")
	for _, letter := range "abc" {
		line[0] = byte(letter) // the caller may use its buffer again
		if n, err := q.Write(line); n != 2 || err != nil {
			t.Errorf("Write = %d, %v, want 2 and no error", n, err)
		}
	}
	q.Close(time.Minute)
	if got := out.String(); got != "a\nb\nc\n" {
		t.Errorf("written = %q, want %q", got, "a\nb\nc\n")
	}
	_, _ = q.Write([]byte("late\n"))
	q.Close(0)
}

// A reader that does not read delays no Write and no Close. When it reads again, it
// is told how many lines are missing.
func TestStalledReader(t *testing.T) {
	r, w := io.Pipe()
	q := logqueue.New(w)
	const lines = 5000
	for i := range lines {
		_, _ = fmt.Fprintf(q, "%d\n", i)
	}
	q.Close(time.Millisecond)
	var all sync.WaitGroup
	var got bytes.Buffer
	all.Go(func() { _, _ = io.Copy(&got, r) })
	q.Close(time.Minute)
	_ = w.Close()
	all.Wait()
	written, missing := 0, 0
	for line := range strings.Lines(got.String()) {
		var report struct{ Lines int }
		if json.Unmarshal([]byte(line), &report) == nil {
			missing += report.Lines
		} else {
			written++
		}
	}
	if written+missing != lines || missing == 0 {
		t.Errorf("%d lines were written and %d reported missing, want %d together, some of them missing", written, missing, lines)
	}
}
