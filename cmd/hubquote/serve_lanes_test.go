package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/swap"
	"hubquote/test/fake"
)

// A lane is a route for each registry that an integrator is looked up in, with
// what a quote for partner must say.
type lane struct {
	registry swap.ChainID
	query    string
	want     feesOf
}

// feesOf is the part of a quote that depends on the registry.
type feesOf struct{ percentage, integrator, total, received string }

// rates are what the registries say, in millionths.
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
	privateRecipient = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990"
)

func quotePath(query, integrator string) string {
	path := "/v3/swap/quote?recipient=" + publicRecipient + "&" + query
	if integrator != "" {
		path += "&integratorId=" + integrator
	}
	return path
}

// quotes asks until the lane answers for an active integrator, because a busy
// machine may make a healthy node look slow. Until then it must be refused as
// unavailable, and once it answers the fee must be right.
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
		p.t.Errorf("chain %d: %v: %s", l.registry, err, a.body)
	}
	in := q.Fee.Integrator
	got := feesOf{in.Percentage.String(), in.Amount, q.Fee.Total.Amount, q.DestAmount}
	if diff := cmp.Diff(l.want, got, cmp.AllowUnexported(feesOf{})); diff != "" {
		p.t.Errorf("chain %d: (-want +got)\n%s", l.registry, diff)
	}
	if in.ID != "0x"+strings.Repeat("0", 24)+id[2:] || !strings.EqualFold(in.Address, wallet) {
		p.t.Errorf("chain %d: integrator %s, paid to %s", l.registry, in.ID, in.Address)
	}
}

// refuses asks once and wants that refusal.
func (p *program) refuses(query, integrator string, status int, code swap.Code) {
	p.t.Helper()
	p.isRefused(p.get(quotePath(query, integrator)), status, code)
}

func (p *program) isRefused(a answer, status int, code swap.Code) {
	p.t.Helper()
	if a.status != status || a.Code != string(code) || (a.header.Get("Retry-After") == "") == (status == 503) {
		p.t.Fatalf("%d %s, want %d %s, with Retry-After if it is worth it; %v\n%s", a.status, a.Code, status, code, a.header, a.body)
	}
}

// quotesDirect wants plain quotes on every lane, at the first attempt: they
// depend on nothing.
func (p *program) quotesDirect() {
	p.t.Helper()
	for _, l := range lanes {
		if a := p.get(quotePath(l.query, "")); a.status != 200 {
			p.t.Fatalf("%s: %d %s", l.query, a.status, a.body)
		}
	}
}

// degraded wants a health check that says so and still is a 200: restarting
// this service because of another helps nobody.
func degraded(t *testing.T, p *program) {
	t.Helper()
	if h, status := p.health(); h.Status != "degraded" || status != 200 {
		t.Errorf("health %d %+v", status, h)
	}
}
