package status

import (
	"hubquote/internal/record"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/burn"
	"hubquote/swap"
)

// legs are the transactions of the swap, in the order of a life.
func (v *view) legs(atlas *Atlas) (legs []swap.Leg) {
	if v.in != nil {
		legs = append(legs, burned(v.in, atlas))
	}
	for _, l := range []struct {
		kind swap.LegKind
		row  *journal.Fact
	}{
		{swap.LegDeposit, v.opened.Fact}, {swap.LegCancel, v.cancelled.Fact}, {swap.LegPayment, v.paid.Fact}, {swap.LegClaim, v.claimed.Fact},
		{swap.LegRefund, v.refunded.Fact}, {swap.LegReclaim, v.reclaimed.Fact}, {swap.LegClaim, v.claimedBack.Fact},
	} {
		if l.row != nil {
			legs = append(legs, legOf(l.kind, l.row))
		}
	}
	if minted(v.out) {
		legs = append(legs, mint(swap.LegMint, v.out, &v.body.DstPlace))
	}
	if minted(v.back) {
		legs = append(legs, mint(swap.LegReturn, v.back, &v.body.SrcPlace))
	}
	return legs
}

func legOf(kind swap.LegKind, f *journal.Fact) swap.Leg {
	return swap.Leg{
		Kind: kind, Chain: f.Chain, Tx: swap.Hash(f.Tx), Block: f.Block, BlockHash: swap.Hash(f.Hash),
		Time: f.Time, Final: fact{Fact: f}.isFinal(),
	}
}

// burned is the leg of an inbound burn. The issuer signs only what it takes for
// final.
func burned(b *journal.Burn, atlas *Atlas) swap.Leg {
	return swap.Leg{Kind: swap.LegBurn, Chain: atlas.Domains[b.Domain], Tx: swap.Hash(b.Tx), Final: b.Attestation != nil}
}

func mint(kind swap.LegKind, b *journal.Burn, place *swap.Amount) swap.Leg {
	return swap.Leg{Kind: kind, Chain: swap.ChainID(place.Uint64()), Tx: swap.Hash(b.MintTx), Final: true}
}

// minted reports whether a burn was delivered, by any sender.
func minted(b *journal.Burn) bool { return b != nil && b.Status == string(burn.Delivered) }

// action is what any account can send to move the order on.
func (v *view) action(s swap.Stage, atlas *Atlas) *swap.Action {
	switch {
	case s == swap.StageClaimable && v.owedBack.Fact != nil:
		return &swap.Action{Kind: "claim", Chain: v.o.Src.Chain, To: v.o.Src.Address, Data: record.ClaimFor(v.body.RefundTo)}
	case s == swap.StageClaimable && len(v.body.Recipient) == len(swap.Address{}):
		return &swap.Action{Kind: "claim", Chain: v.o.Dst.Chain, To: v.o.Dst.Address, Data: record.ClaimFor(swap.Address(v.body.Recipient))}
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

// Burned returns the status of an inbound burn that is no order yet. Its step
// does not depend on the attestation, which is dropped when it expires.
func Burned(b *journal.Burn, atlas *Atlas) swap.Status {
	s := swap.Status{
		Stage: swap.StageAttesting, Mark: swap.Mark{Step: stepBurned},
		Delayed: b.Delay != "", Legs: []swap.Leg{burned(b, atlas)},
	}
	switch {
	case b.Attestation != nil:
		s.Reason = "in_flight"
	case b.Status == string(burn.Ignored):
		s.Stage, s.Reason = swap.StageUnknown, swap.WhyNoOrder
	default:
		s.Reason = "issuer"
	}
	return s
}
