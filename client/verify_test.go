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

func TestAMismatchTells(t *testing.T) {
	tests := []struct {
		name     string
		mismatch client.Mismatch
		says     string
	}{
		{"a field too many", client.Mismatch{Field: "a", Got: "1"}, "a is 1, and should not be there: do not sign"},
		{"a field too few", client.Mismatch{Field: "a", Want: "1"}, "a is missing, and should be 1: do not sign"},
		{"another value", client.Mismatch{Field: "a", Want: "1", Got: "2"}, "a is 2, and should be 1: do not sign"},
		{"what moves a cursor is quoted", client.Mismatch{Field: "a", Want: "1", Got: "2\x1b"}, `a is "2\x1b", and should be 1: do not sign`},
		{"200 bytes are shown", client.Mismatch{Field: "a", Got: strings.Repeat("x", 200)}, strings.Repeat("x", 200) + ", and"},
		{"the rest is not", client.Mismatch{Field: "a", Got: strings.Repeat("x", 201)}, strings.Repeat("x", 200) + "…, and"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.mismatch.Error(); !strings.Contains(got, tt.says) {
				t.Errorf("%q, want %q", got, tt.says)
			}
		})
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
