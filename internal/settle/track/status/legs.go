package status

import (
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
	return swap.Leg{
		Kind: swap.LegBurn, Chain: atlas.Domains[b.Domain], Tx: swap.Hash(b.Tx), Block: b.Block, Time: b.Mined, Final: b.Attestation != nil,
	}
}

func mint(kind swap.LegKind, b *journal.Burn, place *swap.Amount) swap.Leg {
	return swap.Leg{Kind: kind, Chain: swap.ChainID(place.Uint64()), Tx: swap.Hash(b.MintTx), Block: b.MintBlock, Final: arrived(b)}
}

// minted reports whether a burn was delivered, by any sender.
func minted(b *journal.Burn) bool { return b != nil && b.Status == string(burn.Delivered) }

// arrived reports whether the mint of a burn is final. Where one endpoint alone
// says so it is still looked at again, daily. If that takes it back, the journal
// raises the revision.
func arrived(b *journal.Burn) bool { return b != nil && b.Arrived() }
