package client_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"hubquote/client"
	"hubquote/internal/wire"
)

// No answer is accepted but the honest one.
func FuzzVerify(f *testing.F) {
	pins := embeddedPins(f)
	r := request(f, outbound)
	q, err := newQuoter(f).Quote(f.Context(), r)
	if err != nil {
		f.Fatal(err)
	}
	answer, err := json.Marshal(wire.NewV3(q, wire.Includes{}))
	if err != nil {
		f.Fatal(err)
	}
	var honest any
	decode(answer, &honest)
	f.Add(answer)
	for _, seed := range []string{"", "{", "[]", "null", `{"to":"\u0030x"}`, `{"a":1,"a":1}`, `{"fee":{"integrator":{"id":"0x","percentage":1e9}}}`, `{"methodParameters":{"calldata":"0x095ff22d"}}`, `{"methodParameters":{"calldata":"0xaddb3d3d"}}`, `{"proof":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		if _, err := client.Verify(r, answer, pins); err != nil {
			return
		}
		var got any
		decode(answer, &got)
		if !reflect.DeepEqual(got, honest) {
			t.Errorf("Verify accepts %s, want only the honest answer", answer)
		}
	})
}

// Pins that are read are written in one way, which reads as the same.
func FuzzParsePins(f *testing.F) {
	text := embeddedPins(f).Text()
	f.Add(text)
	var small bytes.Buffer
	if err := json.Compact(&small, text); err != nil {
		f.Fatal(err)
	}
	f.Add(small.Bytes())
	f.Add([]byte(`{"format":"hubquote-pins/1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := client.ParsePins(text)
		if err != nil {
			return
		}
		again, err := client.ParsePins(p.Text())
		if err != nil || !bytes.Equal(again.Text(), p.Text()) {
			t.Errorf("%s\nis written as\n%s\nand that as\n%s (%v), want the last two equal", text, p.Text(), again.Text(), err)
		}
	})
}

// A request that was parsed is the one that its own query parses to.
func FuzzParseRequest(f *testing.F) {
	for _, query := range []string{outbound, burn, shields, "", "?", "%", outbound + "&integratorId=" + partner.Wallet.String(), outbound + "&refundTo=" + refundTo, burn + "&refundTo=0x", outbound + "&refundTo=&refundTo="} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r, err := client.ParseRequest(query)
		if err != nil {
			return
		}
		again, err := client.ParseRequest(client.QueryOf(r).Encode())
		if err != nil || again != r {
			t.Errorf("ParseRequest(%q) = %v, and that of its query = %v (%v), want the same", query, r, again, err)
		}
	})
}
