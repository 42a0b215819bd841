package quorum_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/test/fake"
)

type handle = func(http.ResponseWriter, *http.Request, string) bool

// on limits a handle to one method.
func on(method string, h handle) handle {
	return func(w http.ResponseWriter, r *http.Request, m string) bool { return m == method && h(w, r, m) }
}

// The lookup returns while the slow node is blocked, with every slow method and
// every head. The test unblocks the node only after the answer, so a lookup that
// waited for it would never end.
func TestAnswerDoesNotWaitForASlowNode(t *testing.T) {
	heads := []struct {
		name                string
		first, second, slow int64
	}{
		{"all at one block", 0, 0, 0},
		{"the slow node ahead", 0, 0, 1},
		{"the slow node behind", 0, 0, -3},
		{"the honest apart", 1, 0, 0},
		{"the honest apart, the slow node with the first", 1, 0, 1},
		{"all apart", 1, 2, 0},
	}
	for _, method := range []string{"eth_chainId", "eth_getBlockByNumber", "eth_call"} {
		for _, tt := range heads {
			t.Run(method+"/"+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					nodes, blocked := newNodes(3), make(chan struct{})
					for i, ahead := range []int64{tt.first, tt.second, tt.slow} {
						nodes[i].Head += uint64(ahead)
					}
					nodes[2].Handle = on(method, func(http.ResponseWriter, *http.Request, string) bool {
						<-blocked
						return false
					})
					n := open(t, nodes...)
					wantTruth(t, n)
					close(blocked)
				})
			})
		}
	}
}

// A node attacks by being slow without failing. Every head takes nearly the
// timeout of a call, is three blocks low, and comes over a new connection, so the
// breaker stays closed. The lookup must not wait for it.
func TestNodeThatIsNeverLateEnoughToFail(t *testing.T) {
	for _, honest := range []time.Duration{0, 50 * time.Millisecond, 250 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			nodes := newNodes(3)
			nodes[0].Handle, nodes[1].Handle = fake.After(honest), fake.After(honest)
			nodes[2].Handle = fake.After(775 * time.Millisecond)
			nodes[2].Head -= 3
			n := open(t, nodes...)
			for range 200 {
				wantTruth(t, n)
			}
			synctest.Wait()
			for i, e := range n.Health().Endpoints[:2] {
				if e.Fault != "" || e.Breaker != upstream.Closed {
					t.Errorf("honest node %d at %v: %+v, want no fault and a closed breaker", i+1, honest, e)
				}
			}
		})
	}
}

// A node with all its slots in use is not asked, and uses no slot of the others.
func TestSlowNodeHoldsNoLookups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := newNodes(3)
		var held atomic.Int32
		nodes[2].Handle = func(w http.ResponseWriter, r *http.Request, m string) bool {
			held.Add(1)
			defer held.Add(-1)
			return fake.Hang(w, r, m)
		}
		n := open(t, nodes...)
		for range 3 * quorum.MaxLookups {
			wantTruth(t, n)
		}
		if got := held.Load(); got != quorum.MaxLookups {
			t.Errorf("%d requests to the slow node, want %d", got, quorum.MaxLookups)
		}
	})
}

func TestLookupsAreBoundedPerChain(t *testing.T) {
	for _, count := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			nodes := newNodes(count)
			for _, n := range nodes {
				n.Handle = fake.Hang
			}
			n := open(t, nodes...)
			var waiting sync.WaitGroup
			for range quorum.MaxLookups {
				waiting.Go(func() { wantError(t, n) })
			}
			synctest.Wait()
			before := time.Now()
			wantError(t, n)
			if took := time.Since(before); took != 0 {
				t.Errorf("%d nodes: one lookup more took %v, want 0", count, took)
			}
			waiting.Wait()
		})
	}
}

func TestSlowEndpointsDoNotUseMoreThanTheBudget(t *testing.T) {
	for _, count := range []int{1, 2, 3, 5} {
		synctest.Test(t, func(t *testing.T) {
			nodes := newNodes(count)
			for _, n := range nodes {
				n.Handle = fake.After(700 * time.Millisecond) // just within the time of one call
			}
			n := open(t, nodes...)
			before := time.Now()
			wantError(t, n)
			if took := time.Since(before); took > quorum.Budget {
				t.Errorf("%d nodes took %v, want at most %v", count, took, quorum.Budget)
			}
		})
	}
}

// The first of two nodes fails late, so the timeout of the lookup ends the calls
// of the second before their own timeout. This is no fault of the second.
func TestTimeoutOfTheLookupIsNotTheNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := newNode(), newNode()
		first.Chain = 1
		first.Handle, second.Handle = fake.After(650*time.Millisecond), fake.After(300*time.Millisecond)
		n := open(t, first, second)
		wantError(t, n)
		want := []quorum.EndpointHealth{
			{Fault: node.WrongChain, Breaker: upstream.Closed},
			{Fault: upstream.Canceled, Breaker: upstream.Closed},
		}
		if diff := cmp.Diff(want, n.Health().Endpoints); diff != "" {
			t.Errorf("Health (-want +got):\n%s", diff)
		}
	})
}

// A single slow node has the fault even if the timeout of the lookup ends its
// calls.
func TestTimeoutOfTheOnlyNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fn := newNode()
		fn.Handle = fake.After(700 * time.Millisecond)
		n := open(t, fn)
		wantError(t, n)
		if got := n.Health().Endpoints[0].Fault; got != upstream.Timeout {
			t.Errorf("fault = %q, want %q", got, upstream.Timeout)
		}
	})
}

func TestCancelledCallerIsNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode()
		n.Handle = fake.Hang
		nodes := open(t, n)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		_, _, err := quorum.Ask(ctx, nodes, read)
		if upstream.FaultOf(err) != upstream.Canceled {
			t.Errorf("Ask: %v, want %s", err, upstream.Canceled)
		}
		synctest.Wait()
		if got := nodes.Health().Endpoints[0].Breaker; got != upstream.Closed {
			t.Errorf("breaker = %s, want %s", got, upstream.Closed)
		}
	})
}

func TestCloseEndsLookups(t *testing.T) {
	for _, count := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			nodes := newNodes(count)
			for _, n := range nodes {
				n.Handle = fake.Hang
			}
			n := open(t, nodes...)
			var waiting sync.WaitGroup
			waiting.Go(func() { wantError(t, n) })
			synctest.Wait()
			before := time.Now()
			n.Close()
			waiting.Wait()
			if took := time.Since(before); took != 0 {
				t.Errorf("Close with %d nodes took %v, want 0", count, took)
			}
		})
	}
}

func TestFailingEndpointIsNotCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fn := newNode()
		fn.Handle = fake.Hang
		n := open(t, fn)
		wantCalls := func(want int) {
			t.Helper()
			if got := fn.Calls("eth_getBlockByNumber"); got != want {
				t.Fatalf("%d calls, want %d", got, want)
			}
		}
		for i := range upstream.BreakAfter {
			wantError(t, n)
			wantCalls(i + 1)
		}
		before := time.Now()
		wantError(t, n)
		wantCalls(upstream.BreakAfter)
		if took := time.Since(before); took != 0 {
			t.Errorf("lookup with an open breaker took %v, want 0", took)
		}
		time.Sleep(quorum.RetryAfter)
		wantError(t, n)
		wantError(t, n)
		wantCalls(upstream.BreakAfter + 1)
		fn.Handle = nil
		time.Sleep(quorum.RetryAfter)
		wantTruth(t, n)
		wantTruth(t, n)
		wantCalls(upstream.BreakAfter + 3)
	})
}

// While one lookup tries a node that failed, the others do not wait for it.
func TestOneLookupTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := newNode(), newNode()
		first.Handle = fake.Hang
		n := open(t, first, second)
		for range upstream.BreakAfter {
			wantTruth(t, n)
		}
		time.Sleep(quorum.RetryAfter)
		go func() { _, _, _ = quorum.Ask(t.Context(), n, read) }()
		synctest.Wait()
		before := time.Now()
		wantTruth(t, n)
		if took := time.Since(before); took != 0 {
			t.Errorf("the second lookup took %v, want 0", took)
		}
		if got, want := first.Calls("eth_getBlockByNumber"), upstream.BreakAfter+1; got != want {
			t.Errorf("%d calls, want %d", got, want)
		}
		time.Sleep(time.Second)
	})
}

func TestReportsAndHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := newNode(), newNode()
		first.Handle = fake.Hang
		opts := options(t, first, second)
		var reports []quorum.Report
		opts.Observe = func(r quorum.Report) { reports = append(reports, r) }
		n := start(t, opts)
		wantHealth := func(want ...quorum.EndpointHealth) {
			t.Helper()
			if diff := cmp.Diff(quorum.Health{Chain: 369, Up: true, Endpoints: want}, n.Health()); diff != "" {
				t.Errorf("Health (-want +got):\n%s", diff)
			}
		}
		wantHealth(quorum.EndpointHealth{Breaker: upstream.Closed}, quorum.EndpointHealth{Breaker: upstream.Closed})
		var want []quorum.Report
		for i := range upstream.BreakAfter + 1 {
			wantTruth(t, n)
			if i < upstream.BreakAfter {
				want = append(want, quorum.Report{Chain: 369, Endpoint: 1, Took: quorum.Timeout, Fault: upstream.Timeout})
			}
			want = append(want, quorum.Report{Chain: 369, Endpoint: 2})
		}
		if diff := cmp.Diff(want, reports); diff != "" {
			t.Errorf("reports (-want +got):\n%s", diff)
		}
		wantHealth(quorum.EndpointHealth{Fault: upstream.Timeout, Breaker: upstream.Open}, quorum.EndpointHealth{Breaker: upstream.Closed})
		time.Sleep(time.Minute)
		wantHealth(quorum.EndpointHealth{Fault: upstream.Timeout, Breaker: upstream.HalfOpen}, quorum.EndpointHealth{Breaker: upstream.Closed})
	})
}

func TestChainIsDownWhenTooFewAreLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := newNodes(3)
		n := open(t, nodes...)
		wantTruth(t, n)
		synctest.Wait()
		if got := n.Health(); !got.Up {
			t.Errorf("Health = %+v, want up with all three", got)
		}
		nodes[0].Handle, nodes[1].Handle = fake.Hang, fake.Hang
		wantError(t, n)
		synctest.Wait()
		if got := n.Health(); got.Up {
			t.Errorf("Health = %+v, want down with one of three", got)
		}
	})
}

// Without an agreement it is not known which node is wrong. All of them are asked
// again, and the next lookup succeeds as soon as the nodes agree.
func TestDisagreementOpensNoBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := newNodes(3)
		nodes[0].Entry, nodes[1].Entry = says("0x01"), says("0x02")
		n := open(t, nodes...)
		for range 2 * upstream.BreakAfter {
			wantError(t, n)
		}
		for i, e := range n.Health().Endpoints {
			if e.Fault != quorum.Disagrees || e.Breaker != upstream.Closed {
				t.Errorf("node %d: %+v, want %s and a closed breaker", i+1, e, quorum.Disagrees)
			}
		}
		nodes[0].Entry = says(truth)
		wantTruth(t, n)
	})
}

// A node that lags far behind cannot cause an answer from an old block by
// being faster than another node.
func TestLaggingNodeDoesNotChooseTheBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := newNodes(3)
		nodes[0].Head -= quorum.MaxApart + 1
		nodes[2].Handle = fake.After(100 * time.Millisecond)
		_, at, err := quorum.Ask(t.Context(), open(t, nodes...), read)
		if want := nodes[1].Head; err != nil || at.Number != want {
			t.Errorf("Ask: block %d, %v; want %d", at.Number, err, want)
		}
	})
}

// When all latest blocks are known and no two are the same, the common block is
// asked for without a pause. In synctest's clock, three answers in a row take three
// times as long as one.
func TestNodesApartAreAskedAgainAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes, latency := newNodes(3), 100*time.Millisecond
		for i, n := range nodes {
			n.Handle = fake.After(latency)
			n.Head += uint64(i)
		}
		opts := options(t, nodes...)
		before := time.Now()
		opts.Observe = func(r quorum.Report) {
			if whole := time.Since(before); r.Took > whole {
				t.Errorf("node %d took %v, want at most the time of the lookup, %v: its calls are under way together", r.Endpoint, r.Took, whole)
			}
		}
		wantTruth(t, start(t, opts))
		if got, want := time.Since(before), 3*latency; got != want {
			t.Errorf("the answer took %v, want %v: block, chain, common block with value", got, want)
		}
		synctest.Wait()
	})
}

// One bad node of three costs at most 60 ms, also when the two honest ones are a
// block apart. In synctest's clock the calls of a lookup that finds all nodes at one
// block take two round trips.
func TestBadNodeWhileTheHonestAreApart(t *testing.T) {
	const most = 60 * time.Millisecond
	bad := map[string]handle{
		"slow to name its block": on("eth_getBlockByNumber", fake.Hang),
		"slow to vote":           on("eth_call", fake.Hang),
		"dead":                   fake.Hang,
		"lying":                  nil,
		"on a fork":              nil,
	}
	for name, handle := range bad {
		for _, ahead := range []int64{-400, -3, -1, 0, 1, 5, 400, 1000} {
			for _, trip := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond} {
				t.Run(fmt.Sprintf("%s/%+d/%v", name, ahead, trip), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						took := func(nodes []*fake.Node) time.Duration {
							n := open(t, nodes...)
							wantTruth(t, n) // proves the chain
							synctest.Wait()
							before := time.Now()
							wantTruth(t, n)
							return time.Since(before)
						}
						slowed := func() []*fake.Node {
							nodes := newNodes(3)
							for _, n := range nodes {
								n.Handle = fake.After(trip)
							}
							return nodes
						}
						want := took(slowed()) + most
						nodes := slowed()
						nodes[2].Head++
						nodes[0].Head += uint64(ahead)
						nodes[0].Entry = says("0x01")
						if name == "on a fork" {
							nodes[0].Fork = name
						}
						nodes[0].Handle = func(w http.ResponseWriter, r *http.Request, m string) bool {
							time.Sleep(trip)
							return handle != nil && handle(w, r, m)
						}
						if got := took(nodes); got > want {
							t.Errorf("a lookup took %v, want at most %v", got, want)
						}
					})
				})
			}
		}
	}
}

// A liar names a block that no other node has. One that takes long to say so, as a
// provider does that asks several machines, is not waited for.
func TestFalseBlockIsNotWaitedFor(t *testing.T) {
	lie := sha256.Sum256([]byte("lie"))
	synctest.Test(t, func(t *testing.T) {
		nodes := newNodes(3)
		nodes[2].Head++
		nodes[0].Fork, nodes[0].Entry = "lie", says("0x01")
		nodes[2].Handle = func(_ http.ResponseWriter, r *http.Request, m string) bool {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if m == "eth_call" && bytes.Contains(body, []byte(hex.EncodeToString(lie[8:]))) {
				fake.Sleep(r.Context(), 700*time.Millisecond)
			}
			return false
		}
		n := open(t, nodes...)
		before := time.Now()
		wantTruth(t, n)
		if took := time.Since(before); took > 60*time.Millisecond {
			t.Errorf("a lookup took %v, want at most 60 ms", took)
		}
		synctest.Wait()
	})
}
