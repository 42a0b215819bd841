package client_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/internal/wire"
)

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

// A person reads both sides: numbers in decimal, addresses in their one
// spelling, anything else as it is.
func TestAMismatchShowsBothSides(t *testing.T) {
	const usdc, hubUSDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07"
	_, _, _, approval := honest(t, outbound)
	thief := hex.EncodeToString(mallory[:])
	call := func(at int, digits string) func(*wire.V3) {
		return func(q *wire.V3) {
			i, old := 2+2*at, q.MethodParameters.Calldata
			q.MethodParameters.Calldata = old[:i] + digits + old[i+len(digits):]
		}
	}
	tests := []struct {
		name, query      string
		forge            func(*wire.V3)
		field, want, got string
	}{
		{"text", outbound, func(q *wire.V3) { q.SrcToken.Symbol = "USDT" }, "srcToken.symbol", "USDC", "USDT"},
		{"a number", outbound, call(67, "61"), "methodParameters.calldata.amount", "25500000", "25500001"},
		{"an address", outbound, call(144, thief), "methodParameters.calldata.dstToken", usdc, mallory.String()},
		{"a word that is no address", outbound, call(132, "01"), "methodParameters.calldata.dstToken", usdc, "0x01" + strings.Repeat("0", 22) + strings.ToLower(usdc[2:])},
		{"a recipient", outbound, call(228, thief), "methodParameters.calldata.recipient", alice, mallory.String()},
		{"padding", outbound, call(259, "01"), "methodParameters.calldata.recipient", "0x" + strings.Repeat("0", 24), "0x" + strings.Repeat("0", 23) + "1"},
		{"an address in a hook", burn, call(324, thief), "methodParameters.calldata.hookData.dstToken", hubUSDC, mallory.String()},
		{"a number in a hook", burn, call(376, "02"), "methodParameters.calldata.hookData.recipientType", "0", "2"},
		{"a call that is cut off", outbound, func(q *wire.V3) { q.MethodParameters.Calldata = q.MethodParameters.Calldata[:2+2*240] },
			"methodParameters.calldata.recipient", alice, "cut off"},
		{"an object that is missing", outbound, func(q *wire.V3) { q.Approval = nil }, "approval", jsonOf(approval), ""},
		{"a list that is none", outbound, func(q *wire.V3) { q.Calls.Calls = nil }, "calls.calls", jsonOf(callsOf(t, outbound)), "null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := request(t, tt.query)
			answer := plot(t, r, func(s *scheme) { s.includes.Calls, s.forge = tt.query == outbound, tt.forge })
			_, err := client.Verify(r, answer, embeddedPins(t))
			m, ok := errors.AsType[*client.Mismatch](err)
			if !ok || *m != (client.Mismatch{Field: tt.field, Want: tt.want, Got: tt.got}) {
				t.Errorf("Verify: %+v\nwant %s to be %s, not %s", m, tt.field, tt.want, tt.got)
			}
		})
	}
}

// callsOf returns the calls of an honest answer.
func callsOf(t *testing.T, query string) []wire.Call {
	t.Helper()
	var v wire.V3
	if err := json.Unmarshal(plot(t, request(t, query), func(s *scheme) { s.includes.Calls = true }), &v); err != nil {
		t.Fatal(err)
	}
	return v.Calls.Calls
}
