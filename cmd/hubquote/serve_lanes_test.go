package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/zk"
)

// A lane is a route whose integrators are in one registry, with the expected fees
// of a quote for partner.
type lane struct {
	registry swap.ChainID
	query    string
	want     feesOf
}

// feesOf is the part of a quote that depends on the registry.
type feesOf struct{ percentage, integrator, total, received string }

// rates are those in the registries, in millionths.
var rates = map[swap.ChainID]uint32{369: 2_500, 1: 1_000, 56: 1_500, 8453: 2_000, 4663: 500}

var lanes = []lane{
	{369, "srcChain=1&srcToken=USDC&dstChain=369&dstToken=USDC&amount=1000000000",
		feesOf{"0.25", "2500000", "5500000", "994500000"}},
	{1, "srcChain=369&srcToken=USDC&dstChain=1&dstToken=USDC&amount=1000000000",
		feesOf{"0.1", "1000000", "6000000", "994000000"}},
	{56, "srcChain=369&srcToken=USDC&dstChain=56&dstToken=USDC&amount=1000000000",
		feesOf{"0.15", "1500000000000000000", "6500000000000000000", "993500000000000000000"}},
	{8453, "srcChain=369&srcToken=USDC&dstChain=10&dstToken=USDC&amount=1000000000",
		feesOf{"0.2", "2000000", "7000000", "993000000"}},
	{4663, "srcChain=369&srcToken=WETH&dstChain=4663&dstToken=ETH&amount=1000000000000000000",
		feesOf{"0.05", "500000000000000", "5500000000000000", "994500000000000000"}},
}

// burn is a route that needs the issuer's fee and nothing else.
const burn = "srcChain=42161&srcToken=USDC&dstChain=369&dstToken=USDC&amount=1000000000"

func laneTo(registry swap.ChainID) lane {
	for _, l := range lanes {
		if l.registry == registry {
			return l
		}
	}
	panic(fmt.Sprintf("no lane to %d", registry))
}

const (
	publicRecipient  = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	privateRecipient = zk.Alice
)

func quotePath(query, integrator string) string {
	path := "/v3/swap/quote?recipient=" + publicRecipient + "&" + query
	if integrator != "" {
		path += "&integratorId=" + integrator
	}
	return path
}

// quotes repeats a request with an active integrator until it succeeds, because a
// healthy node may time out on a busy machine. Until then it must be refused as
// unavailable, and then the fee must be correct.
func (p *program) quotes(l lane, id string) {
	p.t.Helper()
	var a answer
	fake.Eventually(p.t, fmt.Sprintf("a quote with an integrator of chain %d", l.registry), func() bool {
		a = p.get(quotePath(l.query, id))
		if a.status != 200 {
			p.isRefused(a, 503, swap.RegistryUnavailable)
		}
		return a.status == 200
	})
	p.hasFee(a, l, id)
}

func (p *program) hasFee(a answer, l lane, id string) {
	p.t.Helper()
	var q struct {
		DestAmount string
		Fee        struct {
			Integrator struct {
				Percentage          json.Number
				Amount, ID, Address string
			}
			Total struct{ Amount string }
		}
	}
	if err := json.Unmarshal(a.body, &q); err != nil {
		p.t.Errorf("chain %d: body = %s, want a quote: %v", l.registry, a.body, err)
	}
	in := q.Fee.Integrator
	got := feesOf{in.Percentage.String(), in.Amount, q.Fee.Total.Amount, q.DestAmount}
	if diff := cmp.Diff(l.want, got, cmp.AllowUnexported(feesOf{})); diff != "" {
		p.t.Errorf("chain %d: (-want +got)\n%s", l.registry, diff)
	}
	if in.ID != "0x"+strings.Repeat("0", 24)+id[2:] || !strings.EqualFold(in.Address, id) {
		p.t.Errorf("chain %d: integrator = %s with wallet %s, want %s with %s", l.registry, in.ID, in.Address, id, id)
	}
}

// refuses fails the test unless one request is refused like that.
func (p *program) refuses(query, integrator string, status int, code swap.Code) {
	p.t.Helper()
	p.isRefused(p.get(quotePath(query, integrator)), status, code)
}

func (p *program) isRefused(a answer, status int, code swap.Code) {
	p.t.Helper()
	if a.status != status || a.Code != string(code) || (a.header.Get("Retry-After") == "") == (status == 503) {
		p.t.Fatalf("answer = %d %s, want %d %s, with Retry-After for a 503; %v\n%s", a.status, a.Code, status, code, a.header, a.body)
	}
}

// quotesDirect fails the test unless every lane has a quote without an integrator at
// the first attempt. Such quotes need no upstream.
func (p *program) quotesDirect() {
	p.t.Helper()
	for _, l := range lanes {
		if a := p.get(quotePath(l.query, "")); a.status != 200 {
			p.t.Fatalf("%s = %d %s, want 200", l.query, a.status, a.body)
		}
	}
}

// degraded fails the test unless the health check is degraded with status 200. With
// another status, the service would be restarted because of its upstream.
func degraded(t *testing.T, p *program) {
	t.Helper()
	if h, status := p.health(); h.Status != "degraded" || status != 200 {
		t.Errorf("health = %d %+v, want 200 and degraded", status, h)
	}
}
