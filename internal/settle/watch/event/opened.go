package event

import (
	"fmt"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/fee"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/swap"
)

func opened(r *Reader, log *types.Log, e *Event) ([]Event, error) {
	said, err := contract.ReadOpened(log)
	if err != nil {
		return nil, err
	}
	o := &order.Order{ID: e.Fact.Order, Src: e.At}
	if o.Body, err = contract.Pool.ABI().Methods["refund"].Inputs.Pack(said.Order); err != nil {
		return nil, fmt.Errorf("order %v: %w", o.ID, err)
	}
	source, _ := r.Contracts.At(e.At)
	o.Generation, o.Asset, o.Burn = source.Generation, source.Token, source.Kind == roster.Receiver
	if err := numbers(o, said); err != nil {
		return nil, err
	}
	if o.Dst.Address = swap.Address(said.Order.DstPool); o.Unpayable() && said.Order.RefundTo == (common.Address{}) {
		o.Amount = swap.Amount{} // not held: the last resort has it
	}
	if payer, known := r.Contracts.Find(o.Dst.Address); known {
		o.Dst.Chain = payer.Chain
		o.Pays, err = most(&said.Order, payer)
	}
	e.Event, e.Order = order.EventOpened, o
	return []Event{*e}, err
}

// numbers takes over what a contract could not have written otherwise.
func numbers(o *order.Order, said *contract.Opened) error {
	deposit, over := uint256.FromBig(said.Deposit)
	deadline := said.Order.Deadline
	if over || !said.Number.IsUint64() || !deadline.IsInt64() || deadline.Int64() > math.MaxInt32*100 {
		return fmt.Errorf("order %v: a number is too large", o.ID)
	}
	o.Amount, o.Running, o.Deadline = *deposit, said.Number.Uint64(), time.Unix(deadline.Int64(), 0).UTC()
	return nil
}

// maxDecimals is the most decimals of a token, a constant of the contracts.
const maxDecimals = 18

// most is the most that a payment takes from its pool, as the quote service counts
// it too: an order that was quoted fits.
func most(o *contract.Order, payer *roster.Contract) (swap.Amount, error) {
	if o.SrcDecimals > maxDecimals || payer.Decimals > maxDecimals || o.Amount.BitLen() > 128 {
		return swap.Amount{}, fmt.Errorf("order %s: a number is too large", o.ID())
	}
	deposit, _ := uint256.FromBig(o.Amount)
	return fee.Payment{From: o.SrcDecimals, To: payer.Decimals, Borne: bears(o, payer)}.Most(deposit)
}

// bears reports whether a third party takes a fee that the payer bears: a gateway
// burns for other places than its own, and a privacy pool takes its part always.
func bears(o *contract.Order, payer *roster.Contract) bool {
	here := o.DstPlace.IsUint64() && o.DstPlace.Uint64() == uint64(payer.Chain)
	return payer.Kind == roster.ShieldPool || payer.Kind == roster.GatewayPool && !here
}

// Body reads what an order's row keeps.
func Body(o *order.Order) (*contract.Order, error) {
	values, err := contract.Pool.ABI().Methods["refund"].Inputs.Unpack(o.Body)
	if err != nil {
		return nil, fmt.Errorf("order %v: %w", o.ID, err)
	}
	var body struct{ Order contract.Order }
	if err := contract.Pool.ABI().Methods["refund"].Inputs.Copy(&body, values); err != nil {
		return nil, fmt.Errorf("order %v: %w", o.ID, err)
	}
	return &body.Order, nil
}

// Owner returns who is owed what an order credits at a contract: its recipient
// where it is paid, its depositor where it was made.
func Owner(o *order.Order, at order.Pool) (swap.Address, error) {
	body, err := Body(o)
	switch {
	case err != nil:
		return swap.Address{}, err
	case at == o.Src:
		return swap.Address(body.RefundTo), nil
	case len(body.Recipient) == common.AddressLength:
		return swap.Address(body.Recipient), nil
	}
	return swap.Address{}, nil
}
