package client_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/client"
	"hubquote/internal/wire"
)

// What Verify returns is what the server answered, to the last byte.
func TestVerifyAcceptsTheCorpus(t *testing.T) {
	pins := embeddedPins(t)
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

// A caller that trusts the server with an encrypted recipient has to say so.
func TestAShieldedAnswerWithoutProofIsUnproven(t *testing.T) {
	pins := embeddedPins(t)
	for _, e := range exchanges(t) {
		var v wire.V3
		if err := json.Unmarshal(e.answer, &v); err != nil {
			t.Fatal(err)
		}
		if v.Proof == nil {
			continue
		}
		v.Proof = nil
		answer, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		q, err := client.Verify(e.request, answer, pins)
		if !errors.Is(err, client.ErrUnproven) || q == nil {
			t.Errorf("%s without its proof: %v, %v; want a quote and ErrUnproven", e.name, q, err)
		}
	}
}

// Nesting is limited where no honest answer goes.
func TestDepth(t *testing.T) {
	r, pins := request(t, outbound), embeddedPins(t)
	for depth, says := range map[int]string{17: "do not sign", 18: "nested deeper"} {
		answer := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if _, err := client.Verify(r, []byte(answer), pins); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%d levels: %v, want an error that says %q", depth, err, says)
		}
	}
}

// How a string is spelt in JSON is not what it says.
func TestAnEscapeIsNoDifference(t *testing.T) {
	r, pins := request(t, outbound), embeddedPins(t)
	honest := string(plot(t, r, func(*scheme) {}))
	for old, escaped := range map[string]string{`"to":"0x`: `"to":"\u0030x`, `"to":`: `"\u0074o":`, `"destination"`: `"\u0064estination"`} {
		answer := strings.Replace(honest, old, escaped, 1)
		if _, err := client.Verify(r, []byte(answer), pins); err != nil || answer == honest {
			t.Errorf("%s for %s: %v", escaped, old, err)
		}
	}
}
