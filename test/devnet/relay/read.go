package relay

import (
	"context"

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
		out, err := c.Call(ctx, pool, contract.Pool.Call("deposits", id))
		if err != nil {
			return nil, err
		}
		var d contract.Deposit
		if err := contract.Pool.Results(&d, "deposits", out); err != nil {
			return nil, err
		}
		if d.State != 0 {
			held = append(held, id)
		}
	}
	return held, nil
}
