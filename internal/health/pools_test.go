package health_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/health"
	"hubquote/internal/pools"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/reference"
)

// Where pools and a messenger are asked, the silence of the messenger alone is shown
// too: without its fee, burns are quoted that the pool may not bear.
func TestUnknownFeeOfABurnIsShown(t *testing.T) {
	cat, made := newPools(t)
	synctest.Test(t, func(t *testing.T) {
		u, node := newGateway(t, cat, made)
		defer u.Pools.Close()
		want := func(status, detail string, known bool) {
			t.Helper()
			u.Pools.Look(t.Context())
			for _, c := range u.Checks() {
				if c.Name == "pools 8453" && (c.Status != status || !strings.Contains(c.Detail, detail)) {
					t.Errorf("%s is %s, %s, want %s, %s", c.Name, c.Status, c.Detail, status, detail)
				}
			}
			if age := u.Tables()[0].Read()[0].Value; (age >= 0) != known {
				t.Errorf("age = %v, want known %t", age, known)
			}
		}
		want(api.CheckOK, "as the catalog says", true)
		node.SetHandle(refuseMessenger)
		want(api.CheckOK, "as the catalog says", true)
		time.Sleep(pools.Known)
		want(api.CheckDown, "the least fee of a burn is not known: rpc_error", false)
		node.SetHandle(nil)
		want(api.CheckOK, "as the catalog says", true)
	})
}

// What a pool may pay for each source is a figure of its own: one source can have
// used its cap while the pool's is untouched.
func TestCapOfASourceIsShown(t *testing.T) {
	cat, made := newPools(t)
	l := made.Leg("USDC@369", "USDC@8453")
	made.Change(l.To, func(s *contract.Snapshot) { _, left := l.Source(s); left.SetInt64(7_500_000) })
	synctest.Test(t, func(t *testing.T) {
		u, _ := newGateway(t, cat, made)
		defer u.Pools.Close()
		u.Pools.Look(t.Context())
		got := map[string]float64{}
		for _, table := range u.Tables() {
			for _, s := range table.Read() {
				if s.Labels[0] == "8453" && (len(s.Labels) < 3 || s.Labels[2] == l.From.Name) {
					got[table.Name] = s.Value
				}
			}
		}
		if left, largest := got["hubquote_pool_source_cap_left"], got["hubquote_pool_source_largest_order"]; left != 7.5 || largest != 25_000 {
			t.Errorf("cap left for the source = %v, its largest order = %v, want 7.5 and 25000", left, largest)
		}
		if all := got["hubquote_pool_cap_left"]; all <= 7.5 {
			t.Errorf("cap left for all = %v, want what it was", all)
		}
	})
}

func newPools(t *testing.T) (*catalog.Catalog, *fake.Pools) {
	t.Helper()
	cat := reference.Catalog(t)
	made, err := fake.NewPools(cat)
	if err != nil {
		t.Fatal(err)
	}
	return cat, made
}

// newGateway watches the pools of the network that all burns go to, at one node.
func newGateway(t *testing.T, cat *catalog.Catalog, made *fake.Pools) (*health.Upstreams, *fake.Node) {
	t.Helper()
	url, err := upstream.Parse("http://node")
	if err != nil {
		t.Fatal(err)
	}
	registry, _ := cat.Registry(8453)
	node := fake.NewNode(8453, registry)
	node.Pools = made
	w, err := pools.New(pools.Options{
		Catalog: cat, Endpoints: map[swap.ChainID][]upstream.URL{8453: {url}}, Transport: fake.Network{"node": node},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &health.Upstreams{Catalog: cat, Pools: w}, node
}

// refuseMessenger refuses calls that have a recipient, as those of a lens have not.
func refuseMessenger(w http.ResponseWriter, r *http.Request, method string) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil || method != "eth_call" || !bytes.Contains(body, []byte(`"to"`)) {
		return false
	}
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"too many requests"}}`)
	return true
}
