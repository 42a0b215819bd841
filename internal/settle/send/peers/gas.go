package peers

import (
	"context"
	"encoding/hex"
	"errors"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Head returns the latest block's number and base fee.
func (p *Peers) Head(ctx context.Context) (number uint64, base swap.Amount, err error) {
	var b header
	err = p.one(ctx, func(n *peer) (err error) {
		b, err = block(ctx, n, "latest")
		return err
	})
	return b.number, b.base, err
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

// Tip returns what a node suggests to pay the block's maker. A node without that
// method names a whole price, of which base is not the tip.
func (p *Peers) Tip(ctx context.Context, base swap.Amount) (swap.Amount, error) {
	tip, err := p.amount(ctx, "eth_maxPriorityFeePerGas")
	if upstream.FaultOf(err) != node.Refused {
		return tip, err
	}
	price, err := p.amount(ctx, "eth_gasPrice")
	if price.Lt(&base) {
		return swap.Amount{}, err
	}
	return *price.Sub(&price, &base), err
}

// Balance returns the key's coins.
func (p *Peers) Balance(ctx context.Context) (swap.Amount, error) {
	return p.amount(ctx, "eth_getBalance", p.key.String(), "latest")
}

func (p *Peers) amount(ctx context.Context, method string, args ...any) (swap.Amount, error) {
	var a amount
	err := p.one(ctx, func(n *peer) error { return n.Call(ctx, &a, method, args...) })
	return swap.Amount(a), err
}

// Estimate returns the gas that a call needs, at most limit. One node that can
// do it is enough; that it reverts is believed when k nodes name the same
// error, and then the error is a [*node.Revert].
func (p *Peers) Estimate(ctx context.Context, to swap.Address, data []byte, limit uint64) (uint64, error) {
	call := map[string]string{"from": p.key.String(), "to": to.String(), "data": text(data), "gas": hexadecimal(limit)}
	var gas number
	var last *node.Revert
	votes := map[string]int{}
	err := p.one(ctx, func(n *peer) error {
		err := n.Call(ctx, &gas, "eth_estimateGas", call)
		revert, reverted := errors.AsType[*node.Revert](err)
		if !reverted {
			return err
		}
		last = revert
		if votes[name(revert)]++; votes[name(revert)] == p.k {
			return nil
		}
		return err
	})
	switch {
	case last == nil || err == nil && gas > 0:
		return uint64(gas), err
	case err == nil:
		return 0, last
	}
	return 0, ErrSplit
}

// name is the four bytes that name a contract's error, or less.
func name(r *node.Revert) string { return string(r.Data[:min(4, len(r.Data))]) }

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
