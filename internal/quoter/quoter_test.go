package quoter_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/calldata"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
	"hubquote/test/reference"
	"hubquote/test/zk"
)

const private = zk.Alice

var alice = swap.MustAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")

func newQuoter(t testing.TB) (*quoter.Quoter, *catalog.Catalog) {
	t.Helper()
	c := reference.Catalog(t)
	q, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	return q, c
}

func request(r *swap.Route) swap.Request {
	to := swap.MustRecipient(alice.String())
	if r.Shields() {
		to = swap.MustRecipient(private)
	}
	return swap.Request{
		SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
		DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
		Amount: r.Limits.Max, Recipient: to,
	}
}

// TestEveryPair checks the rules that hold on every pair.
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
				t.Errorf("native is %t: approval = %v and value = %s, want exactly one of them", native, p.Approval, p.Value.Hex())
			}
			if a := p.Approval; a != nil && (a.Spender != p.To || a.Token != r.SrcToken.Address || a.Amount != quote.Amount ||
				(a.Reset != nil) != (r.SrcToken.Symbol == "USDT" && r.SrcToken.Chain == 1)) {
				t.Errorf("approval = %+v, want the amount for %s, and a reset for USDT on chain 1", a, p.To)
			}
			if (quote.Proof != nil) != r.Shields() {
				t.Errorf("proof = %v, want one only if the route shields, which is %t", quote.Proof, r.Shields())
			}
		})
	}
}

// Two quotes for one request have the same bytes, unless the recipient is
// encrypted. Then their encrypted bytes differ.
func TestDeterminism(t *testing.T) {
	q, c := newQuoter(t)
	for _, r := range c.Routes() {
		a, err1 := q.Quote(context.Background(), request(r))
		b, err2 := q.Quote(context.Background(), request(r))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if same := string(a.Payload.Calldata) == string(b.Payload.Calldata); same == r.Shields() {
			t.Errorf("%s to %s: same bytes = %t, want %t", r.From(), r.To(), same, !r.Shields())
		}
	}
}

func TestSenderAsRecipient(t *testing.T) {
	q, c := newQuoter(t)
	for _, r := range c.Routes() {
		req := request(r)
		req.Recipient = swap.Sender()
		quote, err := q.Quote(context.Background(), req)
		if r.Private() {
			if swap.CodeOf(err) != swap.ParamMissing {
				t.Errorf("%s to %s for the sender: error = %v, want %s", r.From(), r.To(), err, swap.ParamMissing)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == swap.Direct {
			call, err := calldata.ParsePoolCall(quote.Payload.Calldata)
			if want := calldata.ToAddress(swap.Address{}); err != nil || !call.Recipient.Equal(want) {
				t.Errorf("recipient = %x, %v, want %x", call.Recipient, err, want)
			}
		}
	}
}

// No contract of the swap itself may be its recipient.
func TestStrandedRecipients(t *testing.T) {
	q, c := newQuoter(t)
	req := request(c.Routes()[0])
	refuse := func(name string, a swap.Address) {
		req.Recipient = swap.MustRecipient(a.String())
		if err := q.Check(swap.Draft(req)); swap.CodeOf(err) != swap.RecipientContract {
			t.Errorf("%s %s: error = %v, want %s", name, a, err, swap.RecipientContract)
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

// No contract of the swap itself may get a refund, whatever else is known of the
// request.
func TestStrandedRefunds(t *testing.T) {
	q, c := newQuoter(t)
	req := request(c.Routes()[0])
	refuse := func(what string, d swap.Draft) {
		if err := q.Check(d); swap.CodeOf(err) != swap.RefundToContract {
			t.Errorf("%s %s: error = %v, want %s", what, d.RefundTo, err, swap.RefundToContract)
		}
	}
	for _, r := range c.Routers() {
		req.RefundTo = r.Address
		refuse("router", swap.Draft(req))
	}
	for _, tok := range c.Tokens() {
		req.RefundTo = tok.Address
		refuse("token", swap.Draft(req))
		refuse("token alone", swap.Draft{RefundTo: tok.Address})
	}
}

// On every route through a pool the account for refunds is the last word before
// the recipient, and nothing else about the quote changes; a burn refuses it.
func TestRefundTo(t *testing.T) {
	q, c := newQuoter(t)
	account := swap.MustAddress("0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65")
	for _, r := range c.Routes() {
		req := request(r)
		plain, err := q.Quote(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		req.RefundTo = account
		named, err := q.Quote(context.Background(), req)
		if r.Kind == swap.CCTPInbound {
			if swap.CodeOf(err) != swap.RefundUnsupported {
				t.Errorf("%s to %s: error = %v, want %s", r.From(), r.To(), err, swap.RefundUnsupported)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		call, before := named.Payload.Call.(*calldata.PoolCall), plain.Payload.Call.(*calldata.PoolCall)
		if call.RefundTo != account || !before.RefundTo.IsZero() || len(named.Payload.Calldata) != len(plain.Payload.Calldata)+32 {
			t.Errorf("%s to %s: refunds to %s in %d bytes, want %s in a word more than %d", r.From(), r.To(),
				call.RefundTo, len(named.Payload.Calldata), account, len(plain.Payload.Calldata))
		}
		named.Payload.Calldata, named.Payload.Call, named.Proof = plain.Payload.Calldata, plain.Payload.Call, plain.Proof
		if diff := cmp.Diff(plain, named); diff != "" {
			t.Errorf("%s to %s: other parts of the quote (-without +with):\n%s", r.From(), r.To(), diff)
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
				to := swap.Address{byte(client + 1), byte(i + 1), 0xcc}
				req.Recipient = swap.MustRecipient(to.String())
				quote, err := q.Quote(context.Background(), req)
				if err != nil {
					t.Error(err)
					return
				}
				if !strings.Contains(string(quote.Payload.Calldata), string(to[:])) {
					t.Errorf("client %d got %x, want calldata with its own recipient %s", client, quote.Payload.Calldata, to)
				}
			}
		})
	}
	wg.Wait()
}

// The issuer's fee is paid out of the protocol's fee. A burn with a higher issuer's
// fee is refused, and swaps without a burn are still quoted.
func TestIssuerFeeAboveTheProtocolsIsRefused(t *testing.T) {
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
			t.Errorf("error at %s bps = %v, want %q", rate, err, want)
		}
		if _, err := q.Quote(context.Background(), request(find(c, 1, "USDC"))); err != nil {
			t.Errorf("error of a swap without a burn at %s bps = %v, want nil", rate, err)
		}
	}
}

type fixedRate swap.IssuerRate

func (r fixedRate) IssuerRate(*swap.Burn) (swap.IssuerRate, error) { return swap.IssuerRate(r), nil }

// minFees are the least fees of messengers, by chain.
type minFees map[swap.ChainID]swap.IssuerRate

func (m minFees) MinFee(source swap.ChainID) swap.IssuerRate { return m[source] }

// A burn offers the issuer's estimate with its margin, or what its messenger
// demands if that is more, up to the protocol's own fee.
func TestBurnOffersWhatItsMessengerDemands(t *testing.T) {
	_, cat := newQuoter(t)
	const bps = 1_000_000_000
	tests := []struct {
		name   string
		fast   fixedRate
		least  swap.IssuerRate
		maxFee uint64
		code   swap.Code
	}{
		{"no demand", 10 * bps, 0, 12_000, ""},
		{"a demand below the offer", 10 * bps, 12 * bps, 12_000, ""},
		{"a demand above the offer", 10 * bps, 12*bps + 1_000_000, 12_001, ""},
		{"a demand although the fast tier is free", 0, 2 * bps, 2_000, ""},
		{"the smallest demand", 0, 1_000_000, 1, ""},
		{"as much as the service bears", 0, 30 * bps, 30_000, ""},
		{"more than the service bears", 0, 30*bps + 1_000_000, 0, swap.IssuerFeeUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, err := quoter.New(quoter.Options{Catalog: cat, IssuerFees: tt.fast, MinFees: minFees{10: tt.least, 137: 90 * bps}})
			if err != nil {
				t.Fatal(err)
			}
			r := request(find(cat, 10, "USDC"))
			r.Amount.SetUint64(10_000_000)
			quote, err := q.Quote(t.Context(), r)
			if err != nil {
				if got := swap.CodeOf(err); got != tt.code {
					t.Errorf("Quote = %v, want %q", err, tt.code)
				}
				return
			}
			burn, ok := quote.Payload.Call.(*calldata.HookedBurn)
			if !ok || burn.MaxFee.Uint64() != tt.maxFee || tt.code != "" {
				t.Errorf("call = %+v, want maxFee %d and code %q", quote.Payload.Call, tt.maxFee, tt.code)
			}
		})
	}
}

// The call of a quote is its calldata, read back.
func TestQuoteCarriesItsCall(t *testing.T) {
	q, c := newQuoter(t)
	for _, r := range c.Routes() {
		quote, err := q.Quote(context.Background(), request(r))
		if err != nil {
			t.Fatal(err)
		}
		if got := quote.Payload.Call.Bytes(); string(got) != string(quote.Payload.Calldata) {
			t.Errorf("%s to %s: call = %x, want %x", r.From(), r.To(), got, quote.Payload.Calldata)
		}
	}
}

// A request with a field that is not set is an error of the program. A draft may
// have such fields.
func TestIncompleteRequests(t *testing.T) {
	q, c := newQuoter(t)
	for name, clear := range map[string]func(*swap.Request){
		"source chain": func(r *swap.Request) { r.SrcChain = 0 },
		"source token": func(r *swap.Request) { r.SrcToken = swap.TokenName{} },
		"chain":        func(r *swap.Request) { r.DstChain = 0 },
		"token":        func(r *swap.Request) { r.DstToken = swap.TokenName{} },
		"amount":       func(r *swap.Request) { r.Amount = swap.Amount{} },
		"recipient":    func(r *swap.Request) { r.Recipient = swap.Recipient{} },
	} {
		r := request(find(c, 1, "USDC"))
		clear(&r)
		if quote, err := q.Quote(context.Background(), r); err == nil || swap.CodeOf(err) != swap.Internal {
			t.Errorf("Quote without %s = %v, %v, want an internal error", name, quote, err)
		}
		if err := q.Check(swap.Draft(r)); err != nil {
			t.Errorf("Check without %s = %v, want nil", name, err)
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
