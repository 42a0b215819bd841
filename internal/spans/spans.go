// Package spans says which bytes of a call belong to which argument. It knows
// the calls that a quote can hold, and gives a name to every byte of them.
package spans

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"strings"

	"hubquote/internal/abi"
	"hubquote/internal/calldata"
	"hubquote/swap"
)

// A Span is an argument of a call, or a part of one.
type Span struct {
	Name, Kind string // such as amount and uint256
	Start, End int    // in bytes of the call
}

const selectorLen = len(abi.Selector{})

// functions are the calls that a quote can hold.
var functions = []abi.Func{calldata.Pool, calldata.PoolFor, calldata.Burn, calldata.Approve}

// calls reports whether call is one of that function. One that is too short is
// not: an address may happen to begin like a call.
func calls(call []byte, f abi.Func) bool {
	selector := f.Selector()
	return len(call) >= selectorLen+f.HeadSize() && bytes.HasPrefix(call, selector[:])
}

// Of returns the spans of a call, one for each byte and in no gaps, or nil for
// bytes that are no call of a quote. Bytes that are too short for their function
// are none: an address may happen to begin like a call.
func Of(call []byte) []Span {
	for _, f := range functions {
		if !calls(call, f) {
			continue
		}
		spans := []Span{{"function", abi.Bytes, 0, selectorLen}}
		for _, a := range f.Args {
			start := f.Offset(a.Name)
			spans = append(spans, Span{a.Name, a.Type, start, start + abi.WordSize})
		}
		return append(spans, tail(call, f)...)
	}
	return nil
}

// tail returns the spans behind the words: the length, content and padding of
// the one dynamic argument, if there is one.
func tail(call []byte, f abi.Func) (tail []Span) {
	for _, a := range f.Args {
		start := f.TailOffset()
		if a.Type != abi.Bytes || start > len(call) {
			continue
		}
		length := new(big.Int).SetBytes(call[start-abi.WordSize : start])
		end := len(call)
		if n := length.Int64(); length.IsInt64() && n < int64(len(call)-start) {
			end = start + int(n)
		}
		tail = append(tail, Span{a.Name, abi.Bytes, start - abi.WordSize, start})
		tail = append(tail, content(a.Name, start, end)...)
		tail = append(tail, Span{a.Name, abi.Bytes, end, len(call)})
	}
	return tail
}

func content(name string, start, end int) (parts []Span) {
	if name != "hookData" {
		return []Span{{name, "bytes", start, end}}
	}
	for _, f := range calldata.HookFields {
		next := end
		if size := f.PackedSize(); size >= 0 {
			next = min(start+size, end)
		}
		parts = append(parts, Span{name + "." + f.Name, f.Type, start, next})
		start = next
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
