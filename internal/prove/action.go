package prove

import (
	"fmt"

	"hubquote/internal/deployment/third"
	"hubquote/internal/record"
	"hubquote/internal/settle/message"
	"hubquote/swap"
)

// action derives the call again. One that cannot be derived, such as one to a
// contract that is not pinned, is left out of the report: a wallet must not be
// handed a call of the server's choice. One that is another call than the order
// makes is an error.
func (c *check) action() error {
	a := c.s.Action
	if a == nil {
		return nil
	}
	kept, err := false, error(nil)
	switch a.Kind {
	case "relay":
		kept = c.relays(a)
	case "mint":
		kept = c.mints(a)
	default:
		kept, err = c.calls(a)
	}
	if !kept {
		c.report.Status.Action = nil
	}
	return err
}

// relays reports whether a call gives a burn to a pinned receiver. The burn is
// the receiver's to judge, and the issuer's signature its proof.
func (c *check) relays(a *swap.Action) bool {
	m, err := message.Parse(record.ReadRelay(a.Data))
	return err == nil && c.Pinned[Contract{a.Chain, a.To}] && m.MintTo() == message.WordOf(a.To) && c.burned(m)
}

// mints reports whether a call has the issuer mint what the order's own contract
// burned: for its recipient where it ends, or for the owner of a refund
// where it began.
func (c *check) mints(a *swap.Action) bool {
	m, err := message.Parse(record.ReadReceiveMessage(a.Data))
	if err != nil || a.To != third.Transmitter || c.s.Order == nil || !c.burned(m) {
		return false
	}
	o, by, place, to := c.s.Order, c.dst, &c.s.Order.DstPlace, swap.Address{}
	if len(o.Recipient) == len(to) {
		to = swap.Address(o.Recipient)
	}
	if c.leg(swap.LegRefund, swap.LegReclaim) != nil {
		by, place, to = c.src, &o.SrcPlace, o.RefundTo
	}
	return by.Chain != 0 && m.Sender() == message.WordOf(by.Address) && m.MintTo() == message.WordOf(to) && place.IsUint64() && place.Uint64() == uint64(a.Chain)
}

// burned reports whether a message is one that a leg burned, as far as the
// caller's nodes have its receipt.
func (c *check) burned(m message.Message) bool {
	for _, l := range c.report.Legs {
		sent := []string{}
		if r := c.receipts[l.Tx]; r != nil {
			sent = messagesSent(r.logs)
		}
		for _, body := range sent {
			if body == burnOf(m) {
				return true
			}
		}
		if len(sent) > 0 {
			return false
		}
	}
	return true
}

// calls compares a claim or a reclaim with what the order makes. It is false for
// a contract that is not pinned.
func (c *check) calls(a *swap.Action) (kept bool, err error) {
	o := c.s.Order
	if o == nil {
		return false, nil
	}
	var want swap.Action
	switch back := c.leg(swap.LegRefund, swap.LegReclaim) != nil; {
	case a.Kind == "reclaim":
		want = swap.Action{Chain: c.src.Chain, To: o.SrcPool, Data: record.Reclaim(o)}
	case a.Kind == "claim" && back:
		want = swap.Action{Chain: c.src.Chain, To: o.SrcPool, Data: record.ClaimFor(o.RefundTo)}
	case a.Kind == "claim" && len(o.Recipient) == len(swap.Address{}):
		want = swap.Action{Chain: c.dst.Chain, To: o.DstPool, Data: record.ClaimFor(swap.Address(o.Recipient))}
	default:
		return false, &Contradiction{"action.kind", a.Kind, "no such call for this order"}
	}
	switch {
	case want.Chain == 0: // not pinned
		return false, nil
	case a.Chain != want.Chain:
		return false, &Contradiction{"action.chainId", fmt.Sprint(a.Chain), fmt.Sprint(want.Chain)}
	case a.To != want.To || string(a.Data) != string(want.Data):
		return false, &Contradiction{"action", a.To.String() + " " + hexOf(a.Data), want.To.String() + " " + hexOf(want.Data)}
	}
	return true, nil
}
