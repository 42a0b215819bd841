// Package deposit turns a resolved swap into the transactions that perform it,
// and reads them back before they are returned.
package deposit

import (
	"hubquote/internal/calldata"
	"hubquote/swap"
)

// A Deposit is a resolved swap: its bytes depend on nothing else.
type Deposit struct {
	Route      *swap.Route
	Amount     swap.Amount
	Recipient  calldata.Recipient
	Integrator swap.IntegratorID
	RefundTo   swap.Address // zero for none; not for burns
	MaxFee     swap.Amount  // for burns only
}

// Payload returns the transactions that perform the deposit.
func (d *Deposit) Payload() swap.Payload {
	p := swap.Payload{To: d.Route.Target}
	if d.Route.Kind == swap.CCTPInbound {
		p.Calldata = d.burn()
	} else {
		p.Calldata = d.poolCall()
	}
	if d.Route.SrcToken.IsNative() {
		p.Value = d.Amount
	} else {
		p.Approval = d.approval()
	}
	return p
}

func (d *Deposit) poolCall() []byte {
	c := calldata.PoolCall{
		DstChain: d.Route.Dst.ID, Amount: d.Amount,
		Recipient: d.Recipient,
		DstToken:  d.Route.DstToken.Address, Integrator: d.Integrator, RefundTo: d.RefundTo,
	}
	return c.Bytes()
}

// burn names the receiver twice: as the account that is minted to, and as the
// only one that may mint. With an open caller anyone could mint and skip the
// hook, and the money would stay in the receiver without an owner.
func (d *Deposit) burn() []byte {
	h := calldata.Hook{
		DstChain: d.Route.Dst.ID, DstToken: d.Route.DstToken.Address,
		Integrator: d.Integrator, Recipient: d.Recipient,
	}
	b := d.Route.Burn
	c := calldata.BurnCall{
		Amount: d.Amount, Domain: b.Gateway, Recipient: b.Receiver,
		Token: d.Route.SrcToken.Address, Caller: b.Receiver,
		MaxFee: d.MaxFee, Finality: b.Finality,
		Hook: h.Append(make([]byte, 0, h.Len())),
	}
	return c.Bytes()
}

// approval allows the contract that is called, and no other, to take the amount,
// and not a unit more.
func (d *Deposit) approval() *swap.Approval {
	call := calldata.ApproveCall{Spender: d.Route.Target, Amount: d.Amount}
	a := &swap.Approval{
		Token: d.Route.SrcToken.Address, Spender: d.Route.Target,
		Amount: d.Amount, Calldata: call.Bytes(),
	}
	if d.Route.SrcToken.ApproveReset {
		reset := calldata.ApproveCall{Spender: d.Route.Target}
		a.Reset = reset.Bytes()
	}
	return a
}
