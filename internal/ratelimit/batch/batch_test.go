package batch_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/ratelimit/batch"
)

// run starts a batcher with two senders and batches of up to three calls, each of
// which takes about a second, adds calls one after the other, and returns the sizes of
// the batches in the order in which they ended, and the seconds it took. No two
// batches end at the same moment: two free senders would share what waits.
func run(t *testing.T, calls int) (sizes []int, seconds int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		b := batch.New(2, 3, func(list []int) {
			time.Sleep(time.Second + time.Duration(list[0])*10*time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			sizes = append(sizes, len(list))
		})
		var all sync.WaitGroup
		for i := range calls {
			all.Go(func() {
				if !b.Add(nil, i) {
					t.Errorf("Add(%d) = false, want true", i)
				}
			})
			synctest.Wait()
		}
		all.Wait()
		b.Close()
		seconds = int(time.Since(start).Seconds())
	})
	return sizes, seconds
}

func TestBatches(t *testing.T) {
	tests := []struct {
		name    string
		calls   int
		want    []int
		seconds int
	}{
		{"a call does not wait for others", 1, []int{1}, 1},
		{"each sender takes one", 2, []int{1, 1}, 1},
		{"calls that wait for a sender go together", 5, []int{1, 1, 3}, 2},
		{"a batch has a largest size", 9, []int{1, 1, 1, 3, 3}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, seconds := run(t, tt.calls)
			if slices.Sort(got); !slices.Equal(got, tt.want) || seconds > tt.seconds {
				t.Errorf("sizes = %v in %d s, want %v in %d s", got, seconds, tt.want, tt.seconds)
			}
		})
	}
}

func TestCallThatIsNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := batch.New(1, 1, func([]int) { time.Sleep(time.Minute) })
		if !b.Add(nil, 1) {
			t.Error("Add = false with a free sender, want true")
		}
		done := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(done) })
		if b.Add(done, 2) {
			t.Error("Add = true after its time without a free sender, want false")
		}
		b.Close()
		if b.Close(); b.Add(nil, 3) {
			t.Error("Add = true after Close, want false")
		}
	})
}
