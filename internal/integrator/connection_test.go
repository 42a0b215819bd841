package integrator_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// dial returns registries with connections of their own to one server.
func dial(t *testing.T, url string) *integrator.Registries {
	t.Helper()
	return start(t, integrator.Options{Chains: []integrator.Chain{
		{ID: 369, Registry: registry, Endpoints: []upstream.URL{mustURL(t, url)}},
	}})
}

func TestChainIsAskedOncePerConnection(t *testing.T) {
	n := newNode(369)
	srv := httptest.NewServer(n)
	defer srv.Close()
	rs := dial(t, srv.URL)
	for i := range 3 {
		refused(t, rs, 369, stranger(i), swap.IntegratorUnknown)
	}
	if got := n.Asked("eth_chainId"); got != 1 {
		t.Errorf("the chain was asked for %d times on one connection", got)
	}
	srv.CloseClientConnections()
	refused(t, rs, 369, stranger(4), swap.IntegratorUnknown)
	if got := n.Asked("eth_chainId"); got != 2 {
		t.Errorf("the chain was asked for %d times on two connections", got)
	}
}

// Behind a name there may be another chain after a reconnect.
func TestAnotherChainAfterAReconnect(t *testing.T) {
	n := newNode(369)
	srv := httptest.NewServer(n)
	defer srv.Close()
	rs := dial(t, srv.URL)
	refused(t, rs, 369, stranger(1), swap.IntegratorUnknown)
	n.Chain = 1
	srv.CloseClientConnections()
	refused(t, rs, 369, partner, swap.RegistryUnavailable)
	if got := rs.Health()[0].Endpoints[0].Fault; got != integrator.WrongChain {
		t.Errorf("health shows %q", got)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	elsewhere := newNode(369)
	target := httptest.NewServer(elsewhere)
	defer target.Close()
	srv := httptest.NewServer(http.RedirectHandler(target.URL, http.StatusPermanentRedirect))
	defer srv.Close()
	refused(t, dial(t, srv.URL), 369, partner, swap.RegistryUnavailable)
	if got := elsewhere.Asked("eth_getBlockByNumber"); got != 0 {
		t.Errorf("the target of a redirect was asked %d times", got)
	}
}

// A name that does not resolve is in the error of the resolver, and no further.
func TestUnknownHostIsNotSaid(t *testing.T) {
	rs := dial(t, "https://"+canary+".invalid/"+canary)
	err := refused(t, rs, 369, partner, swap.RegistryUnavailable)
	said := fmt.Sprintf("%v %+v %+v", err, err, rs.Health())
	if strings.Contains(strings.ToLower(said), strings.ToLower(canary)) {
		t.Error(said)
	}
}
