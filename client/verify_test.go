package client_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/client"
	"hubquote/internal/wire"
)

// Verify returns the quote of the answer, to the last byte.
func TestVerifyAcceptsTheCorpus(t *testing.T) {
	pins := partnerPins(t)
	for _, e := range exchanges(t) {
		t.Run(e.name, func(t *testing.T) {
			q, err := client.Verify(e.request, e.answer, pins)
			if err != nil {
				t.Fatal(err)
			}
			var v wire.V3
			if err := json.Unmarshal(e.answer, &v); err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(wire.NewV3(q, wire.Includes{Decoded: v.Decoded != nil, Calls: v.Calls != nil, Proof: v.Proof != nil}))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(indent(t, e.answer), indent(t, got)); diff != "" {
				t.Errorf("quote (-answered +returned):\n%s", diff)
			}
		})
	}
}

// A caller that trusts the server with a part of the answer has to say so, by
// the code of each reason.
func TestUnprovenQuotesAreAcceptedByCode(t *testing.T) {
	r := request(t, strings.Replace(shields, "69696969", "69696969&integratorId="+partner.Wallet.String(), 1))
	answer := plot(t, r, func(s *scheme) { s.includes.Proof = false })
	note, rate := client.NoteUnproven, client.IntegratorRateUnpinned
	tests := []struct {
		name   string
		pins   *client.Pins
		accept []client.Code
		want   []client.Code
	}{
		{"both reasons", embeddedPins(t), nil, []client.Code{note, rate}},
		{"a rate that is pinned is no reason", partnerPins(t), nil, []client.Code{note}},
		{"one reason accepted leaves the other", embeddedPins(t), []client.Code{note}, []client.Code{rate}},
		{"the other way round", embeddedPins(t), []client.Code{rate}, []client.Code{note}},
		{"a code that is no reason accepts nothing", embeddedPins(t), []client.Code{client.NoteDiffers}, []client.Code{note, rate}},
		{"both accepted", embeddedPins(t), []client.Code{rate, note}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, err := client.Verify(r, answer, tt.pins, client.Accept(tt.accept...))
			var got []client.Code
			if u, ok := errors.AsType[*client.Unproven](err); ok {
				for _, r := range u.Reasons {
					got = append(got, r.Code)
				}
			}
			if q == nil || !slices.Equal(got, tt.want) || (err == nil) != (tt.want == nil) {
				t.Errorf("Verify = %v, %v; want a quote and %v", q, err, tt.want)
			}
		})
	}
}

// A server that does not send the proof it was asked for is refused, whatever is
// accepted.
func TestMissingProofIsNotAccepted(t *testing.T) {
	r := request(t, shields+"&include=proof")
	answer := plot(t, r, func(s *scheme) { s.includes.Proof = false })
	q, err := client.Verify(r, answer, embeddedPins(t), client.Accept(client.NoteUnproven))
	if m, ok := errors.AsType[*client.Mismatch](err); q != nil || !ok || m.Code != client.FieldMissing || m.Field != "proof" {
		t.Errorf("Verify = %v, %v; want %s of proof", q, err, client.FieldMissing)
	}
}

// Escapes in a string do not change its value.
func TestEscapesDoNotChangeAValue(t *testing.T) {
	r, pins := request(t, outbound), embeddedPins(t)
	honest := string(plot(t, r, func(*scheme) {}))
	for old, escaped := range map[string]string{`"to":"0x`: `"to":"\u0030x`, `"to":`: `"\u0074o":`, `"destination"`: `"\u0064estination"`} {
		answer := strings.Replace(honest, old, escaped, 1)
		if _, err := client.Verify(r, []byte(answer), pins); err != nil || answer == honest {
			t.Errorf("%s for %s: error = %v, want none", escaped, old, err)
		}
	}
}
