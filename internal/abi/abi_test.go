package abi_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/holiman/uint256"

	"hubquote/internal/abi"
	"hubquote/swap"
)

var transfer = abi.Func{Name: "transferAndCall", Args: []abi.Arg{
	{Type: "address", Name: "to"},
	{Type: "uint256", Name: "value"},
	{Type: "bytes", Name: "data"},
}}

// The selector is that of ERC-677.
func TestFunc(t *testing.T) {
	selector := transfer.Selector()
	for _, tt := range []struct{ name, got, want string }{
		{"Signature()", transfer.Signature(), "transferAndCall(address,uint256,bytes)"},
		{"String()", transfer.String(), "transferAndCall(address to, uint256 value, bytes data)"},
		{"Selector()", hex.EncodeToString(selector[:]), "4000aea0"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s = %s, want %s", tt.name, tt.got, tt.want)
		}
	}
	for _, tt := range []struct {
		name      string
		got, want int
	}{
		{"HeadSize()", transfer.HeadSize(), 96},
		{`Offset("to")`, transfer.Offset("to"), 4},
		{`Offset("data")`, transfer.Offset("data"), 68},
		{"TailOffset()", transfer.TailOffset(), 132},
		{`PackedOffset("to")`, abi.PackedOffset(transfer.Args, "to"), 0},
		{`PackedOffset("data")`, abi.PackedOffset(transfer.Args, "data"), 52},
	} {
		if tt.got != tt.want {
			t.Errorf("%s = %d, want %d", tt.name, tt.got, tt.want)
		}
	}
}

func TestOffsetsOfUnknownNamesPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"Offset":       func() { transfer.Offset("from") },
		"PackedOffset": func() { abi.PackedOffset(transfer.Args, "from") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of an unknown name returned, want a panic", name)
				}
			}()
			call()
		}()
	}
}

// A reader returns the values that were appended, and accepts no other bytes.
func TestReaderReadsWhatIsAppended(t *testing.T) {
	to, value, data := swap.Address{0: 1, 19: 2}, uint256.NewInt(1<<40), bytes.Repeat([]byte{7}, 33)
	selector := transfer.Selector()
	call := abi.AppendAddress(selector[:], to)
	call = abi.AppendAmount(call, value)
	call = abi.AppendUint(call, uint64(transfer.HeadSize()))
	call = abi.AppendBytes(call, data)

	r := abi.NewReader(call, selector)
	gotTo, gotValue := r.Address(), r.Amount()
	r.Constant(uint64(transfer.HeadSize()))
	gotData := r.Bytes()
	if r.Err() != nil || gotTo != to || gotValue != *value || !bytes.Equal(gotData, data) {
		t.Errorf("read %s, %s, %x, %v, want %s, %s, %x", gotTo, gotValue.Dec(), gotData, r.Err(), to, value.Dec(), data)
	}

	for name, bad := range map[string][]byte{
		"a byte less":      call[:len(call)-1],
		"a byte more":      append(bytes.Clone(call), 0),
		"another selector": append([]byte{0}, call[1:]...),
		"no selector":      nil,
	} {
		r := abi.NewReader(bad, selector)
		r.Address()
		r.Amount()
		r.Constant(uint64(transfer.HeadSize()))
		r.Bytes()
		if r.Err() == nil {
			t.Errorf("%s: error = nil, want one", name)
		}
	}
}
