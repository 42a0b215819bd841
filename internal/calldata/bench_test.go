package calldata_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

var (
	benchAddress = swap.MustAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
	benchAmount  = uint256.NewInt(1_000_000_000)
)

// Each of our encoders beside go-ethereum's packer on the same arguments.
func BenchmarkPoolCall(b *testing.B) {
	call := calldata.PoolCall{DstChain: 8453, Amount: *benchAmount, Recipient: calldata.ToAddress(benchAddress), DstToken: benchAddress}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			call.Bytes()
		}
	})
	b.Run("abi.Pack", func(b *testing.B) {
		pool := method(b, calldata.Pool.Signature())
		b.ReportAllocs()
		for b.Loop() {
			if _, err := pool.Inputs.Pack(big.NewInt(8453), benchAmount.ToBig(), benchAddress[:], uint8(0), common.Address(benchAddress), [32]byte{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkBurnCall(b *testing.B) {
	hook := (&calldata.Hook{DstChain: 369, DstToken: benchAddress, Recipient: calldata.ToAddress(benchAddress)}).Append(nil)
	call := calldata.BurnCall{Amount: *benchAmount, Domain: 6, Recipient: benchAddress, Token: benchAddress, Caller: benchAddress, Finality: 1000, Hook: hook}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			call.Bytes()
		}
	})
	b.Run("abi.Pack", func(b *testing.B) {
		burn := method(b, calldata.Burn.Signature())
		padded := [32]byte(swap.IntegratorIDOf(benchAddress))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := burn.Inputs.Pack(benchAmount.ToBig(), uint32(6), padded, common.Address(benchAddress), padded, new(big.Int), uint32(1000), hook); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkApproveCall(b *testing.B) {
	call := calldata.ApproveCall{Spender: benchAddress, Amount: *benchAmount}
	b.ReportAllocs()
	for b.Loop() {
		call.Bytes()
	}
}

func BenchmarkParsePoolCall(b *testing.B) {
	call := (&calldata.PoolCall{DstChain: 8453, Amount: *benchAmount, Recipient: calldata.ToAddress(benchAddress), DstToken: benchAddress}).Bytes()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := calldata.ParsePoolCall(call); err != nil {
			b.Fatal(err)
		}
	}
}
