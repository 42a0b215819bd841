package api_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
)

// stubPools refuses quotes of one source chain, and knows a state for it.
type stubPools struct {
	src   swap.PlaceID
	err   error
	state swap.PoolState
}

func (p stubPools) Payable(q *swap.Quote) error {
	if q.Route.Src.ID == p.src {
		return p.err
	}
	return nil
}

func (p stubPools) State(r *swap.Route) swap.PoolState {
	if r.Src.ID == p.src {
		return p.state
	}
	return swap.PoolState{}
}

func newPoolsServer(t *testing.T, p stubPools) *api.Server {
	t.Helper()
	q, err := quoter.New(quoter.Options{Catalog: embedded(t), IssuerFees: issuer.Published{}, Pools: p})
	if err != nil {
		t.Fatal(err)
	}
	return newServer(t, api.Options{Quoter: q, Pools: p})
}

// then is far from the clock at any moment of a slow run.
var then = time.Now().Add(24 * time.Hour)

// What the state of a pool forbids is never the client's fault, and is no reason to
// refuse other routes.
func TestPoolErrors(t *testing.T) {
	available := new(swap.Amount).SetUint64(997_000_000)
	for _, e := range []*swap.Error{
		{Code: swap.PoolPaused},
		{Code: swap.PoolShort, Available: available},
		{Code: swap.PoolCapped, Available: available, After: then},
		{Code: swap.PoolUnknown},
		{Code: swap.RouteClosed},
		{Code: swap.DeploymentDiffers, Err: errors.New("secret")},
	} {
		t.Run(string(e.Code), func(t *testing.T) {
			e.Message = "as it says"
			s := newPoolsServer(t, stubPools{src: 1, err: e})
			w := get(s, valid())
			p := wantProblem(t, w, 503)
			if p.Code != e.Code || !p.Retryable || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("body = %s, want code %s, retryable, and no secret", w.Body, e.Code)
			}
			checkMore(t, w, e)
			if w := get(s, valid("srcChain", "8453")); w.Code != 200 {
				t.Errorf("status of another route = %d, want 200", w.Code)
			}
			_, router := loadOpenAPI(t)
			checkResponse(t, router, s, valid())
		})
	}
}

// checkMore checks what a problem says besides its code.
func checkMore(t *testing.T, w *httptest.ResponseRecorder, e *swap.Error) {
	t.Helper()
	var p struct{ Available, RetryAt string }
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	if e.Available != nil && p.Available != e.Available.Dec() {
		t.Errorf("available = %q, want %s", p.Available, e.Available.Dec())
	}
	seconds, err := strconv.Atoi(w.Header().Get("Retry-After"))
	if err != nil {
		t.Fatalf("Retry-After = %q, want seconds", w.Header().Get("Retry-After"))
	}
	if e.After.IsZero() {
		return
	}
	if want := e.After.UTC().Format(time.RFC3339); p.RetryAt != want {
		t.Errorf("retryAt = %q, want %s", p.RetryAt, want)
	}
	if seconds <= 5 || seconds > 24*60*60+1 {
		t.Errorf("Retry-After = %d s, want until %s", seconds, p.RetryAt)
	}
}

type listedRoute struct {
	SrcChain, DstChain      int
	SrcToken, DestToken     struct{ Symbol string }
	Type, Available, Reason string
	AsOf                    string
	Paused                  bool
	Gas                     *struct{ Approval, Swap int }
}

func listRoutes(t *testing.T, s *api.Server, query string) (list []listedRoute) {
	t.Helper()
	w := get(s, "/v3/app/routes"+query)
	var body struct{ Data []listedRoute }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 200 {
		t.Fatalf("%s: status %d, %v: %s", query, w.Code, err, w.Body)
	}
	return body.Data
}

// The list of routes says what is known, and nothing about what is not.
func TestRoutesShowThePools(t *testing.T) {
	state := swap.PoolState{AsOf: then, Available: new(swap.Amount).SetUint64(42), Reason: swap.PoolPaused}
	for _, r := range listRoutes(t, newPoolsServer(t, stubPools{src: 1, state: state}), "") {
		want := listedRoute{}
		if r.SrcChain == 1 {
			want = listedRoute{Available: "42", Reason: "POOL_PAUSED", AsOf: then.UTC().Format(time.RFC3339), Paused: true}
		}
		if r.Available != want.Available || r.Reason != want.Reason || r.AsOf != want.AsOf || r.Paused != want.Paused {
			t.Errorf("from %d: %+v, want %+v", r.SrcChain, r, want)
		}
	}
	_, router := loadOpenAPI(t)
	checkResponse(t, router, newPoolsServer(t, stubPools{src: 1, state: state}), "/v3/app/routes")
}

func TestRoutesAreFiltered(t *testing.T) {
	s := newServer(t, api.Options{})
	all := len(embedded(t).Routes())
	tests := []struct {
		query string
		match func(listedRoute) bool
	}{
		{"", func(listedRoute) bool { return true }},
		{"?srcChain=1", func(r listedRoute) bool { return r.SrcChain == 1 }},
		{"?srcChain=1&dstToken=WETH", func(r listedRoute) bool { return r.SrcChain == 1 && r.DestToken.Symbol == "WETH" }},
		{"?srcToken=USDC&dstChain=69696969", func(r listedRoute) bool { return r.SrcToken.Symbol == "USDC" && r.DstChain == 69696969 }},
		{"?srcToken=" + usdc1, func(r listedRoute) bool {
			return r.SrcToken.Symbol == "USDC" && (r.SrcChain == 1 || r.SrcChain == 69696969)
		}},
		{"?srcChain=2", func(listedRoute) bool { return false }},
	}
	for _, tt := range tests {
		want := 0
		for _, r := range listRoutes(t, s, "") {
			if tt.match(r) {
				want++
			}
		}
		got := listRoutes(t, s, tt.query)
		if len(got) != want || tt.query == "" && want != all {
			t.Errorf("%q: %d routes, want %d", tt.query, len(got), want)
		}
		for _, r := range got {
			if !tt.match(r) {
				t.Errorf("%q lists %+v, want it left out", tt.query, r)
			}
		}
	}
	if p := wantProblem(t, get(s, "/v3/app/routes?srcChain=one"), 400); p.Param != "srcChain" {
		t.Errorf("param = %q, want srcChain", p.Param)
	}
}

// The gas of the list is the contracts' committed snapshot.
func TestGasIsTheSnapshots(t *testing.T) {
	text, err := os.ReadFile("../../contracts/test/Gas.t.sol")
	if err != nil {
		t.Fatal(err)
	}
	figure := func(test string) int {
		m := regexp.MustCompile(`(?s)function ` + test + `\(\).*?spent\(([0-9_]+),`).FindSubmatch(text)
		if m == nil {
			t.Fatalf("there is no figure of %s", test)
		}
		n, err := strconv.Atoi(strings.ReplaceAll(string(m[1]), "_", ""))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	approve, token := figure("test_approve"), figure("test_swap_tokenToAddress")
	first := figure("test_swap_firstOrder") - token
	for _, r := range listRoutes(t, newServer(t, api.Options{}), "") {
		wantApproval, wantSwap := approve, token+first
		switch {
		case r.Type == "CCTP_INBOUND":
			wantSwap = 0
		case r.SrcToken.Symbol == "ETH":
			wantApproval, wantSwap = 0, figure("test_swap_native")+first
		case r.DstChain == 69696969 || r.DstChain == 96969696:
			wantSwap = figure("test_swap_tokenToNote") + first
		}
		if r.Gas == nil || r.Gas.Approval != wantApproval || r.Gas.Swap != wantSwap {
			t.Errorf("gas from %s on %d to %d = %+v, want %d and %d", r.SrcToken.Symbol, r.SrcChain, r.DstChain, r.Gas, wantApproval, wantSwap)
		}
	}
}
