package service_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"hubquote/internal/api"
	"hubquote/internal/ratelimit"
	"hubquote/internal/service"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/reference"
	"hubquote/test/servicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const quote = "/v3/swap/quote?srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=1000000000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// get sends a request of a client behind a proxy, and returns the status and body.
func get(t *testing.T, url, client string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", client)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

func TestLimit(t *testing.T) {
	tests := []struct {
		name  string
		limit ratelimit.Policy
		want  int // status of the 31st request
	}{
		{"a client has thirty requests per minute", ratelimit.Policy{}, http.StatusTooManyRequests},
		{"a load test may raise the limit", servicetest.Generous, http.StatusOK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url := servicetest.Start(t, service.Options{Limit: tt.limit, TrustedProxies: loopback})
			for range 30 {
				if got, _ := get(t, url+quote, "192.0.2.1"); got != http.StatusOK {
					t.Fatalf("status within the limit = %d, want 200", got)
				}
			}
			if got, _ := get(t, url+quote, "192.0.2.1"); got != tt.want {
				t.Errorf("status of request 31 = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestIntegratorsCanBeReplaced(t *testing.T) {
	withPartner := quote + "&integratorId=0x90F79bf6EB2c4f870365E785982E1f101E93b906"
	without := servicetest.Start(t, service.Options{})
	if got, body := get(t, without+withPartner, ""); got != http.StatusServiceUnavailable {
		t.Errorf("status without a registry = %d (%s), want 503", got, body)
	}
	with := servicetest.Start(t, service.Options{Integrators: fake.Partners(2_500)})
	if got, body := get(t, with+withPartner, ""); got != http.StatusOK || !strings.Contains(body, `"percentage":0.25`) {
		t.Errorf("status with one = %d (%s), want 200 and 0.25 %%", got, body)
	}
}

// Mounted handlers are served beside the service, and further checks are shown
// beside those of the upstreams.
func TestMountAndChecks(t *testing.T) {
	url := servicetest.Start(t, service.Options{
		Checks: []api.Check{{Name: "devnet", Status: api.CheckOK}},
		Mount: map[string]http.Handler{"/devnet/": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "mounted")
		})},
	})
	if got, body := get(t, url+"/devnet/x", ""); got != http.StatusOK || body != "mounted" {
		t.Errorf("mounted path = %d %q, want 200 %q", got, body, "mounted")
	}
	if got, _ := get(t, url+quote, ""); got != http.StatusOK {
		t.Errorf("status of a quote = %d, want 200", got)
	}
	var health struct{ Checks []api.Check }
	_, body := get(t, url+"/v3/swap/healthcheck", "")
	if err := json.Unmarshal([]byte(body), &health); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range health.Checks {
		names = append(names, c.Name)
	}
	want := "registry 1, registry 56, registry 369, registry 4663, registry 8453, pools, issuer fee, limiter, settler, devnet"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("checks = %s, want %s", got, want)
	}
}

func TestNewRefuses(t *testing.T) {
	cat := reference.Catalog(t)
	node, err := upstream.Parse("https://host/key")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		opts service.Options
		want string
	}{
		{"no catalog", service.Options{}, "Options.Catalog is required"},
		{"an endpoint of a chain that nothing is asked on", service.Options{Catalog: cat, RPC: map[swap.ChainID][]upstream.URL{2: {node}}}, "nothing is asked on chain 2"},
		{"required pools without endpoints", service.Options{Catalog: cat, RequirePools: true}, "chain 1 has no RPC endpoint"},
		{"a Redis URL of another protocol", service.Options{Catalog: cat, Redis: node}, "redis URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := service.New(tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New = %v, want an error with %q", err, tt.want)
			}
		})
	}
}
