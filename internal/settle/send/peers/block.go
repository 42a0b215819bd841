package peers

import (
	"context"
	"encoding/hex"

	"hubquote/internal/quorum/node"
	"hubquote/swap"
)

// Head returns the latest block's number as one node names it.
func (p *Peers) Head(ctx context.Context) (number uint64, err error) {
	err = p.one(ctx, func(n *peer) error {
		b, err := block(ctx, n, "latest")
		number = b.number
		return err
	})
	return number, err
}

type header struct {
	number uint64
	base   swap.Amount
}

// block reads a block's number, and its base fee if it has one.
func block(ctx context.Context, n *peer, tag string) (header, error) {
	var b *struct {
		Number        *number
		BaseFeePerGas amount
	}
	if err := n.Call(ctx, &b, "eth_getBlockByNumber", tag, false); err != nil {
		return header{}, err
	}
	if b == nil || b.Number == nil {
		n.failed.Store(true)
		return header{}, node.OutOfStep
	}
	return header{uint64(*b.Number), swap.Amount(b.BaseFeePerGas)}, nil
}

// Broadcast sends a signed transaction to all nodes. It returns after the first
// that takes it; the others go on. An error does not mean that none has it.
func (p *Peers) Broadcast(ctx context.Context, raw []byte) (err error) {
	background := context.WithoutCancel(ctx)
	answers := each(p, p.nodes, func(n *peer) (struct{}, error) {
		var ignored any
		return struct{}{}, n.Call(background, &ignored, "eth_sendRawTransaction", text(raw))
	})
	for range p.nodes {
		select {
		case a := <-answers:
			if a.err == nil {
				return nil
			}
			err = a.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func text(b []byte) string { return "0x" + hex.EncodeToString(b) }
