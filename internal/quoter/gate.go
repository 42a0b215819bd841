package quoter

import (
	"bytes"
	"errors"
	"fmt"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

// gate is the last look at an answer before it leaves: the bytes are read back
// and must say what was asked for. It can only fail if this program is wrong,
// and then no answer is better than that one.
func gate(q *swap.Quote, d *calldata.Deposit) error {
	p := &q.Payload
	if p.To != q.Route.Target || p.To.IsZero() {
		return errors.New("quoter: gate: the target is not the route's")
	}
	if err := gateValue(q); err != nil {
		return err
	}
	if q.Route.Kind == swap.CCTPInbound {
		return gateBurn(p.Calldata, d)
	}
	return gatePool(p.Calldata, d)
}

func gateValue(q *swap.Quote) error {
	p, a := &q.Payload, q.Payload.Approval
	if q.Route.SrcToken.IsNative() {
		if a != nil || p.Value != q.Amount {
			return errors.New("quoter: gate: a native swap sends its amount as value and approves nothing")
		}
		return nil
	}
	if a == nil || !p.Value.IsZero() || a.Spender != p.To || a.Token != q.Route.SrcToken.Address || a.Amount != q.Amount {
		return errors.New("quoter: gate: an ERC-20 swap approves its amount to its target and sends no value")
	}
	return nil
}

func gatePool(call []byte, d *calldata.Deposit) error {
	c, err := calldata.ParsePoolCall(call)
	if err != nil {
		return fmt.Errorf("quoter: gate: %w", err)
	}
	if c.DstChain != d.Route.Dst.ID || c.Amount != d.Amount || c.DstToken != d.Route.DstToken.Address ||
		c.Type != d.Type || c.Integrator != d.Integrator || !bytes.Equal(c.Recipient, d.Recipient) {
		return errors.New("quoter: gate: the pool call does not say what was asked")
	}
	return nil
}

func gateBurn(call []byte, d *calldata.Deposit) error {
	c, err := calldata.ParseBurnCall(call)
	if err != nil {
		return fmt.Errorf("quoter: gate: %w", err)
	}
	b := d.Route.Burn
	if c.Amount != d.Amount || c.Domain != b.Gateway || c.Recipient != b.Receiver || c.Caller != b.Receiver ||
		c.Token != d.Route.SrcToken.Address || c.MaxFee != d.MaxFee || c.Finality != b.Finality || b.Receiver.IsZero() {
		return errors.New("quoter: gate: the burn does not say what was asked")
	}
	h, err := calldata.ParseHook(c.Hook)
	if err != nil {
		return fmt.Errorf("quoter: gate: hook: %w", err)
	}
	if h.DstChain != d.Route.Dst.ID || h.DstToken != d.Route.DstToken.Address || h.Type != d.Type ||
		h.Integrator != d.Integrator || !bytes.Equal(h.Recipient, d.Recipient) {
		return errors.New("quoter: gate: the hook does not say what was asked")
	}
	return nil
}
