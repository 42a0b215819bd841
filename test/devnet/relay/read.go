package relay

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/test/devnet/evm"
)

// read asks a pool, on the newest state.
func read[T any](ctx context.Context, c *evm.Chain, pool common.Address, function string, args ...any) (result T, err error) {
	out, err := c.Call(ctx, pool, contract.Pool.Call(function, args...))
	if err != nil {
		return result, err
	}
	return contract.Result[T](contract.Pool, function, out)
}

// heldBy returns those orders whose deposit a contract still holds. A release
// is final only some blocks after it was sent, and until then it looks due.
func heldBy(ctx context.Context, c *evm.Chain, pool common.Address, ids [][32]byte) (held [][32]byte, err error) {
	for _, id := range ids {
		amount, err := read[*big.Int](ctx, c, pool, "held", id)
		if err != nil {
			return nil, err
		}
		if amount.Sign() != 0 {
			held = append(held, id)
		}
	}
	return held, nil
}
