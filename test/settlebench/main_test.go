// Package settlebench measures the settler on local chains, and on chains made of
// logs alone where there must be many orders.
package settlebench

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"hubquote/internal/settler"
	"hubquote/test/devnet/backend"
)

// TestMain runs a settler instead when it is asked to, and prints what was aimed
// for after what was measured.
func TestMain(m *testing.M) {
	if backend.IsChild() {
		backend.RunChild(func(_ *backend.Child, o *settler.Options) { o.Admin = os.Getenv("SETTLEBENCH_ADMIN") })
		return
	}
	code := m.Run()
	goals.print()
	os.Exit(code)
}

// A goal is a figure and what it should be.
type goal struct {
	name   string
	got    float64
	most   float64 // or at least, if negative
	suffix string
}

func (g goal) met() bool { return g.most >= 0 && g.got <= g.most || g.most < 0 && g.got >= -g.most }

type list struct {
	sync.Mutex
	goals []goal
}

var goals list

// aim records a figure, of which at most so much is wanted; negative: at least.
func aim(name string, got, most float64, suffix string) {
	goals.Lock()
	defer goals.Unlock()
	goals.goals = append(goals.goals, goal{name, got, most, suffix})
}

func (l *list) print() {
	l.Lock()
	defer l.Unlock()
	if len(l.goals) == 0 {
		return
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nfigure\tmeasured\twanted\t")
	for _, g := range l.goals {
		sign, verdict := "at most", "missed"
		if g.most < 0 {
			sign = "at least"
		}
		if g.met() {
			verdict = "met"
		}
		fmt.Fprintf(w, "%s\t%.5g %s\t%s %.5g %s\t%s\n", g.name, g.got, g.suffix, sign, max(g.most, -g.most), g.suffix, verdict)
	}
	_ = w.Flush()
}

// quantile returns the time below which a part of all are.
func quantile(all []time.Duration, part float64) time.Duration {
	slices.Sort(all)
	return all[min(len(all)-1, int(part*float64(len(all))))]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
