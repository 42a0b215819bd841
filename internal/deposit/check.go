package deposit

import (
	"errors"
	"fmt"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

var (
	errTarget = errors.New("deposit: the target is not the route's")
	errNative = errors.New("deposit: a native swap sends its amount as value and approves nothing")
	errToken  = errors.New("deposit: an ERC-20 swap approves its amount to its target and sends no value")
	errPool   = errors.New("deposit: the pool call is not that of the deposit")
	errBurn   = errors.New("deposit: the burn is not that of the deposit")
	errRefund = errors.New("deposit: a burn has no address for refunds")
	errHook   = errors.New("deposit: the hook is not that of the deposit")
)

// Check reads the bytes of a payload back and compares them with the deposit
// they were made from. It returns the call it read: a [*calldata.PoolCall] or a
// [*calldata.HookedBurn]. It can only fail if this program is wrong; the caller
// must then refuse to answer.
func (d *Deposit) Check(p *swap.Payload) (swap.Call, error) {
	if p.To != d.Route.Target || p.To.IsZero() {
		return nil, errTarget
	}
	if err := d.checkValue(p); err != nil {
		return nil, err
	}
	if d.Route.Kind == swap.CCTPInbound {
		return d.checkBurn(p.Calldata)
	}
	return d.checkPool(p.Calldata)
}

func (d *Deposit) checkValue(p *swap.Payload) error {
	a := p.Approval
	if d.Route.SrcToken.IsNative() {
		if a != nil || p.Value != d.Amount {
			return errNative
		}
		return nil
	}
	if a == nil || !p.Value.IsZero() || a.Spender != p.To || a.Token != d.Route.SrcToken.Address || a.Amount != d.Amount {
		return errToken
	}
	return nil
}

func (d *Deposit) checkPool(call []byte) (swap.Call, error) {
	c, err := calldata.ParsePoolCall(call)
	if err != nil {
		return nil, fmt.Errorf("pool call: %w", err)
	}
	if c.DstChain != d.Route.Dst.ID || c.Amount != d.Amount || c.DstToken != d.Route.DstToken.Address ||
		c.Integrator != d.Integrator || c.RefundTo != d.RefundTo || !c.Recipient.Equal(d.Recipient) {
		return nil, errPool
	}
	return &c, nil
}

func (d *Deposit) checkBurn(call []byte) (swap.Call, error) {
	if !d.RefundTo.IsZero() {
		return nil, errRefund
	}
	c, err := calldata.ParseHookedBurn(call)
	if err != nil {
		return nil, fmt.Errorf("burn: %w", err)
	}
	b := d.Route.Burn
	if c.Amount != d.Amount || c.Domain != b.Gateway || c.Recipient != b.Receiver || c.Caller != b.Receiver ||
		c.Token != d.Route.SrcToken.Address || c.MaxFee != d.MaxFee || c.Finality != b.Finality || b.Receiver.IsZero() {
		return nil, errBurn
	}
	h := &c.Order
	if h.DstChain != d.Route.Dst.ID || h.DstToken != d.Route.DstToken.Address ||
		h.Integrator != d.Integrator || !h.Recipient.Equal(d.Recipient) {
		return nil, errHook
	}
	return &c, nil
}
