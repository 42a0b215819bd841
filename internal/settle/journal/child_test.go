package journal_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/test/fake"
)

// child is a writer in a process of its own. It writes until it is ended, and
// says what it has done: "began N" before a commit, "ended N" after it.
func child(kind, at string) int {
	ctx := context.Background()
	j, err := open(ctx, kind, at)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	w, err := j.Acquire(ctx, "child")
	img, err2 := j.All(ctx)
	if err := errors.Join(err, err2); err != nil {
		fmt.Println(err)
		return 1
	}
	for n := len(img.Nonces); err == nil; n++ {
		err = w.Write(ctx, func(tx journal.Tx) error { return life(ctx, tx, n, kind == "quick, inside") })
		if err == nil {
			fmt.Println("ended", n)
			err = w.Renew(ctx)
		}
	}
	fmt.Println(err)
	fmt.Println("then", w.Renew(ctx)) // a writer that failed asks whether it still is one
	return 0
}

// life is one transaction with a row in every table that money depends on. A
// slow one speaks in the middle, where the test stops it.
func life(ctx context.Context, tx journal.Tx, n int, slow bool) error {
	o := deposit(n, order.Final)
	id, err := tx.AddTask(ctx, journal.Task{Subject: o.ID, Kind: order.Pay, Chain: 369, Basis: string(step.FinalDeposit), Made: now})
	if err := errors.Join(err, tx.PutOrder(ctx, o)); err != nil {
		return err
	}
	fmt.Println("began", n)
	for i := 0; slow && i < 300; i++ {
		if err := tx.SetState(ctx, o.ID, journal.Decision{State: order.Paying, At: now}); err != nil {
			return err
		}
	}
	return errors.Join(
		tx.Commit(ctx, signed(n, uint64(n)), []journal.Reserved{{Task: id}}, nil),
		tx.MarkSent(ctx, signed(n, uint64(n)).Hash, now, ""),
		tx.SetState(ctx, o.ID, journal.Decision{State: order.Paying, At: now}),
	)
}

// A process is a child and the lines of its output.
type process struct {
	*fake.Process
	out chan string // closed at the end
}

func startChild(t testing.TB, kind, at string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_CHILD="+kind, "JOURNAL_AT="+at)
	c := &process{out: make(chan string)}
	var err error
	if c.Process, err = fake.Start(cmd, func(line string) { c.out <- line }); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-c.Exited
		close(c.out)
	}()
	t.Cleanup(func() {
		_ = c.Signal(os.Kill)
		c.rest()
	})
	return c
}

// lines reads n lines of the child and returns the last.
func (c *process) lines(t testing.TB, n int) (last string) {
	t.Helper()
	for range n {
		if last = <-c.out; !strings.HasPrefix(last, "began") && !strings.HasPrefix(last, "ended") {
			t.Fatalf("the child printed %q, want began or ended", last)
		}
	}
	return last
}

// rest reads the child's output until it has ended.
func (c *process) rest() (lines []string) {
	for line := range c.out {
		lines = append(lines, line)
	}
	return lines
}

// TestCrash kills a writer between and inside its transactions, again and
// again. What it had committed is there, whole, and nothing else.
func TestCrash(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			at := place(t, kind)
			j := mustOpen(t, kind, at)
			random := rand.New(rand.NewPCG(1, 2))
			last := check(t, j)
			for range 6 {
				c := startChild(t, kind, at)
				line := c.lines(t, 1+random.IntN(6))
				_ = c.Signal(os.Kill)
				line = lastEnded(append([]string{line}, c.rest()...))
				release(t, kind, at)
				img := check(t, j)
				ended := 0
				if _, err := fmt.Sscanf(line, "ended %d", &ended); err == nil && len(img.Attempts) < ended+1 {
					t.Errorf("%d transactions in the journal, want at least the %d that ended", len(img.Attempts), ended+1)
				}
				if a, b, c := len(img.Attempts), len(img.Orders), len(img.Links); a != b || b != c {
					t.Errorf("%d attempts, %d orders, %d links, want the same of each", a, b, c)
				}
				last = img
			}
			if len(last.Attempts) == 0 {
				t.Error("0 attempts in the journal, want some")
			}
		})
	}
}

// lastEnded returns the last line that begins with "ended".
func lastEnded(lines []string) (last string) {
	for _, line := range lines {
		if strings.HasPrefix(line, "ended") {
			last = line
		}
	}
	return last
}

// release ends the lease of a dead writer, so that the test need not wait for
// it; the lease tests do.
func release(t testing.TB, kind, at string) {
	t.Helper()
	if kind == "postgres" {
		alter(t, kind, at, "UPDATE lease SET until = 0")
	}
}
