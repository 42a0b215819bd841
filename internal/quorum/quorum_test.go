package quorum_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// contract is read by the tests. Correct nodes return truth for it.
var contract = swap.MustAddress("0x7e57000000000000000000000000000000000369")

const truth = "0xa1"

func newNode() *fake.Node {
	n := fake.NewNode(369, contract)
	n.Entry = says(truth)
	return n
}

func newNodes(count int) (nodes []*fake.Node) {
	for range count {
		nodes = append(nodes, newNode())
	}
	return nodes
}

// says returns a contract with one answer.
func says(answer string) func(uint64, swap.IntegratorID) string {
	return func(uint64, swap.IntegratorID) string { return answer }
}

func mustURL(t testing.TB, text string) upstream.URL {
	t.Helper()
	u, err := upstream.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// open returns nodes that are reached without sockets.
func open(t *testing.T, nodes ...*fake.Node) *quorum.Nodes {
	t.Helper()
	return start(t, options(t, nodes...))
}

func options(t *testing.T, nodes ...*fake.Node) quorum.Options {
	t.Helper()
	net := fake.Network{}
	opts := quorum.Options{Chain: 369, Transport: net}
	for i, n := range nodes {
		host := fmt.Sprintf("node%d", i+1)
		net[host] = n
		opts.Endpoints = append(opts.Endpoints, mustURL(t, "http://"+host))
	}
	return opts
}

func start(t *testing.T, opts quorum.Options) *quorum.Nodes {
	t.Helper()
	n, err := quorum.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// read reads the contract.
func read(ctx context.Context, c quorum.Caller, at node.Block) (answer string, err error) {
	call := map[string]string{"to": contract.String(), "data": "0x" + strings.Repeat("0", 72)}
	err = c.Call(ctx, &answer, "eth_call", call, at.ID())
	return answer, err
}

// wantTruth fails the test unless the nodes agree on the truth.
func wantTruth(t *testing.T, n *quorum.Nodes) {
	t.Helper()
	if got, _, err := quorum.Ask(context.Background(), n, read); err != nil || got != truth {
		t.Fatalf("Ask = %q, %v; want %q", got, err, truth)
	}
}

// wantError fails the test unless there is no answer.
func wantError(t *testing.T, n *quorum.Nodes) error {
	t.Helper()
	got, _, err := quorum.Ask(context.Background(), n, read)
	if err == nil || got != "" {
		t.Fatalf("Ask = %q, %v; want an error", got, err)
	}
	return err
}

func TestNewRefuses(t *testing.T) {
	a, b, c := mustURL(t, "http://a"), mustURL(t, "http://b"), mustURL(t, "https://c/key")
	tests := []struct {
		name      string
		endpoints []upstream.URL
		want      string
	}{
		{"no endpoint", nil, "no endpoint"},
		{"a zero URL", []upstream.URL{a, {}}, "endpoint 2: only http and https"},
		{"a websocket", []upstream.URL{mustURL(t, "wss://key@host/key")}, "endpoint 1: only http and https"},
		{"a vote with one host twice", []upstream.URL{c, a, b, mustURL(t, "https://c:443/other")}, "endpoints 1 and 4 are one host"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := quorum.New(quorum.Options{Chain: 369, Endpoints: tt.endpoints})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestTwoKeysAtOneProviderMayFailOver(t *testing.T) {
	start(t, quorum.Options{Chain: 1, Endpoints: []upstream.URL{mustURL(t, "http://a/1"), mustURL(t, "http://a/2")}})
}

func TestTwoOfThree(t *testing.T) {
	down := func(n *fake.Node) { n.Handle = fake.Hang }
	lie := func(n *fake.Node, i int) { n.Entry = says(fmt.Sprintf("0x%02x", i)) }
	tests := []struct {
		name  string
		spoil func(n []*fake.Node)
		fails bool
	}{
		{"all agree", func([]*fake.Node) {}, false},
		{"one down", func(n []*fake.Node) { down(n[0]) }, false},
		{"two down: one answer is not enough", func(n []*fake.Node) { down(n[0]); down(n[2]) }, true},
		{"one wrong answer", func(n []*fake.Node) { lie(n[0], 1) }, false},
		{"one wrong answer and one down", func(n []*fake.Node) { lie(n[0], 1); down(n[1]) }, true},
		{"two different wrong answers", func(n []*fake.Node) { lie(n[0], 1); lie(n[1], 2) }, true},
		{"the same answer on another fork is no agreement", func(n []*fake.Node) { n[0].Fork = "other"; down(n[1]) }, true},
		{"one on another fork", func(n []*fake.Node) { n[0].Fork = "other" }, false},
		{"one block apart", func(n []*fake.Node) { n[0].Head++; n[1].Head-- }, false},
		{"one block apart, and one down", func(n []*fake.Node) { n[0].Head++; down(n[1]) }, false},
		{"one block apart, and one down behind its head", func(n []*fake.Node) {
			n[0].Head++
			n[1].Head++
			n[1].Handle = on("eth_call", fake.Hang)
		}, false},
		{"a head that is far too high", func(n []*fake.Node) { n[0].Head = 1 << 62; n[1].Head++ }, false},
		{"the highest head there is", func(n []*fake.Node) { n[0].Head = 1<<64 - 1; n[1].Head++ }, false},
		{"a head that is far too low", func(n []*fake.Node) { n[0].Head = 3; n[1].Head++ }, false},
		{"a low head that lies", func(n []*fake.Node) {
			n[0].Head -= 16
			lie(n[0], 1)
			n[1].Head += 16
		}, false},
		{"one that lags, and one down", func(n []*fake.Node) { n[0].Head -= 1000; down(n[1]) }, true},
		{"one in the future, and one down", func(n []*fake.Node) { n[0].Head += 1000; down(n[1]) }, true},
		{"one on another chain", func(n []*fake.Node) { n[1].Chain = 1 }, false},
		{"two on another chain", func(n []*fake.Node) { n[1].Chain, n[2].Chain = 1, 1 }, true},
	}
	for _, tt := range tests {
		for _, frugal := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, frugal=%v", tt.name, frugal), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					nodes := newNodes(3)
					tt.spoil(nodes)
					opts := options(t, nodes...)
					opts.Frugal = frugal
					if n := start(t, opts); tt.fails {
						wantError(t, n)
					} else {
						wantTruth(t, n)
					}
				})
			})
		}
	}
}

// Where calls are to be few, a third node is asked only when two do not agree.
func TestFrugalAsksTwo(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(n []*fake.Node)
		third bool
	}{
		{"two agree", func([]*fake.Node) {}, false},
		{"one lies", func(n []*fake.Node) { n[1].Entry = says("0x02") }, true},
		{"one is down", func(n []*fake.Node) { n[0].Handle = fake.Hang }, true},
		{"one lags: it does not choose the block", func(n []*fake.Node) { n[0].Head-- }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				nodes := newNodes(3)
				tt.spoil(nodes)
				opts := options(t, nodes...)
				opts.Frugal = true
				n := start(t, opts)
				wantTruth(t, n)
				n.Close()
				if got := nodes[2].Calls("eth_call") > 0; got != tt.third {
					t.Errorf("the third node was asked: %v, want %v", got, tt.third)
				}
			})
		})
	}
}

// The value changed in block 900. A node that has that block does not confirm
// the old value.
func TestOldBlockIsNotConfirmed(t *testing.T) {
	for _, behind := range []uint64{101, 200, 1000} {
		synctest.Test(t, func(t *testing.T) {
			nodes := newNodes(3)
			for _, n := range nodes {
				n.Head = 1000
				n.Entry = func(block uint64, _ swap.IntegratorID) string { return fmt.Sprintf("0x%02x", block/900) }
			}
			nodes[0].Head -= behind
			nodes[1].Handle = fake.Hang
			wantError(t, open(t, nodes...))
		})
	}
}

// The answer is from the newest block that two nodes have in common, and has its
// number.
func TestAnswerNamesItsBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := newNodes(3)
		for i, n := range nodes {
			n.Head = 1000 + 10*uint64(i/2)
		}
		_, at, err := quorum.Ask(t.Context(), open(t, nodes...), read)
		if err != nil || at.Number != 1000 || time.Since(at.Time) > time.Minute {
			t.Errorf("Ask: block %d of %v, %v; want 1000 of about %v", at.Number, at.Time, err, time.Now())
		}
	})
}

func TestAgeOfABlock(t *testing.T) {
	tests := []struct {
		name   string
		behind time.Duration
		limit  time.Duration
		fails  bool
	}{
		{"of now", 0, 0, false},
		{"four minutes old", 4 * time.Minute, 0, false},
		{"six minutes old: the node has stopped", 6 * time.Minute, 0, true},
		{"six minutes ahead: a clock is wrong", -6 * time.Minute, 0, true},
		{"older than a stricter limit", time.Minute, 30 * time.Second, true},
		{"a year old, on a chain that makes blocks on demand", 365 * 24 * time.Hour, -1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNode()
				n.Behind = tt.behind
				opts := options(t, n)
				opts.MaxBlockAge = tt.limit
				if n := start(t, opts); tt.fails {
					wantError(t, n)
				} else {
					wantTruth(t, n)
				}
			})
		})
	}
}

// When the first node has stopped following the chain, the next one is asked.
func TestStaleEndpointFailsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stale, fresh := newNode(), newNode()
		stale.Behind = time.Hour
		stale.Entry = says("0x01")
		wantTruth(t, open(t, stale, fresh))
	})
}

func TestWrongAnswerIsShownInHealth(t *testing.T) {
	for _, ahead := range []uint64{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			nodes := newNodes(3)
			nodes[1].Entry = says("0x01")
			nodes[1].Head += ahead
			n := open(t, nodes...)
			wantTruth(t, n)
			synctest.Wait()
			want := quorum.Health{Chain: 369, Up: true, Endpoints: []quorum.EndpointHealth{
				{Breaker: upstream.Closed},
				{Fault: quorum.Disagrees, Breaker: upstream.Closed},
				{Breaker: upstream.Closed},
			}}
			if diff := cmp.Diff(want, n.Health()); diff != "" {
				t.Errorf("Health with a wrong node %d blocks ahead (-want +got):\n%s", ahead, diff)
			}
		})
	}
}

// A node that says it is behind does not hold the answer back while the others
// answer: the value changed in block 995.
func TestOneNodeCannotHoldTheAnswerBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := newNodes(3)
		for i, n := range nodes {
			n.Head = 1000 + uint64(i)
			n.Handle = fake.After(20 * time.Millisecond)
			n.Entry = func(block uint64, _ swap.IntegratorID) string { return fmt.Sprintf("0x%02x", block/995) }
		}
		nodes[0].Head = 1000 - 16
		nodes[0].Handle = nil
		got, at, err := quorum.Ask(t.Context(), open(t, nodes...), read)
		if err != nil || got != "0x01" || at.Number != 1001 {
			t.Errorf("Ask = %s at block %d, %v; want 0x01 at block 1001", got, at.Number, err)
		}
	})
}

// On a fast chain honest nodes can be many blocks apart.
func TestFarApartInBlocksNotInTime(t *testing.T) {
	tests := []struct {
		name     string
		interval time.Duration
		heads    [3]uint64
		want     uint64 // block of the answer; zero for none
	}{
		{"33 and 66 blocks of a fast chain", time.Second / 4, [3]uint64{1000, 967, 934}, 967},
		{"33 and 66 blocks of a slow chain", 12 * time.Second, [3]uint64{1000, 967, 934}, 0},
		{"the second and third are near", 2 * time.Second, [3]uint64{1000, 900, 895}, 895},
		{"all are too far apart", 2 * time.Second, [3]uint64{1000, 400, 100}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				nodes := newNodes(3)
				for i, n := range nodes {
					n.Head, n.Interval = tt.heads[i], tt.interval
					n.Handle = fake.After(20 * time.Millisecond)
				}
				_, at, err := quorum.Ask(t.Context(), open(t, nodes...), read)
				if at.Number != tt.want || (err == nil) != (tt.want > 0) {
					t.Errorf("Ask: block %d, %v; want %d", at.Number, err, tt.want)
				}
			})
		})
	}
}
