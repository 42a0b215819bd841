package client

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"strings"

	"hubquote/internal/wire"
	"hubquote/swap"
)

// A span is an argument of a call, or a part of one: what it is called, and
// which bytes of the calldata it takes.
type span struct {
	name, kind string
	start, end int
}

const selectorLen, wordLen = 4, 32

// functions are the calls that a quote can hold.
var functions = []string{wire.PoolFunction, wire.BurnFunction, wire.ApproveFunction}

// hook is the layout of a burn's hookData (D18); the recipient takes the rest.
var hook = []span{
	{"dstChain", "uint256", 0, 32},
	{"dstToken", "address", 32, 52},
	{"integratorId", "bytes32", 52, 84},
	{"recipientType", "uint8", 84, 85},
	{"recipient", "bytes", 85, 1 << 30},
}

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
		name, rest, _ := strings.Cut(f, "(")
		params := strings.Split(strings.TrimSuffix(rest, ")"), ", ")
		if !calls(call, name, params) {
			continue
		}
		spans := []span{{"function", "bytes", 0, selectorLen}}
		for i, p := range params {
			kind, name, _ := strings.Cut(p, " ")
			start := selectorLen + i*wordLen
			spans = append(spans, span{name, kind, start, start + wordLen})
		}
		return append(spans, tailOf(call, spans[1:])...)
	}
	return nil
}

// calls reports whether call is one of that function. What is too short is not:
// an address may happen to begin like a call.
func calls(call []byte, name string, params []string) bool {
	kinds := make([]string, len(params))
	for i, p := range params {
		kinds[i], _, _ = strings.Cut(p, " ")
	}
	sum := swap.Keccak256([]byte(name + "(" + strings.Join(kinds, ",") + ")"))
	return len(call) >= selectorLen+len(params)*wordLen && bytes.HasPrefix(call, sum[:selectorLen])
}

// tailOf returns the spans behind the words: the length, content and padding of
// the one dynamic argument, if there is one.
func tailOf(call []byte, words []span) (tail []span) {
	for _, w := range words {
		if w.kind != "bytes" {
			continue
		}
		start := selectorLen + (len(words)+1)*wordLen
		length := new(big.Int).SetBytes(call[start-wordLen : start]).Int64()
		tail = append(tail, span{w.name, "bytes", start - wordLen, start})
		if w.name == "hookData" {
			for _, part := range hook {
				end := min(start+part.end, start+int(length))
				tail = append(tail, span{w.name + "." + part.name, part.kind, start + part.start, end})
			}
		} else {
			tail = append(tail, span{w.name, "bytes", start, start + int(length)})
		}
		tail = append(tail, span{w.name, "bytes", start + int(length), len(call)})
	}
	return tail
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
