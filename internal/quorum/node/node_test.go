package node_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"encoding/json"

	"go.uber.org/goleak"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const canary = "SECRETKEY123"

func open(t testing.TB, url string, transport http.RoundTripper) *node.Node {
	t.Helper()
	return openFor(t, url, transport, 0)
}

// openFor returns a node that is believed for so long.
func openFor(t testing.TB, url string, transport http.RoundTripper, proofAge time.Duration) *node.Node {
	t.Helper()
	u, err := upstream.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	n, err := node.New(node.Options{Chain: 369, URL: u, MaxBlockAge: time.Minute, Timeout: 10 * time.Second, ProofAge: proofAge, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

func newFake() *fake.Node { return fake.NewNode(369, swap.Address{1}) }

func TestLatestAndBlock(t *testing.T) {
	fn := newFake()
	n := open(t, "http://node", fake.Network{"node": fn})
	head, err := n.Latest(t.Context())
	if err != nil || head.Number != fn.Head {
		t.Fatalf("Latest = block %d, %v; want %d", head.Number, err, fn.Head)
	}
	before, err := n.Block(t.Context(), fn.Head-1)
	if err != nil || before.Number != fn.Head-1 || before.Hash == head.Hash {
		t.Errorf("Block = %+v, %v; want the one before %+v", before, err, head)
	}
	if _, err := n.Block(t.Context(), fn.Head+1); err != node.OutOfStep {
		t.Errorf("Block that does not exist: %v, want %v", err, node.OutOfStep)
	}
	if got, want := head.ID()["blockHash"], fmt.Sprintf("0x%x", head.Hash); got != want {
		t.Errorf("ID = %s, want %s", got, want)
	}
}

func TestChainIsAskedOncePerConnection(t *testing.T) {
	fn := newFake()
	srv := httptest.NewServer(fn)
	defer srv.Close()
	n := open(t, srv.URL, nil)
	wantProofs := func(want int) {
		t.Helper()
		if _, err := n.Latest(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := fn.Calls("eth_chainId"); got != want {
			t.Errorf("%d calls of eth_chainId, want %d", got, want)
		}
	}
	wantProofs(1)
	wantProofs(1)
	srv.CloseClientConnections()
	wantProofs(2)
}

// Where a proof lasts, a new connection costs no question.
func TestALastingProofOutlivesItsConnection(t *testing.T) {
	fn := newFake()
	srv := httptest.NewServer(fn)
	defer srv.Close()
	u, err := upstream.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	n, err := node.New(node.Options{Chain: 369, URL: u, MaxBlockAge: time.Minute, Timeout: 10 * time.Second, ProofAge: time.Hour, Lasting: true})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	for range 3 {
		if _, err := n.Latest(t.Context()); err != nil {
			t.Fatal(err)
		}
		srv.CloseClientConnections()
	}
	if got := fn.Calls("eth_chainId"); got != 1 {
		t.Errorf("%d calls of eth_chainId for three connections, want 1", got)
	}
}

// A reconnect may lead to a server of another chain.
func TestAnotherChainAfterAReconnect(t *testing.T) {
	fn := newFake()
	srv := httptest.NewServer(fn)
	defer srv.Close()
	n := open(t, srv.URL, nil)
	if _, err := n.Latest(t.Context()); err != nil {
		t.Fatal(err)
	}
	fn.Chain = 1
	srv.CloseClientConnections()
	if _, err := n.Latest(t.Context()); err != node.WrongChain {
		t.Errorf("Latest: %v, want %v", err, node.WrongChain)
	}
}

// Behind a load balancer, a connection that is kept may lead to a server of another
// chain. It is noticed after ten seconds, or when the options say so.
func TestAnotherChainOnTheSameConnection(t *testing.T) {
	for _, tt := range []struct{ age, noticed time.Duration }{{0, 10 * time.Second}, {time.Minute, time.Minute}} {
		synctest.Test(t, func(t *testing.T) {
			fn := newFake()
			n := openFor(t, "http://node", fake.Network{"node": fn}, tt.age)
			if _, err := n.Latest(t.Context()); err != nil {
				t.Fatal(err)
			}
			fn.Chain = 1
			time.Sleep(tt.noticed - time.Second)
			if _, err := n.Latest(t.Context()); err != nil {
				t.Errorf("Latest before %v: %v, want no question for the chain", tt.noticed, err)
			}
			time.Sleep(2 * time.Second)
			if _, err := n.Latest(t.Context()); err != node.WrongChain {
				t.Errorf("Latest after %v: %v, want %v", tt.noticed, err, node.WrongChain)
			}
		})
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	elsewhere := newFake()
	target := httptest.NewServer(elsewhere)
	defer target.Close()
	srv := httptest.NewServer(http.RedirectHandler(target.URL, http.StatusPermanentRedirect))
	defer srv.Close()
	if _, err := open(t, srv.URL, nil).Latest(t.Context()); err != upstream.Redirected {
		t.Errorf("Latest: %v, want %v", err, upstream.Redirected)
	}
	if got := elsewhere.Calls("eth_getBlockByNumber"); got != 0 {
		t.Errorf("%d calls of the redirect's target, want 0", got)
	}
}

// The error of the resolver contains the name that it does not find.
func TestUnknownHostIsNotInTheError(t *testing.T) {
	_, err := open(t, "https://"+canary+".invalid/"+canary, nil).Latest(t.Context())
	if text := fmt.Sprintf("%v %+v %#v", err, err, err); err == nil || strings.Contains(strings.ToLower(text), strings.ToLower(canary)) {
		t.Errorf("Latest: %s, want an error without the host", text)
	}
}

// FuzzBlock checks that a response is accepted only if it is a block with all its
// fields and a time near the clock.
func FuzzBlock(f *testing.F) {
	f.Add(newFake().Result("eth_getBlockByNumber", json.RawMessage(`"latest"`)))
	for _, seed := range []string{
		`null`, `{}`, `[]`, `"0x1"`, `{"number":"0x01","hash":"0x","timestamp":"0x1"}`,
		`{"number":null,"hash":null,"timestamp":null}`, `{"number":"0xffffffffffffffffff"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, block string) {
		fn := newFake()
		fn.Handle = func(w http.ResponseWriter, _ *http.Request, method string) bool {
			if method == "eth_getBlockByNumber" {
				_, _ = io.WriteString(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":%s}`, block))
			}
			return method == "eth_getBlockByNumber"
		}
		b, err := open(t, "http://node", fake.Network{"node": fn}).Latest(t.Context())
		if err == nil && time.Since(b.Time).Abs() > time.Minute+time.Second {
			t.Errorf("Latest = %+v, want an error: it is not near the clock", b)
		}
		if err != nil && b != (node.Block{}) {
			t.Errorf("Latest = %+v, %v; want no block", b, err)
		}
	})
}
