// Package spans says which bytes of a call belong to which argument. It knows
// the calls that a quote can hold, and gives a name to every byte of them.
package spans

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"strings"

	"hubquote/internal/wire"
	"hubquote/swap"
)

// A Span is an argument of a call, or a part of one.
type Span struct {
	Name, Kind string // such as amount and uint256
	Start, End int    // in bytes of the call
}

const selectorLen, wordLen = 4, 32

// The calls that a quote can hold.
var (
	pool      = parse(wire.PoolFunction)
	burn      = parse(wire.BurnFunction)
	approve   = parse(wire.ApproveFunction)
	functions = []*function{pool, burn, approve}
)

// hook is the layout of a burn's hookData; the recipient takes the rest.
var hook = []Span{
	{"dstChain", "uint256", 0, 32},
	{"dstToken", "address", 32, 52},
	{"integratorId", "bytes32", 52, 84},
	{"recipientType", "uint8", 84, 85},
	{"recipient", "bytes", 85, 1 << 30},
}

// A function is a signature taken apart.
type function struct {
	selector []byte
	params   []Span
}

func parse(signature string) *function {
	name, rest, _ := strings.Cut(signature, "(")
	f := new(function)
	var kinds []string
	for i, p := range strings.Split(strings.TrimSuffix(rest, ")"), ", ") {
		kind, name, _ := strings.Cut(p, " ")
		start := selectorLen + i*wordLen
		f.params = append(f.params, Span{name, kind, start, start + wordLen})
		kinds = append(kinds, kind)
	}
	sum := swap.Keccak256([]byte(name + "(" + strings.Join(kinds, ",") + ")"))
	f.selector = sum[:selectorLen]
	return f
}

// size is how many bytes a call has up to the end of its last word.
func (f *function) size() int { return selectorLen + len(f.params)*wordLen }

// Of returns the spans of a call, one for each byte and in no gaps, or nil for
// bytes that are no call of a quote. Bytes that are too short for their function
// are none: an address may happen to begin like a call.
func Of(call []byte) []Span {
	for _, f := range functions {
		if len(call) >= f.size() && bytes.HasPrefix(call, f.selector) {
			spans := append([]Span{{"function", "bytes", 0, selectorLen}}, f.params...)
			return append(spans, f.tail(call)...)
		}
	}
	return nil
}

// tail returns the spans behind the words: the length, content and padding of
// the one dynamic argument, if there is one.
func (f *function) tail(call []byte) (tail []Span) {
	for _, p := range f.params {
		start := f.size() + wordLen
		if p.Kind != "bytes" || start > len(call) {
			continue
		}
		length := new(big.Int).SetBytes(call[start-wordLen : start])
		end := len(call)
		if n := length.Int64(); length.IsInt64() && n < int64(len(call)-start) {
			end = start + int(n)
		}
		tail = append(tail, Span{p.Name, "bytes", start - wordLen, start})
		tail = append(tail, content(p.Name, start, end)...)
		tail = append(tail, Span{p.Name, "bytes", end, len(call)})
	}
	return tail
}

func content(name string, start, end int) (parts []Span) {
	if name != "hookData" {
		return []Span{{name, "bytes", start, end}}
	}
	for _, part := range hook {
		parts = append(parts, Span{name + "." + part.Name, part.Kind, min(start+part.Start, end), min(start+part.End, end)})
	}
	return parts
}

// Difference names the first argument in which two calls differ, and shows both.
// It knows where arguments are from want alone: got can be anything. The name is
// empty if want is no call of a quote, or the difference is behind its end.
func Difference(want, got []byte) (name, wantText, gotText string) {
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	for _, s := range Of(want) {
		if s.Start <= i && i < s.End {
			return s.Name, s.Show(want), s.Show(got)
		}
	}
	return "", "", ""
}

// Show writes the span of a call for people: numbers in decimal, addresses in
// EIP-55, the rest in hexadecimal.
func (s Span) Show(call []byte) string {
	if s.End > len(call) {
		return "cut off"
	}
	b := call[s.Start:s.End]
	const addressLen = len(swap.Address{})
	head := max(0, len(b)-addressLen)
	switch {
	case strings.HasPrefix(s.Kind, "uint"):
		return new(big.Int).SetBytes(b).String()
	case s.Kind == "address" && strings.Trim(string(b[:head]), "\x00") == "", len(b) == addressLen:
		return swap.Address(b[head:]).String()
	default:
		return "0x" + hex.EncodeToString(b)
	}
}
