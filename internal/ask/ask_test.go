package ask_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"testing"

	"hubquote/client"
	"hubquote/internal/ask"
	"hubquote/internal/flags"
	"hubquote/internal/service"
	"hubquote/swap"
	"hubquote/test/reference"
	"hubquote/test/servicetest"
)

// good is a request as flags and as parameters.
var good = []struct{ flag, value string }{
	{"from", "USDC@369"}, {"to", "USDC@8453"}, {"units", "25500000"}, {"recipient", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"},
}

const goodQuery = "srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=25500000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// A value that a flag refuses has the code of the API for the same value.
func TestRefusalHasTheCodeOfTheAPI(t *testing.T) {
	const misspelt = "0x70997970c51812dc3A010C7d01b50e0d17dc79C8"
	tests := []struct {
		name, flag, value string
		params            url.Values
		want              swap.Code
	}{
		{"a token that is no token", "from", "US-DC@369", url.Values{"srcToken": {"US-DC"}}, swap.TokenInvalid},
		{"a token with a bad checksum", "from", misspelt + "@369", url.Values{"srcToken": {misspelt}}, swap.AddressChecksum},
		{"a token that is not served", "to", "WBTC@8453", url.Values{"dstToken": {"WBTC"}}, swap.TokenUnsupported},
		{"a chain that is no number", "to", "USDC@x", url.Values{"dstChain": {"x"}}, swap.ChainInvalid},
		{"a chain that is not served", "from", "USDC@99999", url.Values{"srcChain": {"99999"}}, swap.ChainUnsupported},
		{"a token without a chain", "from", "USDC", url.Values{"srcChain": {""}}, swap.ParamMissing},
		{"no token", "to", "", url.Values{"dstToken": {""}}, swap.ParamMissing},
		{"an amount of zero", "units", "0", url.Values{"amount": {"0"}}, swap.AmountInvalid},
		{"an amount with a leading zero", "units", "025500000", url.Values{"amount": {"025500000"}}, swap.AmountInvalid},
		{"no recipient", "recipient", "", url.Values{"recipient": {""}}, swap.ParamMissing},
		{"a recipient that is no address", "recipient", "0x12", url.Values{"recipient": {"0x12"}}, swap.RecipientInvalid},
		{"a recipient with a bad checksum", "recipient", misspelt, url.Values{"recipient": {misspelt}}, swap.AddressChecksum},
		{"a short private recipient", "recipient", "0zk1qq", url.Values{"recipient": {"0zk1qq"}}, swap.ZKLength},
		{"a refund to no address", "refund-to", "0x12", url.Values{"refundTo": {"0x12"}}, swap.RefundToInvalid},
		{"a refund with a bad checksum", "refund-to", misspelt, url.Values{"refundTo": {misspelt}}, swap.AddressChecksum},
		{"an integrator that is no wallet", "integrator", "0x12", url.Values{"integratorId": {"0x12"}}, swap.IntegratorInvalid},
		{"an integrator with a bad checksum", "integrator", misspelt, url.Values{"integratorId": {misspelt}}, swap.AddressChecksum},
	}
	pins, err := client.EmbeddedPins()
	if err != nil {
		t.Fatal(err)
	}
	api := newAPI(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := request(t, tt.flag, tt.value).Request(pins)
			e, ok := err.(*swap.Error)
			if !ok || e.Code != tt.want || e.Param != "--"+tt.flag {
				t.Errorf("--%s %s: error = %v, want --%s and %s", tt.flag, tt.value, err, tt.flag, tt.want)
			}
			if got := api(tt.params); got != tt.want {
				t.Errorf("API code for %v = %s, want %s", tt.params, got, tt.want)
			}
		})
	}
}

// request sets the flags of a good request, except for one.
func request(t *testing.T, flag, value string) *ask.Flags {
	t.Helper()
	var a ask.Flags
	f := flags.New(flags.Options{Program: "hubquote", Command: "quote"})
	a.Define(f)
	args := []string{"--" + flag, value}
	for _, g := range good {
		if g.flag != flag {
			args = append(args, "--"+g.flag, g.value)
		}
	}
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return &a
}

// newAPI returns a function that asks the service with some parameters of the good
// request replaced, and returns the code of the refusal.
func newAPI(t *testing.T) func(url.Values) swap.Code {
	t.Helper()
	cat := reference.Catalog(t)
	s, err := service.New(service.Options{Catalog: cat, Limit: servicetest.Generous})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return func(params url.Values) swap.Code {
		q, _ := url.ParseQuery(goodQuery)
		for name, value := range params {
			q[name] = value
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/v3/swap/quote?"+q.Encode(), nil))
		var problem struct{ Code swap.Code }
		if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil {
			t.Fatal(err)
		}
		return problem.Code
	}
}
