package main

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/record"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

const batch = 2000 // orders in one transaction of the journal

var began = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// fill writes orders in every stage of a direct swap, and the cursors of 21
// chains.
func fill(ctx context.Context, place string, orders int) (err error) {
	j, err := open(ctx, place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	w, err := j.Acquire(ctx, "settlebench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Release(ctx)) }()
	err = w.Write(ctx, func(tx journal.Tx) error {
		for chain := range swap.ChainID(21) {
			for _, pass := range []string{"head", "final"} {
				if err := tx.SetCursor(ctx, journal.Cursor{Chain: chain + 1, Pass: pass, Number: 1_000_000}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for n := 0; n < orders && err == nil; n += batch {
		err = w.Write(ctx, func(tx journal.Tx) error {
			for i := n; i < min(n+batch, orders); i++ {
				if err := put(ctx, tx, uint64(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return err
}

// put writes one order and its events. Half of them are paid.
func put(ctx context.Context, tx journal.Tx, n uint64) error {
	body := &swap.Order{
		SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, RefundTo: swap.Address{2}, Nonce: *uint256.NewInt(n), SrcDecimals: 6,
		Amount: *uint256.NewInt(25_500_000), DstPlace: *uint256.NewInt(8453), DstPool: swap.Address{3}, DstToken: swap.Address{4},
		Rate: 3000, Recipient: make([]byte, 20), Deadline: uint64(began.Add(72 * time.Hour).Unix()),
	}
	o := journal.Order{
		Order: order.Order{
			ID: order.ID(record.ID(body)), Running: n, Src: order.Pool{Chain: 369, Address: body.SrcPool}, Dst: order.Pool{Chain: 8453, Address: body.DstPool},
			Amount: body.Amount, Pays: *uint256.NewInt(25_372_500), Deadline: began.Add(72 * time.Hour), Body: record.Encode(body),
		},
		SrcTx: txOf(1, n), Proof: order.Final, State: order.Paying, Since: began,
	}
	event := func(e order.Event, chain swap.ChainID, tx order.Hash) journal.Fact {
		return journal.Fact{Order: o.ID, Event: e, Fact: order.Fact{Chain: chain, Tx: tx, Block: n/50 + 1, Hash: tx, Time: began, Proof: order.Final}}
	}
	if err := errors.Join(tx.PutOrder(ctx, o), tx.PutFact(ctx, event(order.EventOpened, 369, o.SrcTx))); err != nil || n%2 == 0 {
		return err
	}
	return errors.Join(
		tx.PutFact(ctx, event(order.EventPaid, 8453, txOf(2, n))), tx.PutFact(ctx, event(order.EventReleased, 369, txOf(3, n))),
		tx.SetState(ctx, o.ID, journal.Decision{State: order.Closed, At: began}),
	)
}

// txOf is the hash of a transaction: spread out, as real ones are.
func txOf(kind byte, n uint64) (h order.Hash) {
	h[0] = kind
	binary.BigEndian.PutUint64(h[8:], n*0x9e3779b97f4a7c15)
	binary.BigEndian.PutUint64(h[16:], n)
	return order.Hash(record.ID(&swap.Order{Recipient: h[:]}))
}
