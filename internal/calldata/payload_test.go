package calldata_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

var (
	target   = swap.MustAddress("0x1111111111111111111111111111111111111111")
	srcToken = swap.MustAddress("0x2222222222222222222222222222222222222222")
	dstToken = swap.MustAddress("0x3333333333333333333333333333333333333333")
	receiver = swap.MustAddress("0x4444444444444444444444444444444444444444")
	payee    = swap.MustAddress("0x5555555555555555555555555555555555555555")
	partner  = swap.IntegratorIDOf(swap.MustAddress("0x6666666666666666666666666666666666666666"))
	amount   = *uint256.NewInt(7_000_000)
)

func deposit(kind swap.RouteKind, src swap.Token) *calldata.Deposit {
	return &calldata.Deposit{
		Route: &swap.Route{
			Kind: kind, Target: target, SrcToken: &src, DstToken: &swap.Token{Address: dstToken}, Dst: swap.Place{ID: 369},
			Burn: &swap.Burn{Gateway: 6, Receiver: receiver, Finality: 1000},
		},
		Amount: amount, Recipient: payee[:], Integrator: partner, MaxFee: *uint256.NewInt(8),
	}
}

func TestPayloads(t *testing.T) {
	pool := calldata.PoolCall{DstChain: 369, Amount: amount, Recipient: payee[:], DstToken: dstToken, Integrator: partner}
	hook := calldata.Hook{DstChain: 369, DstToken: dstToken, Integrator: partner, Recipient: payee[:]}
	burn := calldata.BurnCall{
		Amount: amount, Domain: 6, Recipient: receiver, Token: srcToken, Caller: receiver,
		MaxFee: *uint256.NewInt(8), Finality: 1000, Hook: hook.Append(nil),
	}
	approve, reset := calldata.ApproveCall{Spender: target, Amount: amount}, calldata.ApproveCall{Spender: target}
	approval := swap.Approval{Token: srcToken, Spender: target, Amount: amount, Calldata: approve.Bytes()}
	withReset := approval
	withReset.Reset = reset.Bytes()
	tests := []struct {
		name    string
		deposit *calldata.Deposit
		want    swap.Payload
	}{
		{"a pool may take the amount of a token and no more", deposit(swap.Direct, swap.Token{Address: srcToken}),
			swap.Payload{To: target, Calldata: pool.Bytes(), Approval: &approval}},
		{"the native coin goes with the call", deposit(swap.Direct, swap.Token{Address: swap.Native}),
			swap.Payload{To: target, Calldata: pool.Bytes(), Value: amount}},
		{"an allowance that must be zero first is set to zero", deposit(swap.Direct, swap.Token{Address: srcToken, ApproveReset: true}),
			swap.Payload{To: target, Calldata: pool.Bytes(), Approval: &withReset}},
		{"a burn is minted to the receiver, and by nobody else", deposit(swap.CCTPInbound, swap.Token{Address: srcToken}),
			swap.Payload{To: target, Calldata: burn.Bytes(), Approval: &approval}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.deposit.Payload()); diff != "" {
				t.Errorf("payload (-want +got):\n%s", diff)
			}
		})
	}
}

// Who patches a call finds its fields where the constants say.
func TestOffsets(t *testing.T) {
	pool := (&calldata.PoolCall{Amount: amount, Recipient: payee[:]}).Bytes()
	hook := []byte{0xde, 0xad, 0xbe, 0xef}
	burn := (&calldata.BurnCall{Amount: amount, Hook: hook}).Bytes()
	word := amount.Bytes32()
	tests := []struct {
		name   string
		call   []byte
		offset int
		want   []byte
	}{
		{"the amount of a pool call", pool, calldata.PoolAmountOffset, word[:]},
		{"the recipient of a pool call", pool, calldata.PoolRecipientOffset, payee[:]},
		{"the amount of a burn", burn, calldata.BurnAmountOffset, word[:]},
		{"the hook of a burn", burn, calldata.BurnHookOffset, hook},
	}
	for _, tt := range tests {
		if !bytes.HasPrefix(tt.call[tt.offset:], tt.want) {
			t.Errorf("%s is not at %d", tt.name, tt.offset)
		}
	}
}

// A call is as long as the memory that was asked for it: none is copied while
// it is made, and none is left over.
func TestCallsFillTheirMemory(t *testing.T) {
	for n := range 100 {
		for _, call := range [][]byte{
			(&calldata.PoolCall{Recipient: make([]byte, n)}).Bytes(),
			(&calldata.BurnCall{Hook: make([]byte, n)}).Bytes(),
			(&calldata.ApproveCall{}).Bytes(),
		} {
			if cap(call) != len(call) {
				t.Errorf("a call of %d bytes has memory for %d", len(call), cap(call))
			}
		}
	}
}
