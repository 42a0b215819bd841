// Package messenger reads from the issuer's messenger on a chain the least fee
// that it accepts for a burn.
package messenger

import (
	"context"
	"encoding/hex"
	"errors"

	"hubquote/internal/abi"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// getMinFeeAmount returns the least fee for an amount: a share of it that is
// counted in thousandths of a basis point.
var getMinFeeAmount = abi.Func{Name: "getMinFeeAmount", Args: []abi.Arg{{Type: "uint256", Name: "amount"}}}

const (
	// whole is how many thousandths of a basis point are everything. Asked about
	// this amount, the messenger answers with its rate.
	whole = 10_000_000

	// unit is how many of a [swap.IssuerRate] are a thousandth of a basis point.
	unit = 1_000_000
)

// A Chain is the messenger of one chain and the nodes that are asked about it.
type Chain struct {
	nodes *quorum.Nodes
	call  map[string]string
}

// New returns the messenger at an address.
func New(nodes *quorum.Nodes, address swap.Address) *Chain {
	selector := getMinFeeAmount.Selector()
	var amount swap.Amount
	amount.SetUint64(whole)
	word := amount.Bytes32()
	return &Chain{nodes, map[string]string{"to": address.String(), "data": "0x" + hex.EncodeToString(append(selector[:], word[:]...))}}
}

// MinFee returns the least share of a burn that the issuer must be allowed to
// take. It is zero where the messenger is of an edition without the function, which
// reverts. A node that refuses the call for another reason, such as too many
// requests, says nothing about the fee, and opens no breaker.
func (c *Chain) MinFee(ctx context.Context) (swap.IssuerRate, error) {
	rate, _, err := quorum.Ask(ctx, c.nodes, func(ctx context.Context, n quorum.Caller, at node.Block) (swap.IssuerRate, error) {
		var answer string
		err := n.Call(ctx, &answer, "eth_call", c.call, at.ID())
		if _, reverted := errors.AsType[*node.Revert](err); reverted {
			return 0, nil
		}
		switch {
		case errors.Is(err, node.Refused):
			return 0, quorum.BadValue(node.Refused)
		case err != nil:
			return 0, err
		}
		return parse(answer)
	})
	return rate, err
}

// parse reads a rate. Everything and more is no rate.
func parse(answer string) (swap.IssuerRate, error) {
	if answer == "0x" {
		return 0, nil
	}
	word, err := node.ParseBytes(answer, abi.WordSize)
	if err != nil {
		return 0, err
	}
	var rate swap.Amount
	if rate.SetBytes(word); !rate.IsUint64() || rate.Uint64() >= whole {
		return 0, upstream.Malformed
	}
	return swap.IssuerRate(rate.Uint64() * unit), nil
}
