package calldata

import "hubquote/swap"

// A Deposit is a resolved swap: all that its bytes depend on.
type Deposit struct {
	Route      *swap.Route
	Amount     swap.Amount
	Recipient  []byte
	Type       swap.RecipientType
	Integrator swap.IntegratorID
	MaxFee     swap.Amount // for burns only
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
	c := PoolCall{
		DstChain: d.Route.Dst.ID, Amount: d.Amount,
		Recipient: d.Recipient, Type: d.Type,
		DstToken: d.Route.DstToken.Address, Integrator: d.Integrator,
	}
	return c.Bytes()
}

// burn names the receiver twice: as the one who is minted to, and as the only
// one who may mint. With an open caller anyone could mint and skip the hook,
// and the money would sit in the receiver without an owner.
func (d *Deposit) burn() []byte {
	h := Hook{
		DstChain: d.Route.Dst.ID, DstToken: d.Route.DstToken.Address,
		Integrator: d.Integrator, Type: d.Type, Recipient: d.Recipient,
	}
	b := d.Route.Burn
	c := BurnCall{
		Amount: d.Amount, Domain: b.Gateway, Recipient: b.Receiver,
		Token: d.Route.SrcToken.Address, Caller: b.Receiver,
		MaxFee: d.MaxFee, Finality: b.Finality,
		Hook: h.Append(make([]byte, 0, h.Len())),
	}
	return c.Bytes()
}

// approval allows the contract that is called, and nobody else, to take the
// amount, and not a unit more.
func (d *Deposit) approval() *swap.Approval {
	call := ApproveCall{Spender: d.Route.Target, Amount: d.Amount}
	a := &swap.Approval{
		Token: d.Route.SrcToken.Address, Spender: d.Route.Target,
		Amount: d.Amount, Calldata: call.Bytes(),
	}
	if d.Route.SrcToken.ApproveReset {
		reset := ApproveCall{Spender: d.Route.Target}
		a.Reset = reset.Bytes()
	}
	return a
}
