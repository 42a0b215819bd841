package client

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"strings"

	"hubquote/internal/abi"
	"hubquote/internal/calldata"
	"hubquote/swap"
)

// A span is an argument of a call, or a part of one: what it is called, and
// which bytes of the calldata it takes.
type span struct {
	name, kind string
	start, end int
}

const selectorLen = len(abi.Selector{})

// functions are the calls that a quote can hold.
var functions = []abi.Func{calldata.Pool, calldata.Burn, calldata.Approve}

// differingArgument names the first argument in which two calls differ, given
// in hexadecimal. It knows where arguments are from want alone, which is ours:
// got can be anything. It is not ok if want is no call, or got no bytes.
func differingArgument(want, got string) (name, wantText, gotText string, ok bool) {
	w, ok1 := parseHex(want)
	g, ok2 := parseHex(got)
	if !ok1 || !ok2 {
		return "", "", "", false
	}
	i := firstDifference(w, g)
	for _, s := range spansOf(w) {
		if s.start <= i && i < s.end {
			return s.name, show(s, w), show(s, g), true
		}
	}
	return "", "", "", false
}

// parseHex reads bytes in their one spelling: 0x and lower-case digits.
func parseHex(s string) ([]byte, bool) {
	digits, ok := strings.CutPrefix(s, "0x")
	b, err := hex.DecodeString(digits)
	return b, ok && err == nil && digits == strings.ToLower(digits)
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// spansOf says what every byte of a call of ours belongs to, or nil for bytes
// that are no such call.
func spansOf(call []byte) []span {
	for _, f := range functions {
		if !calls(call, f) {
			continue
		}
		spans := []span{{"function", abi.Bytes, 0, selectorLen}}
		for _, a := range f.Args {
			start := f.Offset(a.Name)
			spans = append(spans, span{a.Name, a.Type, start, start + abi.WordSize})
		}
		return append(spans, tailOf(call, f)...)
	}
	return nil
}

// calls reports whether call is one of that function. One that is too short is
// not: an address may happen to begin like a call.
func calls(call []byte, f abi.Func) bool {
	selector := f.Selector()
	return len(call) >= selectorLen+f.HeadSize() && bytes.HasPrefix(call, selector[:])
}

// tailOf returns the spans behind the words: the length, content and padding of
// the one dynamic argument, if there is one.
func tailOf(call []byte, f abi.Func) (tail []span) {
	for _, a := range f.Args {
		if a.Type != abi.Bytes {
			continue
		}
		start := f.TailOffset()
		length := new(big.Int).SetBytes(call[start-abi.WordSize : start]).Int64()
		end := start + int(length)
		tail = append(tail, span{a.Name, abi.Bytes, start - abi.WordSize, start})
		if a.Name == "hookData" {
			tail = append(tail, hookSpans(start, end)...)
		} else {
			tail = append(tail, span{a.Name, abi.Bytes, start, end})
		}
		tail = append(tail, span{a.Name, abi.Bytes, end, len(call)})
	}
	return tail
}

// hookSpans returns the spans of a burn's hookData (D18).
func hookSpans(start, end int) (spans []span) {
	for _, f := range calldata.HookFields {
		next := end
		if size := f.PackedSize(); size >= 0 {
			next = min(start+size, end)
		}
		spans = append(spans, span{"hookData." + f.Name, f.Type, start, next})
		start += f.PackedSize()
	}
	return spans
}

// show writes a span of a call for people: numbers in decimal, addresses in
// EIP-55, the rest in hexadecimal.
func show(s span, call []byte) string {
	if s.end > len(call) {
		return "cut off"
	}
	b := call[s.start:s.end]
	const addressLen = len(swap.Address{})
	head := max(0, len(b)-addressLen)
	switch {
	case strings.HasPrefix(s.kind, "uint"):
		return new(big.Int).SetBytes(b).String()
	case s.kind == "address" && strings.Trim(string(b[:head]), "\x00") == "", len(b) == addressLen:
		return swap.Address(b[head:]).String()
	default:
		return "0x" + hex.EncodeToString(b)
	}
}
