// Package state asks contracts for their state, by quorum at a block near the
// head. Older states are not asked for: ordinary nodes do not keep them.
package state

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

// A call is one call of the lens.
type call struct {
	function string
	args     []any
}

// ask makes calls of the lens at one block, and returns what enough endpoints
// answered to all of them.
func ask(ctx context.Context, n *quorum.Nodes, calls []call) ([][]any, node.Block, error) {
	answer, at, err := quorum.Ask(ctx, n, func(ctx context.Context, c quorum.Caller, at node.Block) (string, error) {
		all := ""
		for _, q := range calls {
			got, err := one(ctx, c, at, q)
			if err != nil {
				return "", err
			}
			all += fmt.Sprintf("%08x%s", len(got), got)
		}
		return all, nil
	})
	if err != nil {
		return nil, at, err
	}
	results := make([][]any, len(calls))
	for i, q := range calls {
		var size int
		if _, err := fmt.Sscanf(answer[:8], "%08x", &size); err != nil {
			return nil, at, err
		}
		if results[i], err = contract.Lens.ABI().Unpack(q.function, []byte(answer[8:8+size])); err != nil {
			return nil, at, fmt.Errorf("lens: %s: %w", q.function, err)
		}
		answer = answer[8+size:]
	}
	return results, at, nil
}

// one makes one call. The lens is not deployed: its code and the call are given
// to a call without recipient, which answers with a zero byte and the result.
func one(ctx context.Context, c quorum.Caller, at node.Block, q call) (string, error) {
	data := contract.LensCall.Init(contract.Lens.Call(q.function, q.args...))
	var answer hexutil.Bytes
	if err := c.Call(ctx, &answer, "eth_call", map[string]any{"data": hexutil.Bytes(data)}, at.ID()); err != nil {
		return "", err
	}
	if len(answer) == 0 || answer[0] != 0 {
		return "", upstream.Malformed
	}
	return string(answer[1:]), nil
}

// as turns a result of the lens into a Go type with the same fields.
func as[T any](result any) T { return *abi.ConvertType(result, new(T)).(*T) }
