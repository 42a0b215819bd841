package service_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"hubquote/internal/service"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/reference"
	"hubquote/test/servicetest"
)

// While no node of any chain answers, DIRECT quotes are as many as ever. Each call to
// a node takes its whole timeout here, so that quotes which waited for one would not
// end before the test's deadline.
func TestDirectQuotesNeedNoNode(t *testing.T) {
	cat := reference.Catalog(t)
	node := fake.NewNode(1, swap.Address{})
	node.SetHandle(fake.Hang)
	dead := httptest.NewServer(node)
	t.Cleanup(dead.Close) // after the service, which ends its calls
	url, err := upstream.Parse(dead.URL)
	if err != nil {
		t.Fatal(err)
	}
	opts := service.Options{Catalog: cat, RPC: map[swap.ChainID][]upstream.URL{}, Limit: servicetest.Generous}
	for _, id := range service.Chains(cat) {
		opts.RPC[id] = []upstream.URL{url}
	}
	s := servicetest.New(t, opts)
	s.Refresh()
	for range 5_000 {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, quote, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("status = %d (%s), want 200", w.Code, w.Body)
		}
	}
}
