package calldata_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

// The burn call of this file was made by viem and by hand, not by us.
func TestBurnVector(t *testing.T) {
	call := calldata.BurnCall{
		Amount:    *uint256.NewInt(1_000_000_000),
		Domain:    0,
		Recipient: swap.MustAddress("0x1111111111111111111111111111111111111111"),
		Token:     swap.MustAddress("0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
		Caller:    swap.MustAddress("0x2222222222222222222222222222222222222222"),
		MaxFee:    *uint256.NewInt(156_000),
		Finality:  1000,
		Hook:      []byte{0xde, 0xad, 0xbe, 0xef},
	}
	want := readHex(t, "testdata/burn.hex")
	if got := call.Bytes(); !bytes.Equal(got, want) {
		t.Errorf("burn call\n got %x\nwant %x", got, want)
	}
}

func TestSelectors(t *testing.T) {
	tests := []struct {
		name, want string
		call       interface{ Bytes() []byte }
	}{
		{"pool", "095ff22d", &calldata.PoolCall{}},
		{"pool with an account for refunds", "addb3d3d", &calldata.PoolCall{RefundTo: benchAddress}},
		{"burn", "779b432d", &calldata.BurnCall{}},
		{"approve", "095ea7b3", &calldata.ApproveCall{}},
	}
	for _, tt := range tests {
		if got := hex.EncodeToString(tt.call.Bytes()[:4]); got != tt.want {
			t.Errorf("%s: selector %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Our encoders write what go-ethereum's ABI packer writes, for any arguments,
// and our parsers read it back.
func TestAgainstPacker(t *testing.T) {
	pool := method(t, calldata.Pool.Signature())
	poolFor := method(t, calldata.PoolFor.Signature())
	burn := method(t, calldata.Burn.Signature())
	approve := method(t, calldata.Approve.Signature())
	rapid.Check(t, func(t *rapid.T) {
		p := drawPool(t)
		check(t, "pool", p.Bytes(), pack(t, pool,
			new(big.Int).SetUint64(uint64(p.DstChain)), p.Amount.ToBig(), p.Recipient.Bytes, uint8(p.Recipient.Type),
			common.Address(p.DstToken), [32]byte(p.Integrator)))
		p2, err := calldata.ParsePoolCall(p.Bytes())
		same(t, *p, p2, err)

		f := drawPool(t)
		f.RefundTo = drawAddress(t)
		f.RefundTo[0] |= 1 // not zero, which names none
		check(t, "pool with an account for refunds", f.Bytes(), pack(t, poolFor,
			new(big.Int).SetUint64(uint64(f.DstChain)), f.Amount.ToBig(), f.Recipient.Bytes, uint8(f.Recipient.Type),
			common.Address(f.DstToken), [32]byte(f.Integrator), common.Address(f.RefundTo)))
		f2, err := calldata.ParsePoolCall(f.Bytes())
		same(t, *f, f2, err)

		b := drawBurn(t)
		check(t, "burn", b.Bytes(), pack(t, burn,
			b.Amount.ToBig(), uint32(b.Domain), [32]byte(swap.IntegratorIDOf(b.Recipient)), common.Address(b.Token),
			[32]byte(swap.IntegratorIDOf(b.Caller)), b.MaxFee.ToBig(), b.Finality, b.Hook))
		b2, err := calldata.ParseBurnCall(b.Bytes())
		same(t, *b, b2, err)

		a := calldata.ApproveCall{Spender: drawAddress(t), Amount: drawAmount(t)}
		check(t, "approve", a.Bytes(), pack(t, approve, common.Address(a.Spender), a.Amount.ToBig()))
		a2, err := calldata.ParseApproveCall(a.Bytes())
		same(t, a, a2, err)
	})
}

// The hook of this case was packed by hand; no two fields are equal.
func TestHookVector(t *testing.T) {
	hook := calldata.Hook{
		DstChain:   369,
		DstToken:   swap.MustAddress("0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07"),
		Integrator: swap.IntegratorIDOf(swap.MustAddress("0x3333333333333333333333333333333333333333")),
		Recipient:  calldata.ToAddress(swap.Address(bytes.Repeat([]byte{0x44}, 20))),
	}
	want := "0000000000000000000000000000000000000000000000000000000000000171" +
		"15d38573d2feeb82e7ad5187ab8c1d52810b1f07" +
		"0000000000000000000000003333333333333333333333333333333333333333" +
		"00" +
		"4444444444444444444444444444444444444444"
	if got := hex.EncodeToString(hook.Append(nil)); got != want {
		t.Errorf("hook\n got %s\nwant %s", got, want)
	}
	if hook.Len() != 105 {
		t.Errorf("a hook to an EVM address has %d bytes, want 105", hook.Len())
	}
	again, err := calldata.ParseHook(hook.Append(nil))
	if diff := cmp.Diff(hook, again); diff != "" || err != nil {
		t.Errorf("parsed %v (-want +got):\n%s", err, diff)
	}
}

// Bytes that parse are the only encoding of their value.
func FuzzParse(f *testing.F) {
	f.Add((&calldata.PoolCall{Recipient: calldata.ToAddress(swap.Address{})}).Bytes())
	f.Add((&calldata.PoolCall{Recipient: calldata.ToNote(make([]byte, 160))}).Bytes())
	f.Add((&calldata.PoolCall{Recipient: calldata.ToAddress(swap.Address{}), RefundTo: benchAddress}).Bytes())
	f.Add((&calldata.PoolCall{Recipient: calldata.ToNote(make([]byte, 160)), RefundTo: benchAddress}).Bytes())
	f.Add((&calldata.BurnCall{Hook: make([]byte, 105)}).Bytes())
	f.Add((&calldata.ApproveCall{}).Bytes())
	f.Add((&calldata.Hook{Recipient: calldata.ToAddress(swap.Address{})}).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := calldata.ParsePoolCall(data); err == nil && !bytes.Equal(c.Bytes(), data) {
			t.Errorf("pool call of %x = %x, want the same bytes", data, c.Bytes())
		}
		if c, err := calldata.ParseBurnCall(data); err == nil && !bytes.Equal(c.Bytes(), data) {
			t.Errorf("burn of %x = %x, want the same bytes", data, c.Bytes())
		}
		if c, err := calldata.ParseApproveCall(data); err == nil && !bytes.Equal(c.Bytes(), data) {
			t.Errorf("approval of %x = %x, want the same bytes", data, c.Bytes())
		}
		if h, err := calldata.ParseHook(data); err == nil && !bytes.Equal(h.Append(nil), data) {
			t.Errorf("hook of %x = %x, want the same bytes", data, h.Append(nil))
		}
	})
}

// Any change of length, of padding or of an offset makes bytes that do not
// parse.
func TestParseRefuses(t *testing.T) {
	pool := (&calldata.PoolCall{DstChain: 369, Recipient: calldata.ToAddress(swap.Address(bytes.Repeat([]byte{1}, 20)))}).Bytes()
	poolFor := (&calldata.PoolCall{DstChain: 369, Recipient: calldata.ToAddress(swap.Address(bytes.Repeat([]byte{1}, 20))), RefundTo: swap.Address{19: 1}}).Bytes()
	burn := (&calldata.BurnCall{Domain: 6, Finality: 1000, Hook: bytes.Repeat([]byte{1}, 105)}).Bytes()
	approve := (&calldata.ApproveCall{Spender: benchAddress}).Bytes()
	hook := (&calldata.Hook{DstChain: 369, Recipient: calldata.ToAddress(swap.Address(bytes.Repeat([]byte{1}, 20)))}).Append(nil)
	tests := []struct {
		name  string
		parse func([]byte) error
		good  []byte
		bad   []byte
	}{
		{"nothing", parsePool, pool, nil},
		{"a selector alone", parsePool, pool, pool[:4]},
		{"less than a selector", parsePool, pool, pool[:3]},
		{"another selector", parsePool, pool, mutate(pool, 0)},
		{"one byte short", parsePool, pool, pool[:len(pool)-1]},
		{"one byte long", parsePool, pool, append(bytes.Clone(pool), 0)},
		{"a whole word long", parsePool, pool, append(bytes.Clone(pool), make([]byte, 32)...)},
		{"a chain over 64 bits", parsePool, pool, mutate(pool, 4)},
		{"another offset", parsePool, pool, mutate(pool, 99)},
		{"a type over a byte", parsePool, pool, mutate(pool, 130)},
		{"a type that does not exist", parsePool, pool, mutate(pool, 131)},
		{"a recipient of a type that does not exist", parsePool, pool, (&calldata.PoolCall{DstChain: 369, Recipient: calldata.Recipient{Type: 1, Bytes: []byte{1}}}).Bytes()},
		{"dirt before the token", parsePool, pool, mutate(pool, 132)},
		{"dirt right before the token", parsePool, pool, mutate(pool, 143)},
		{"another length", parsePool, pool, mutate(pool, 227)},
		{"a length over 64 bits", parsePool, pool, mutate(pool, 196)},
		{"dirt right after the recipient", parsePool, pool, mutate(pool, 248)},
		{"dirt after the recipient", parsePool, pool, mutate(pool, len(pool)-1)},

		{"the function of a call without refunds", parsePool, poolFor, append(pool[:4:4], poolFor[4:]...)},
		{"the function of a call with refunds", parsePool, pool, append(poolFor[:4:4], pool[4:]...)},
		{"the offset of a call without refunds", parsePool, poolFor, append(poolFor[:99:99], append([]byte{192}, poolFor[100:]...)...)},
		{"dirt before the account for refunds", parsePool, poolFor, mutate(poolFor, 196)},
		{"dirt right before the account for refunds", parsePool, poolFor, mutate(poolFor, 207)},
		{"no account for refunds in a call that names one", parsePool, poolFor, mutate(poolFor, 227)},
		{"another length behind the account for refunds", parsePool, poolFor, mutate(poolFor, 259)},
		{"a call with refunds one byte short", parsePool, poolFor, poolFor[:len(poolFor)-1]},
		{"a call with refunds one byte long", parsePool, poolFor, append(bytes.Clone(poolFor), 0)},

		{"another function than a burn", parseBurn, burn, mutate(burn, 3)},
		{"a domain over 32 bits", parseBurn, burn, mutate(burn, 63)},
		{"a domain over 64 bits", parseBurn, burn, mutate(burn, 36)},
		{"dirt before the account that is minted to", parseBurn, burn, mutate(burn, 68)},
		{"dirt before the burnt token", parseBurn, burn, mutate(burn, 100)},
		{"dirt before the account that may mint", parseBurn, burn, mutate(burn, 132)},
		{"a finality over 32 bits", parseBurn, burn, mutate(burn, 223)},
		{"a finality over 64 bits", parseBurn, burn, mutate(burn, 196)},
		{"another offset of the hook", parseBurn, burn, mutate(burn, 259)},
		{"another length of the hook", parseBurn, burn, mutate(burn, 291)},
		{"a length beyond the end", parseBurn, burn, mutate(burn, 290)},
		{"dirt after the hook", parseBurn, burn, mutate(burn, len(burn)-1)},
		{"a burn cut short", parseBurn, burn, burn[:len(burn)-32]},

		{"another function than an approval", parseApprove, approve, mutate(approve, 3)},
		{"dirt before the spender", parseApprove, approve, mutate(approve, 4)},
		{"an approval cut short", parseApprove, approve, approve[:len(approve)-1]},
		{"an approval and more", parseApprove, approve, append(bytes.Clone(approve), 0)},

		{"no hook", parseHook, hook, nil},
		{"a hook to a chain over 64 bits", parseHook, hook, mutate(hook, 23)},
		{"a hook without a recipient", parseHook, hook, hook[:85]},
		{"a hook without a type", parseHook, hook, hook[:84]},
		{"a hook of another type", parseHook, hook, mutate(hook, 84)},
		{"a hook cut short", parseHook, hook, hook[:len(hook)-1]},
		{"a hook and more", parseHook, hook, append(bytes.Clone(hook), 0)},
	}
	for _, tt := range tests {
		if tt.parse(tt.bad) == nil {
			t.Errorf("%s: error = nil, want one", tt.name)
		}
		if err := tt.parse(tt.good); err != nil {
			t.Errorf("%s: error without it = %v, want nil", tt.name, err)
		}
	}
}

// The offsets are where the fields are, for programs that patch a call.
func TestOffsets(t *testing.T) {
	amount, payee := uint256.NewInt(7_000_000), benchAddress
	hook := (&calldata.Hook{Recipient: calldata.ToAddress(payee)}).Append(nil)
	pool := (&calldata.PoolCall{Amount: *amount, Recipient: calldata.ToAddress(payee)}).Bytes()
	account := swap.Address{1, 2, 3}
	poolFor := (&calldata.PoolCall{Amount: *amount, Recipient: calldata.ToAddress(payee), RefundTo: account}).Bytes()
	burn := (&calldata.BurnCall{Amount: *amount, Hook: hook}).Bytes()
	word := amount.Bytes32()
	tests := []struct {
		name   string
		call   []byte
		offset int
		want   []byte
	}{
		{"the amount of a pool call", pool, calldata.Pool.Offset("amount"), word[:]},
		{"the recipient of a pool call", pool, calldata.Pool.TailOffset(), payee[:]},
		{"the amount of a call with refunds", poolFor, calldata.PoolFor.Offset("amount"), word[:]},
		{"the account for refunds", poolFor, calldata.PoolFor.Offset("refundTo") + 12, account[:]},
		{"the recipient of a call with refunds", poolFor, calldata.PoolFor.TailOffset(), payee[:]},
		{"the amount of a burn", burn, calldata.Burn.Offset("amount"), word[:]},
		{"the hook of a burn", burn, calldata.Burn.TailOffset(), hook},
		{"the recipient of a hook", hook, calldata.HookRecipientOffset, payee[:]},
	}
	for _, tt := range tests {
		if got := tt.call[tt.offset:]; !bytes.HasPrefix(got, tt.want) {
			t.Errorf("%s: bytes at %d = %x, want %x first", tt.name, tt.offset, got, tt.want)
		}
	}
}

// A call is exactly as long as the memory that is allocated for it.
func TestCallsFillTheirMemory(t *testing.T) {
	for n := range 100 {
		for _, call := range [][]byte{
			(&calldata.PoolCall{Recipient: calldata.ToNote(make([]byte, n))}).Bytes(),
			(&calldata.PoolCall{Recipient: calldata.ToNote(make([]byte, n)), RefundTo: benchAddress}).Bytes(),
			(&calldata.BurnCall{Hook: make([]byte, n)}).Bytes(),
			(&calldata.ApproveCall{}).Bytes(),
		} {
			if cap(call) != len(call) {
				t.Errorf("capacity = %d, want the length, %d", cap(call), len(call))
			}
		}
	}
}

func parsePool(b []byte) error    { _, err := calldata.ParsePoolCall(b); return err }
func parseBurn(b []byte) error    { _, err := calldata.ParseBurnCall(b); return err }
func parseApprove(b []byte) error { _, err := calldata.ParseApproveCall(b); return err }
func parseHook(b []byte) error    { _, err := calldata.ParseHook(b); return err }

func mutate(b []byte, at int) []byte {
	c := bytes.Clone(b)
	c[at] ^= 1
	return c
}

func drawPool(t *rapid.T) *calldata.PoolCall {
	c := &calldata.PoolCall{
		DstChain: swap.PlaceID(rapid.Uint64().Draw(t, "dstChain")),
		Amount:   drawAmount(t), DstToken: drawAddress(t),
		Integrator: swap.IntegratorIDOf(drawAddress(t)),
	}
	c.Recipient = calldata.ToAddress(drawAddress(t))
	if rapid.Bool().Draw(t, "private") {
		c.Recipient = calldata.ToNote(drawBytes(t, 160))
	}
	return c
}

func drawBurn(t *rapid.T) *calldata.BurnCall {
	return &calldata.BurnCall{
		Amount: drawAmount(t), MaxFee: drawAmount(t),
		Domain:    swap.Domain(rapid.Uint32().Draw(t, "domain")),
		Recipient: drawAddress(t), Token: drawAddress(t), Caller: drawAddress(t),
		Finality: rapid.Uint32().Draw(t, "finality"),
		Hook:     drawBytes(t, rapid.IntRange(0, 300).Draw(t, "hookLen")),
	}
}

func drawBytes(t *rapid.T, n int) []byte {
	return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "bytes")
}

func drawAddress(t *rapid.T) swap.Address { return swap.Address(drawBytes(t, 20)) }

func drawAmount(t *rapid.T) (a swap.Amount) {
	a.SetBytes(drawBytes(t, 32))
	return a
}

func method(t testing.TB, signature string) abi.Method {
	t.Helper()
	sel, err := abi.ParseSelector(signature)
	if err != nil {
		t.Fatal(err)
	}
	var in abi.Arguments
	for _, arg := range sel.Inputs {
		typ, err := abi.NewType(arg.Type, arg.InternalType, arg.Components)
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, abi.Argument{Name: arg.Name, Type: typ})
	}
	return abi.NewMethod(sel.Name, sel.Name, abi.Function, "", false, false, in, nil)
}

func pack(t *rapid.T, m abi.Method, args ...any) []byte {
	b, err := m.Inputs.Pack(args...)
	if err != nil {
		t.Fatal(err)
	}
	return append(m.ID, b...)
}

func check(t *rapid.T, name string, got, want []byte) {
	if !bytes.Equal(got, want) {
		t.Errorf("%s\n got %x\nwant %x", name, got, want)
	}
}

func same[T any](t *rapid.T, want, got T, err error) {
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Transformer("Dec", func(a swap.Amount) string { return a.Dec() })); diff != "" {
		t.Errorf("parsed (-want +got):\n%s", diff)
	}
}

func readHex(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := hex.DecodeString(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
