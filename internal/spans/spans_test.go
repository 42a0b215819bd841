package spans_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"hubquote/internal/calldata"
	"hubquote/internal/spans"
	"hubquote/internal/wire/decoded"
	"hubquote/swap"
)

const (
	approveCall = "095ea7b300000000000000000000000028b5a0e9c621a5badaa536219b3a228c8168cf5d000000000000000000000000000000000000000000000000000000000367a280"
	poolCall    = "095ff22d000000000000000000000000000000000000000000000000000000000000017100000000000000000000000000000000000000000000000062db9a3539ecf34e00000000000000000000000000000000000000000000000000000000000000c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002dcdd04e3f455d838cd1249292c58f3b79e3c3c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001470997970c51812dc3a010c7d01b50e0d17dc79c8000000000000000000000000"
	poolForCall = "addb3d3d000000000000000000000000000000000000000000000000000000000000017100000000000000000000000000000000000000000000000062db9a3539ecf34e00000000000000000000000000000000000000000000000000000000000000e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002dcdd04e3f455d838cd1249292c58f3b79e3c3c000000000000000000000000000000000000000000000000000000000000000000000000000000000000000015d34aaf54267db7d7c367839aaf71a00a2c6a65000000000000000000000000000000000000000000000000000000000000001470997970c51812dc3a010c7d01b50e0d17dc79c8000000000000000000000000"
	burnCall    = "779b432d000000000000000000000000000000000000000000000000000000000367a2800000000000000000000000000000000000000000000000000000000000000006000000000000000000000000d30e9fac438dbb6755e17c92ee9898122e94027e0000000000000000000000000b2c639c533813f4aa9d7837caf62653d097ff85000000000000000000000000d30e9fac438dbb6755e17c92ee9898122e94027e00000000000000000000000000000000000000000000000000000000000022d100000000000000000000000000000000000000000000000000000000000003e800000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000000069000000000000000000000000000000000000000000000000000000000000017115d38573d2feeb82e7ad5187ab8c1d52810b1f0700000000000000000000000000000000000000000000000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c80000000000000000000000000000000000000000000000"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every byte of a call belongs to one span, and the spans are named like the
// arguments.
func TestSpansCoverTheCall(t *testing.T) {
	tests := []struct {
		call  string
		names []string
	}{
		{approveCall, []string{"function", "spender", "amount"}},
		{poolCall, []string{"function", "dstChain", "amount", "recipient", "recipientType", "dstToken", "integratorId", "recipient", "recipient", "recipient"}},
		{poolForCall, []string{"function", "dstChain", "amount", "recipient", "recipientType", "dstToken", "integratorId", "refundTo", "recipient", "recipient", "recipient"}},
		{burnCall, []string{"function", "amount", "destinationDomain", "mintRecipient", "burnToken", "destinationCaller", "maxFee", "minFinalityThreshold",
			"hookData", "hookData", "hookData.dstChain", "hookData.dstToken", "hookData.integratorId", "hookData.recipientType", "hookData.recipient", "hookData"}},
	}
	for _, tt := range tests {
		call, at := unhex(t, tt.call), 0
		var names []string
		for _, s := range spans.Of(call) {
			if s.Start != at {
				t.Errorf("%s starts at %d, want %d", s.Name, s.Start, at)
			}
			at, names = s.End, append(names, s.Name)
		}
		if at != len(call) || !slices.Equal(names, tt.names) {
			t.Errorf("spans %v up to byte %d, want %v up to %d", names, at, tt.names, len(call))
		}
	}
}

// The first argument that differs is named, and both sides are shown: numbers in
// decimal, addresses in EIP-55, the rest in hexadecimal.
func TestDifference(t *testing.T) {
	with := func(call string, at int, digits string) string { return call[:2*at] + digits + call[2*at+len(digits):] }
	tests := []struct{ name, want, got, argument, wantText, gotText string }{
		{"a number", poolCall, with(poolCall, 67, "4f"), "amount", "7123456789012345678", "7123456789012345679"},
		{"an address", approveCall, with(approveCall, 16, "01"), "spender", "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d", eip55(t, "0x01b5a0e9c621a5badaa536219b3a228c8168cf5d")},
		{"a word that is no address", approveCall, with(approveCall, 4, "01"), "spender", "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d", "0x01000000000000000000000028b5a0e9c621a5badaa536219b3a228c8168cf5d"},
		{"the function", poolCall, with(poolCall, 3, "00"), "function", "0x095ff22d", "0x095ff200"},
		{"the function with refunds for that without", poolCall, poolForCall, "function", "0x095ff22d", "0xaddb3d3d"},
		{"the function without refunds for that with", poolForCall, poolCall, "function", "0xaddb3d3d", "0x095ff22d"},
		{"an account for refunds", poolForCall, with(poolForCall, 227, "66"), "refundTo", "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65", eip55(t, "0x15d34aaf54267db7d7c367839aaf71a00a2c6a66")},
		{"an account for refunds with more than an address", poolForCall, with(poolForCall, 196, "01"), "refundTo", "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65", "0x01000000000000000000000015d34aaf54267db7d7c367839aaf71a00a2c6a65"},
		{"the last byte of a word", poolCall, with(poolCall, 35, "00"), "dstChain", "369", "256"},
		{"the first byte of the next", poolCall, with(poolCall, 36, "01"), "amount", "7123456789012345678", "452312848583266388373324160190187140051835877600158453286254644319923008334"},
		{"a hook's type", burnCall, with(burnCall, 376, "02"), "hookData.recipientType", "0", "2"},
		{"a hook's recipient", burnCall, with(burnCall, 377, "71"), "hookData.recipient", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", eip55(t, "0x71997970c51812dc3a010c7d01b50e0d17dc79c8")},
		{"a hook's padding", burnCall, with(burnCall, 397, "01"), "hookData", "0x" + strings.Repeat("0", 46), "0x01" + strings.Repeat("0", 44)},
		{"a call that is cut off", poolCall, poolCall[:2*240], "recipient", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "cut off"},
		{"a byte behind the call", poolCall, poolCall + "00", "", "", ""},
		{"the same call", poolCall, poolCall, "", "", ""},
		{"no call", "0102", "0103", "", "", ""},
		{"a call that is too short to be one", approveCall[:2*67], approveCall[:2*66], "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name, want, got := spans.Difference(unhex(t, tt.want), unhex(t, tt.got))
			if name != tt.argument || want != tt.wantText || got != tt.gotText {
				t.Errorf("Difference = %q, %q, %q; want %q, %q, %q", name, want, got, tt.argument, tt.wantText, tt.gotText)
			}
		})
	}
}

// Calls with an encrypted note have no fault either.
func TestFaultOfNotes(t *testing.T) {
	note := calldata.ToNote(bytes.Repeat([]byte{7}, swap.NoteLen))
	pool := calldata.PoolCall{DstChain: 69696969, Recipient: note}
	poolFor := calldata.PoolCall{DstChain: 69696969, Recipient: note, RefundTo: swap.Address{1}}
	hook := calldata.Hook{DstChain: 69696969, Recipient: note}
	burn := calldata.BurnCall{Hook: hook.Append(nil)}
	for _, call := range [][]byte{pool.Bytes(), poolFor.Bytes(), burn.Bytes()} {
		if fault := spans.Fault(call); fault != "" {
			t.Errorf("Fault(%x) = %q, want none", call, fault)
		}
	}
}

// A length that is larger than the call ends with the call.
func TestSpansEndWithTheCall(t *testing.T) {
	call := unhex(t, poolCall)
	for name, length := range map[string][]byte{
		"beyond 64 bits":     {196: 1, 227: 20},
		"beyond the call":    {227: 33},
		"exactly the rest":   {227: 32},
		"less than the rest": {227: 31},
	} {
		long := bytes.Clone(call)
		copy(long[196:228], length[196:])
		end := 0
		for _, s := range spans.Of(long) {
			if s.Start != end || s.End < s.Start {
				t.Errorf("%s: a span from %d to %d, want it to start at %d", name, s.Start, s.End, end)
			}
			end = s.End
		}
		if end != len(call) {
			t.Errorf("%s: spans end at %d, want %d", name, end, len(call))
		}
	}
	if got := len(spans.Of(call[:228])); got != 10 {
		t.Errorf("%d spans of a call without its recipient, want 10", got)
	}
}

func eip55(t *testing.T, lower string) string {
	t.Helper()
	a, err := swap.ParseAddress(lower)
	if err != nil {
		t.Fatal(err)
	}
	return a.String()
}

func TestFault(t *testing.T) {
	with := func(call string, at int, digits string) string { return call[:2*at] + digits + call[2*at+len(digits):] }
	tests := []struct{ name, call, want string }{
		{"an approval", approveCall, ""},
		{"a deposit", poolCall, ""},
		{"a deposit with an account for refunds", poolForCall, ""},
		{"a burn", burnCall, ""},
		{"no bytes", "", "byte 0: it begins with 0x, and swap, swapFor, depositForBurnWithHook and approve begin with 0x095ff22d, 0xaddb3d3d, 0x779b432d, 0x095ea7b3"},
		{"another function", with(poolCall, 0, "a9059cbb"), "byte 0: it begins with 0xa9059cbb"},
		{"a function alone", poolCall[:8], "byte 4: the call is cut off in dstChain"},
		{"a chain beyond 64 bits", with(poolCall, 5, "01"), "byte 5, in dstChain, is 0x01, and can only be 0x00"},
		{"an offset that points elsewhere", with(poolCall, 99, "e0"), "byte 99, in recipient, is 0xe0, and can only be 0xc0"},
		{"an unknown type of recipient", with(poolCall, 131, "01"), "byte 131, in recipientType, is 0x01, and can only be 0x00"},
		{"a token with more than an address", with(poolCall, 132, "ff"), "byte 132, in dstToken, is 0xff, and can only be 0x00"},
		{"a longer recipient", with(poolCall, 227, "15"), "byte 227, in recipient, is 0x15, and can only be 0x14"},
		{"padding that is not zero", with(poolCall, 259, "01"), "byte 259, in recipient, is 0x01, and can only be 0x00"},
		{"bytes behind the end", poolCall + "0000", "byte 260: the call ends here, and 2 bytes follow"},
		{"the offset of a call without refunds", with(poolForCall, 99, "c0"), "byte 99, in recipient, is 0xc0, and can only be 0xe0"},
		{"an account for refunds with more than an address", with(poolForCall, 207, "ff"), "byte 207, in refundTo, is 0xff, and can only be 0x00"},
		{"no account for refunds", with(poolForCall, 208, strings.Repeat("0", 40)), "byte 227, in refundTo, is 0x00, and can only be 0x01"},
		{"a call that ends in the account for refunds", poolForCall[:2*220], "byte 220: the call is cut off in refundTo"},
		{"bytes behind a call with refunds", poolForCall + "00", "byte 292: the call ends here, and 1 bytes follow"},
		{"a domain beyond 32 bits", with(burnCall, 63, "01"), "byte 63, in destinationDomain, is 0x01, and can only be 0x00"},
		{"a hook of another length", with(burnCall, 291, "6a"), "byte 291, in hookData, is 0x6a, and can only be 0x69"},
		{"a hook with an unknown type", with(burnCall, 376, "07"), "byte 376, in hookData.recipientType, is 0x07, and can only be 0x00"},
		{"a hook that is cut off", burnCall[:2*380], "byte 380: the call is cut off in hookData.recipient"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := spans.Fault(unhex(t, tt.call))
			if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("Fault = %q, want %q", got, tt.want)
			}
		})
	}
}

// A call has a fault exactly when it cannot be decoded, and spans never leave
// the call, whatever its bytes are.
func FuzzFault(f *testing.F) {
	for _, call := range []string{approveCall, poolCall, poolForCall, burnCall, "", "095ff22d", "addb3d3d"} {
		f.Add(unhex(f, call))
	}
	f.Fuzz(func(t *testing.T, call []byte) {
		_, err := decoded.Parse(call)
		if fault := spans.Fault(call); (err == nil) != (fault == "") {
			t.Errorf("Fault(%x) = %q, want it empty if and only if the error of decoding is nil: %v", call, fault, err)
		}
		at := 0
		for _, s := range spans.Of(call) {
			if s.Start < at || s.End < s.Start || s.End > len(call) {
				t.Fatalf("%x: %s from %d to %d of %d, want it behind %d", call, s.Name, s.Start, s.End, len(call), at)
			}
			at = s.End
		}
		spans.Difference(call, bytes.Repeat([]byte{1}, 40))
	})
}
