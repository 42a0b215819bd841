package judge_test

import (
	"errors"
	"net/http"
	"testing"

	"hubquote/client"
	"hubquote/internal/judge"
	"hubquote/internal/pinfile"
	"hubquote/internal/pinned"
	"hubquote/swap"
	"hubquote/test/mutations"
	"hubquote/test/zk"
)

// The judge gives the verdict of every row of the table that is about an answer
// with status 200; others do not come here.
func TestVerdicts(t *testing.T) {
	cases, err := mutations.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		r, err := client.ParseRequest(c.Query)
		if c.Status != http.StatusOK || err != nil {
			continue
		}
		t.Run(c.Group+"/"+c.Name, func(t *testing.T) {
			v, code, field := verdict(t, r, &c)
			if v != c.Verdict || code != c.Code || field != c.Field {
				t.Errorf("got %s %s %s, want %s %s %s", v, code, field, c.Verdict, c.Code, c.Field)
			}
		})
	}
}

func verdict(t *testing.T, r swap.Request, c *mutations.Case) (v mutations.Verdict, code, field string) {
	t.Helper()
	plan, err := judge.New(r, pinsOf(t, c.Pins))
	if e, ok := errors.AsType[*swap.Error](err); ok {
		return mutations.Refused, string(e.Code), e.Param
	}
	quote, err := plan.Quote(c.Body)
	if f, ok := errors.AsType[*judge.Finding](err); ok && quote == nil {
		return mutations.Refused, f.Code, f.Field
	}
	if err != nil || quote == nil {
		t.Fatalf("Quote = %v, %v; want a quote or a finding", quote, err)
	}
	for _, f := range plan.Unproven() {
		return mutations.Unproven, f.Code, f.Field
	}
	return mutations.Proved, "", ""
}

func pinsOf(t *testing.T, text []byte) *pinned.Pins {
	t.Helper()
	f, err := pinfile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pinned.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A proof is asked for where one is needed, and only there.
func TestAskForProof(t *testing.T) {
	const (
		public  = "srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=25500000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
		private = "srcChain=1&srcToken=USDT&dstChain=69696969&dstToken=USDC&amount=25500000&recipient=" + zk.Alice
	)
	pins, err := client.EmbeddedPins()
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{public: false, private: true} {
		r, err := client.ParseRequest(query)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := judge.New(r, pinsOf(t, pins.Text()))
		if err != nil {
			t.Fatal(err)
		}
		plan.AskForProof()
		if got := plan.Request().Include.Proof; got != want {
			t.Errorf("%s asks for a proof: %t, want %t", query, got, want)
		}
	}
}

// A request without a recipient is refused; the first version of the API has
// such requests.
func TestNewWantsARecipient(t *testing.T) {
	pins, err := client.EmbeddedPins()
	if err != nil {
		t.Fatal(err)
	}
	for _, recipient := range []swap.Recipient{swap.Sender(), {}} {
		usdc := swap.TokenName{Symbol: "USDC"}
		r := swap.Request{SrcChain: 369, SrcToken: usdc, DstChain: 8453, DstToken: usdc, Recipient: recipient}
		r.Amount.SetUint64(25_500_000)
		if _, err := judge.New(r, pinsOf(t, pins.Text())); swap.CodeOf(err) != swap.ParamMissing {
			t.Errorf("New with %+v: %v, want %s", recipient, err, swap.ParamMissing)
		}
	}
}
