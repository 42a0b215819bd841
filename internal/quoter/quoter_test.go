package quoter_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/holiman/uint256"

	"hubquote/internal/calldata"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
)

const private = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990"

var alice = swap.MustAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")

func newQuoter(t testing.TB) (*quoter.Quoter, *catalog.Catalog) {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	q, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	return q, c
}

func request(r *swap.Route) swap.Request {
	to := swap.Recipient{Address: alice}
	if r.Shields() {
		to = swap.Recipient{Private: private}
	}
	return swap.Request{
		SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
		DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
		Amount: r.Limits.Max, Recipient: to,
	}
}

// The laws that hold on every pair.
func TestEveryPair(t *testing.T) {
	q, c := newQuoter(t)
	for _, r := range c.Routes() {
		t.Run(fmt.Sprintf("%s-%d-%s-%d", r.SrcToken.Symbol, r.Src.ID, r.DstToken.Symbol, r.Dst.ID), func(t *testing.T) {
			quote, err := q.Quote(context.Background(), request(r))
			if err != nil {
				t.Fatal(err)
			}
			p, native := &quote.Payload, r.SrcToken.IsNative()
			if native != (p.Approval == nil) || native == p.Value.IsZero() {
				t.Errorf("native %v, approval %v, value %s", native, p.Approval, p.Value.Hex())
			}
			if a := p.Approval; a != nil && (a.Spender != p.To || a.Token != r.SrcToken.Address || a.Amount != quote.Amount ||
				(a.Reset != nil) != (r.SrcToken.Symbol == "USDT" && r.SrcToken.Chain == 1)) {
				t.Errorf("approval %+v", a)
			}
			if (quote.Proof != nil) != r.Shields() {
				t.Errorf("proof %v", quote.Proof)
			}
		})
	}
}

// Two quotes for one request are the same to the byte, unless they hide the
// recipient: then they share nothing of it.
func TestDeterminism(t *testing.T) {
	q, c := newQuoter(t)
	for _, r := range c.Routes() {
		a, err1 := q.Quote(context.Background(), request(r))
		b, err2 := q.Quote(context.Background(), request(r))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if same := string(a.Payload.Calldata) == string(b.Payload.Calldata); same == r.Shields() {
			t.Errorf("%s on %d to %d: same bytes: %v", r.SrcToken.Symbol, r.Src.ID, r.Dst.ID, same)
		}
	}
}

func TestSenderAsRecipient(t *testing.T) {
	q, c := newQuoter(t)
	for _, r := range c.Routes() {
		req := request(r)
		req.Recipient = swap.Recipient{Sender: true}
		quote, err := q.Quote(context.Background(), req)
		if r.Private() {
			if swap.CodeOf(err) != swap.ParamMissing {
				t.Errorf("%d to %d pays an unknown sender: %v", r.Src.ID, r.Dst.ID, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == swap.Direct {
			call, err := calldata.ParsePoolCall(quote.Payload.Calldata)
			if err != nil || swap.Address(call.Recipient) != (swap.Address{}) {
				t.Errorf("recipient %x, %v", call.Recipient, err)
			}
		}
	}
}

// No contract of the swap itself may be its recipient.
func TestStrandedRecipients(t *testing.T) {
	q, c := newQuoter(t)
	req := request(c.Routes()[0])
	refuse := func(what string, a swap.Address) {
		req.Recipient = swap.Recipient{Address: a}
		if err := q.Check(req); swap.CodeOf(err) != swap.RecipientContract {
			t.Errorf("%s %s: %v", what, a, err)
		}
	}
	for _, r := range c.Routers() {
		refuse("router", r.Address)
	}
	for _, tok := range c.Tokens() {
		refuse("token", tok.Address)
	}
	for _, r := range c.Routes() {
		if r.Burn != nil {
			refuse("receiver", r.Burn.Receiver)
		}
		if registry, ok := c.Registry(r.FeeChain); ok {
			refuse("registry", registry)
		}
	}
}

// Requests in parallel never see each other's recipients.
func TestIsolation(t *testing.T) {
	q, c := newQuoter(t)
	routes := c.Routes()
	var wg sync.WaitGroup
	for client := range 64 {
		wg.Go(func() {
			for i := range 50 {
				r := routes[(client+i)%len(routes)]
				if r.Shields() {
					continue
				}
				req := request(r)
				req.Recipient.Address = swap.Address{byte(client + 1), byte(i + 1), 0xcc}
				quote, err := q.Quote(context.Background(), req)
				if err != nil {
					t.Error(err)
					return
				}
				if !strings.Contains(string(quote.Payload.Calldata), string(req.Recipient.Address[:])) {
					t.Errorf("client %d was given somebody else's calldata", client)
				}
			}
		})
	}
	wg.Wait()
}

// The issuer's fee is borne out of the protocol's: a burn that would cost more
// is refused, and only that one.
func TestIssuerFeeIsBorneOnlySoFar(t *testing.T) {
	_, c := newQuoter(t)
	for rate, want := range map[string]swap.Code{"14": "", "25": "", "25.1": swap.IssuerFeeUnavailable, "100": swap.IssuerFeeUnavailable} {
		bps, err := swap.ParseIssuerRate(rate)
		if err != nil {
			t.Fatal(err)
		}
		q, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: fixedRate(bps)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = q.Quote(context.Background(), request(find(c, 10, "USDC")))
		if got := swap.CodeOf(err); (err == nil) != (want == "") || err != nil && got != want {
			t.Errorf("at %s bps: %v, want %q", rate, err, want)
		}
		if _, err := q.Quote(context.Background(), request(find(c, 1, "USDC"))); err != nil {
			t.Errorf("at %s bps a swap that burns nothing: %v", rate, err)
		}
	}
}

type fixedRate swap.IssuerRate

func (r fixedRate) IssuerRate(*swap.Burn) (swap.IssuerRate, error) { return swap.IssuerRate(r), nil }

// The gate refuses every quote that does not say what was asked.
func TestGate(t *testing.T) {
	q, c := newQuoter(t)
	for _, r := range []*swap.Route{find(c, 1, "USDC"), find(c, 1, "ETH"), find(c, 10, "USDC")} {
		good, err := q.Quote(context.Background(), request(r))
		if err != nil {
			t.Fatal(err)
		}
		deposit := &calldata.Deposit{Route: r, Amount: good.Amount, Recipient: alice[:]}
		if r.Burn != nil {
			call, err := calldata.ParseBurnCall(good.Payload.Calldata)
			if err != nil {
				t.Fatal(err)
			}
			deposit.MaxFee = call.MaxFee
		}
		if err := quoter.Gate(good, deposit); err != nil {
			t.Fatalf("%s: the quote itself: %v", r.SrcToken.Symbol, err)
		}
		for i := range good.Payload.Calldata {
			bad := *good
			bad.Payload.Calldata = []byte(string(good.Payload.Calldata))
			bad.Payload.Calldata[i] ^= 1
			if quoter.Gate(&bad, deposit) == nil {
				t.Errorf("%s: byte %d may change", r.SrcToken.Symbol, i)
			}
		}
		for name, spoil := range map[string]func(*swap.Payload){
			"target": func(p *swap.Payload) { p.To[0] ^= 1 },
			"value":  func(p *swap.Payload) { p.Value.AddUint64(&p.Value, 1) },
			"spender": func(p *swap.Payload) {
				p.Approval = &swap.Approval{Token: r.SrcToken.Address, Spender: alice, Amount: good.Amount}
			},
			"amount": func(p *swap.Payload) {
				p.Approval = &swap.Approval{Token: r.SrcToken.Address, Spender: p.To, Amount: *uint256.NewInt(1)}
			},
			"token": func(p *swap.Payload) { p.Approval = &swap.Approval{Token: alice, Spender: p.To, Amount: good.Amount} },
		} {
			bad := *good
			spoil(&bad.Payload)
			if quoter.Gate(&bad, deposit) == nil {
				t.Errorf("%s: the %s may change", r.SrcToken.Symbol, name)
			}
		}
	}
}

func find(c *catalog.Catalog, src swap.PlaceID, symbol string) *swap.Route {
	for _, r := range c.Routes() {
		if r.Src.ID == src && r.SrcToken.Symbol == symbol && r.Dst.ID == 369 {
			return r
		}
	}
	return nil
}
