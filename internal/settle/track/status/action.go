package status

import (
	"time"

	"hubquote/internal/record"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/policy/burn"
	"hubquote/swap"
)

// action is what any account can send to move the order on.
func (v *view) action(s swap.Stage, atlas *Atlas) *swap.Action {
	switch {
	case s == swap.StageClaimable && v.owedBack.Fact != nil:
		return &swap.Action{Kind: "claim", Chain: v.o.Src.Chain, To: v.o.Src.Address, Data: record.ClaimFor(v.body.RefundTo)}
	case s == swap.StageClaimable && len(v.body.Recipient) == len(swap.Address{}):
		return &swap.Action{Kind: "claim", Chain: v.o.Dst.Chain, To: v.o.Dst.Address, Data: record.ClaimFor(swap.Address(v.body.Recipient))}
	case s == swap.StageAttesting:
		return atlas.relay(v.in)
	case v.out != nil:
		return atlas.mint(v.out, &v.body.DstPlace)
	case v.back != nil:
		return atlas.mint(v.back, &v.body.SrcPlace)
	case v.opened.Fact == nil, v.paid.Fact != nil, v.refunded.Fact != nil, v.reclaimed.Fact != nil:
		return nil
	}
	return v.reclaim()
}

// reclaim returns the deposit without the operator. An order that no pool can
// pay goes back at once, another one first announces it.
func (v *view) reclaim() *swap.Action {
	a := &swap.Action{Kind: "reclaim", Chain: v.o.Src.Chain, To: v.o.Src.Address, Data: record.Reclaim(v.body)}
	if !v.o.Unpayable() {
		a.After = v.o.Deadline.Add(announceableIn)
	}
	return a
}

// relay gives a signed burn to the receiver that it names, which makes an order
// of it.
func (a *Atlas) relay(b *journal.Burn) *swap.Action {
	if !signed(b) {
		return nil
	}
	m, err := message.Parse(b.Signed)
	if err != nil {
		return nil
	}
	return &swap.Action{Kind: "relay", Chain: a.Domains[m.Destination()], To: m.MintTo().Low(), Data: record.Relay(b.Signed, b.Attestation)}
}

// mint has the issuer's contract at a place mint a signed burn.
func (a *Atlas) mint(b *journal.Burn, place *swap.Amount) *swap.Action {
	if !signed(b) {
		return nil
	}
	return &swap.Action{Kind: "mint", Chain: swap.ChainID(place.Uint64()), To: a.Transmitter, Data: record.ReceiveMessage(b.Signed, b.Attestation)}
}

// signed reports whether a burn waits only to be delivered.
func signed(b *journal.Burn) bool {
	return b != nil && b.Signed != nil && b.Attestation != nil && !minted(b) && b.Status != string(burn.Ignored)
}

// Burned returns the status of an inbound burn that is no order yet. Its step
// does not depend on the attestation, which is dropped when it expires.
func Burned(now time.Time, b *journal.Burn, atlas *Atlas) swap.Status {
	s := swap.Status{
		Stage: swap.StageAttesting, Mark: swap.Mark{Step: stepBurned}, Since: b.Since, Reason: carried(b),
		Delayed: b.Delay != "", Legs: []swap.Leg{burned(b, atlas)}, Action: atlas.relay(b),
	}
	if b.Status == string(burn.Ignored) {
		s.Stage, s.Reason = swap.StageUnknown, swap.WhyNoOrder
		return s
	}
	if m, err := message.Parse(b.Sent); err == nil && atlas.Carried != nil && !b.Mined.IsZero() {
		expect(now, &s, b.Mined, atlas.Carried(m.Source(), m.Fast()))
	}
	return s
}
