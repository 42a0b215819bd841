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

func TestMismatchError(t *testing.T) {
	tests := []struct {
		name     string
		mismatch client.Mismatch
		want     string
	}{
		{"a field too many", client.Mismatch{Code: client.FieldExtra, Field: "a", Got: "1"}, "a: FIELD_EXTRA: it is 1, and should not be there: do not sign"},
		{"a field too few", client.Mismatch{Code: client.FieldMissing, Field: "a", Want: "1"}, "a: FIELD_MISSING: it is missing, and should be 1: do not sign"},
		{"another value", client.Mismatch{Code: client.FieldDiffers, Field: "a", Want: "1", Got: "2"}, "a: FIELD_DIFFERS: it is 2, and should be 1: do not sign"},
		{"an empty value", client.Mismatch{Code: client.FieldDiffers, Field: "a", Want: "1"}, "a: FIELD_DIFFERS: it is empty, and should be 1: do not sign"},
		{"a key twice", client.Mismatch{Code: client.FieldRepeated, Field: "a.b"}, "a.b: FIELD_REPEATED: it is there twice: do not sign"},
		{"another status", client.Mismatch{Code: client.AnswerStatus, Want: "200", Got: "206"}, "ANSWER_STATUS: the server answers with status 206, and a quote has status 200: do not sign"},
		{"no JSON", client.Mismatch{Code: client.AnswerNotJSON, Got: "it is no JSON object"}, "ANSWER_NOT_JSON: the answer is no quote: it is no JSON object: do not sign"},
		{"a value that moves the cursor", client.Mismatch{Code: client.FieldDiffers, Field: "a", Want: "1", Got: "2\x1b"}, `a: FIELD_DIFFERS: it is 2\x1b, and should be 1: do not sign`},
		{"a key that moves the cursor", client.Mismatch{Code: client.FieldExtra, Field: "\x1b[2J", Got: "1"}, `\x1b[2J: FIELD_EXTRA: it is 1, and should not be there: do not sign`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.mismatch.Error(); got != tt.want {
				t.Errorf("Error() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain text", "USDC – 25 €", "USDC – 25 €"},
		{"nothing", "", ""},
		{"an escape sequence", "\x1b[31mred", `\x1b[31mred`},
		{"a line feed and a carriage return", "a\n\rb", `a\n\rb`},
		{"a character that turns the direction of text", "a\u202eb", `a\u202eb`},
		{"a character of no width", "a\u200bb", `a\u200bb`},
		{"a C1 control character", "a\u009bb", `a\u009bb`},
		{"a byte that is no UTF-8", "a\xffb", `a\xffb`},
		{"a quote", "it's", "it's"},
		{"80 characters", strings.Repeat("é", 80), strings.Repeat("é", 80)},
		{"81 characters", strings.Repeat("é", 81), strings.Repeat("é", 80) + "…"},
		{"many control characters", strings.Repeat("\x00", 1000), strings.Repeat(`\x00`, 80) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := client.Printable(tt.text); got != tt.want {
				t.Errorf("Printable(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// A person reads both sides: numbers in decimal, addresses in their one
// spelling, anything else as it is.
func TestMismatchShowsBothSides(t *testing.T) {
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
			r := request(t, tt.query+"&include=calls")
			answer := plot(t, r, func(s *scheme) { s.forge = tt.forge })
			_, err := client.Verify(r, answer, embeddedPins(t))
			m, ok := errors.AsType[*client.Mismatch](err)
			if !ok || m.Field != tt.field || m.Want != tt.want || m.Got != tt.got {
				t.Errorf("Verify: %+v\nwant %s to be %s, not %s", m, tt.field, tt.want, tt.got)
			}
		})
	}
}

// callsOf returns the calls of an honest answer.
func callsOf(t *testing.T, query string) []wire.Call {
	t.Helper()
	var v wire.V3
	if err := json.Unmarshal(plot(t, request(t, query+"&include=calls"), func(*scheme) {}), &v); err != nil {
		t.Fatal(err)
	}
	return v.Calls.Calls
}
