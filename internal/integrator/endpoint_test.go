package integrator_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/integrator"
	"hubquote/swap"
	"hubquote/test/fake"
)

// grace is how much longer the slowest lookup may take because of one endpoint.
const grace = 60 * time.Millisecond

// With one endpoint of three slow, dishonest or dead, every lookup of an integrator
// that is not in the cache succeeds, and the slowest takes longer by the grace at most.
// Time is that of the bubble, so a busy machine changes nothing.
func TestOneBadEndpointOfThree(t *testing.T) {
	faults := []struct {
		name  string
		cause func(*fake.Node)
	}{
		{"slow, three blocks behind", func(n *fake.Node) { n.Handle, n.Head = fake.After(775*time.Millisecond), n.Head-3 }},
		{"slow heads", slow("eth_getBlockByNumber")},
		{"slow entries", slow("eth_call")},
		{"silent", func(n *fake.Node) { n.Handle = fake.Hang }},
		{"dead", func(n *fake.Node) { n.Handle = fails }},
		{"another rate", func(n *fake.Node) { n.Entry = atRate(9_000) }},
		{"no such integrators", func(n *fake.Node) { n.Entry = says("") }},
		{"a block ahead", func(n *fake.Node) { n.Head++ }},
		{"far ahead", func(n *fake.Node) { n.Head += 1_000_000 }},
		{"sixteen blocks behind", func(n *fake.Node) { n.Head -= 16 }},
		{"another fork", func(n *fake.Node) { n.Fork = "other" }},
	}
	healthy := lookups(t, func([]*fake.Node) {})
	t.Logf("with three healthy endpoints the slowest takes %v", healthy)
	for _, f := range faults {
		for bad := range 3 {
			t.Run(fmt.Sprintf("%s/endpoint %d", f.name, bad+1), func(t *testing.T) {
				slowest := lookups(t, func(nodes []*fake.Node) { f.cause(nodes[bad]) })
				if t.Logf("the slowest takes %v", slowest); slowest > healthy+grace {
					t.Errorf("the slowest lookup takes %v, want at most %v more than %v", slowest, grace, healthy)
				}
			})
		}
	}
}

func slow(method string) func(*fake.Node) {
	late := fake.After(775 * time.Millisecond)
	return func(n *fake.Node) {
		n.Handle = func(w http.ResponseWriter, r *http.Request, m string) bool { return m == method && late(w, r, m) }
	}
}

func fails(w http.ResponseWriter, _ *http.Request, _ string) bool {
	w.WriteHeader(http.StatusInternalServerError)
	return true
}

// atRate is a registry in which every ID is that of an active integrator.
func atRate(rate uint32) func(uint64, swap.IntegratorID) string {
	return func(_ uint64, id swap.IntegratorID) string { return fake.EntryOf(swap.Address(id[12:]), rate, 1) }
}

// lookups makes 100 lookups of different integrators, eight at a time, and returns how
// long the slowest takes.
func lookups(t *testing.T, cause func([]*fake.Node)) (slowest time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		nodes := trio()
		cause(nodes)
		rs, times := open(t, nodes...), make([]time.Duration, 100)
		var all sync.WaitGroup
		for first := range 8 {
			all.Go(func() {
				for i := first; i < len(times); i += 8 {
					times[i] = lookup(t, rs, i)
				}
			})
		}
		all.Wait()
		slowest = slices.Max(times)
	})
	return slowest
}

// trio returns three endpoints at different distances.
func trio() (nodes []*fake.Node) {
	for i := range 3 {
		n := newNode(369)
		n.Entry = atRate(2_500)
		n.Handle = fake.After(time.Duration(40+10*i) * time.Millisecond)
		nodes = append(nodes, n)
	}
	return nodes
}

// lookup returns how long the lookup of the i-th integrator takes.
func lookup(t *testing.T, rs *integrator.Registries, i int) time.Duration {
	before, address := time.Now(), swap.Address{2, byte(i >> 8), byte(i)}
	got, err := rs.Integrator(t.Context(), 369, swap.IntegratorIDOf(address))
	if err != nil || got.Wallet != address || got.Rate != 2_500 {
		t.Errorf("integrator %d = %+v, %v, want %s at 2,500", i, got, err, address)
	}
	return time.Since(before)
}
