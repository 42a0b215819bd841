package prove_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/internal/prove"
	"hubquote/swap"
)

// at moves a leg to another block.
func (w *world) at(c *chain, l swap.Leg, number string, block uint64) swap.Leg {
	l.Block, l.BlockHash = block, blockHash(number)
	r := c.receipts[l.Tx.String()].(map[string]any)
	r["blockNumber"], r["blockHash"] = number, l.BlockHash
	return l
}

func (w *world) claim(t *testing.T) swap.Leg {
	return mine(w.base, swap.LegClaim, 8453, 9, claimedBy(t, alice))
}

func claimedBy(t *testing.T, a swap.Address) any {
	return event(t, contract.Pool, basePool, "Claimed", []swap.Hash{topic(a), {1}}, common.Address(a), big.NewInt(1))
}

func (b burn) receivedAt(t *testing.T, at swap.Address, sender [32]byte, nonce byte) any {
	return event(t, contract.Transmitter, at, "MessageReceived", []swap.Hash{{1}, {31: nonce}, {3}}, uint32(2), sender, b.message(5)[148:])
}

type forgery struct {
	name  string
	world func(*testing.T) *world
}

var (
	other     = burn{from: basePool, mintTo: swap.Address{0x99}}
	messenger = [32]byte(out.message(0)[44:76])
)

// forge alters an honest world whose deposit is asked about.
func forge(honest func(*testing.T) *world, alter func(*testing.T, *world)) func(*testing.T) *world {
	return func(t *testing.T) *world {
		w := honest(t)
		w.asked = w.s.Legs[0].Tx
		alter(t, w)
		return w
	}
}

// ofOthers has the hash that is asked about added to an order that it is no part of.
func ofOthers(id swap.ChainID) func(*testing.T, *world) {
	return func(_ *testing.T, w *world) {
		w.asked = swap.Hash{0xee}
		w.s.Legs = append(w.s.Legs, swap.Leg{Kind: swap.LegDeposit, Chain: id, Tx: w.asked})
	}
}

// forgeries are what a server can say that adds legs and makes transactions of
// its own. None is the end of the order that was asked about.
var forgeries = []forgery{
	{"an order of others, the hash on a chain without a node", forge(direct, ofOthers(999))},
	{"an order of others, the hash on a chain that does not have it", forge(direct, ofOthers(369))},
	{"a refund of others", forge(refunded, ofOthers(999))},
	{"a mint that another contract wrote", forge(outbound, func(t *testing.T, w *world) {
		w.s.Legs[2] = mine(w.op, swap.LegMint, 10, 9, out.receivedAt(t, swap.Address{0xbb}, messenger, 7))
	})},
	{"a mint of a message of another sender", forge(outbound, func(t *testing.T, w *world) {
		w.s.Legs[2] = mine(w.op, swap.LegMint, 10, 9, out.receivedAt(t, third.Transmitter, [32]byte{1}, 7))
	})},
	{"a mint elsewhere", forge(outbound, func(t *testing.T, w *world) { w.s.Legs[2] = mine(w.hub, swap.LegMint, 369, 9, out.received(t)) })},
	{"the mint of another order of the batch, burned later", forge(outbound, func(t *testing.T, w *world) {
		w.s.Legs[1] = mine(w.base, swap.LegPayment, 8453, 2, out.sent(t), w.fulfilled(t, basePool, true), other.sent(t))
		w.s.Legs[2] = mine(w.op, swap.LegMint, 10, 9, other.received(t))
	})},
	{"the mint of another order of the batch, burned before", forge(outbound, func(t *testing.T, w *world) {
		w.s.Legs[1] = mine(w.base, swap.LegPayment, 8453, 2, other.sent(t), out.sent(t), w.fulfilled(t, basePool, true))
		w.s.Legs[2] = mine(w.op, swap.LegMint, 10, 9, other.received(t))
	})},
	{"a burn that another order of the transaction is made of", forge(inbound, func(t *testing.T, w *world) {
		w.s.Legs[1] = mine(w.base, swap.LegDeposit, 8453, 2, in.receivedAt(t, third.Transmitter, messenger, 8), w.opened(t, receiver))
	})},
	{"a claim older than the payment", forge(claimed, func(_ *testing.T, w *world) { w.s.Legs[2] = w.at(w.base, w.s.Legs[2], "0x1", 1) })},
	{"a claim earlier in the block of the payment", forge(claimed, func(t *testing.T, w *world) {
		w.s.Legs[2] = mine(w.base, swap.LegClaim, 8453, 1, claimedBy(t, alice))
	})},
	{"a claim earlier in the transaction of the payment", forge(claimed, func(t *testing.T, w *world) {
		w.s.Legs[1] = mine(w.base, swap.LegPayment, 8453, 2, claimedBy(t, alice), w.fulfilled(t, basePool, false))
		w.s.Legs[2] = w.s.Legs[1]
		w.s.Legs[2].Kind = swap.LegClaim
	})},
	{"a claim that is not final, and not called final", forge(claimed, func(_ *testing.T, w *world) {
		w.s.Legs[2] = w.at(w.base, w.s.Legs[2], "0x11", 0x11)
		w.s.Legs[2].Final = false
	})},
	{"a mint that is not final, and not called final", forge(outbound, func(_ *testing.T, w *world) {
		w.op.finalized = block - 1
		w.s.Legs[2].Final = false
	})},
	{"a refund that was burned back, without the mint", forge(returned, func(_ *testing.T, w *world) { w.s.Legs = w.s.Legs[:3] })},
}

func TestForgedLegsProveNothing(t *testing.T) {
	for _, f := range forgeries {
		w := f.world(t)
		if r, err := w.prover().Check(t.Context(), w.asked, &w.s); err == nil && r.Proved {
			t.Errorf("%s: %s is proved by %+v, want told or refused", f.name, r.Status.Stage, r.Legs)
		}
	}
}

func claimed(t *testing.T) *world {
	w := claimable(t)
	w.s.Stage, w.s.Action = swap.StageDone, nil
	w.s.Legs = append(w.s.Legs, w.claim(t))
	return w
}

// returned is an inbound burn that was refunded by burning it back.
func returned(t *testing.T) *world {
	w := inbound(t)
	w.s.Stage, w.hub.settlements[w.s.ID.String()] = swap.StageRefunded, 2
	back := burn{from: receiver, mintTo: w.s.Order.RefundTo}
	refund := event(t, contract.Pool, receiver, "OrderRefunded", []swap.Hash{w.s.ID, topic(w.s.Order.RefundTo)}, big.NewInt(99), uint8(2))
	w.s.Legs = append(w.s.Legs[:2], mine(w.base, swap.LegRefund, 8453, 4, back.sent(t), refund), mine(w.op, swap.LegReturn, 10, 5, back.received(t)))
	return w
}

// minted is a payment by burn whose mint is not final yet.
func minted(t *testing.T) *world {
	w := outbound(t)
	w.s.Stage, w.s.Mark.Step, w.s.Legs[2].Final, w.op.finalized = swap.StageDelivering, 5, false, block-1
	return w
}

// behind are honest answers that the caller's nodes cannot show yet, or that are
// behind the caller's nodes. They are no lies, and not proved.
var behind = map[string]func(*testing.T) *world{
	"a payment above the node's newest block": func(t *testing.T) *world {
		w := paidAhead(direct(t))
		w.base.head, w.base.finalized = block-1, block-1
		return w
	},
	"a payment by burn above the node's newest block": func(t *testing.T) *world {
		w := paidAhead(outbound(t))
		w.base.head, w.base.finalized = block-1, block-1
		w.asked = w.s.Legs[0].Tx
		return w
	},
	"a payment in a block that the node has not made canonical": func(t *testing.T) *world {
		w := direct(t)
		w.base.receipts[w.s.Legs[1].Tx.String()].(map[string]any)["blockHash"] = swap.Hash{0xbb}
		w.s.Legs[1].BlockHash = swap.Hash{0xbb}
		return w
	},
	"a payment that is not final at the node": func(t *testing.T) *world {
		w := direct(t)
		w.base.finalized = block - 1
		return w
	},
	"a claim that the node calls final already": func(t *testing.T) *world {
		w := claimed(t)
		w.s.Stage, w.s.Mark.Step, w.s.Legs[2].Final = swap.StageClaimable, 5, false
		return w
	},
}

// paidAhead has the payment in a block that the paying pool's node does not have.
func paidAhead(w *world) *world {
	clear(w.base.receipts)
	clear(w.base.settlements)
	return w
}

func TestHonestAnswerIsNoLieToNodeElsewhere(t *testing.T) {
	for name, make := range behind {
		w := make(t)
		r, err := w.prover().Check(t.Context(), w.asked, &w.s)
		if err != nil || r.Proved {
			t.Errorf("%s: Check = %+v, %v, want it told, and no error", name, r, err)
		}
	}
}

// A node that has passed the block of a payment and has none contradicts it.
func TestNodeAheadContradicts(t *testing.T) {
	for _, ahead := range []uint64{0, 1} {
		w := paidAhead(direct(t))
		w.base.head = block + ahead
		if r, err := w.prover().Check(t.Context(), w.asked, &w.s); err == nil {
			t.Errorf("the node has block %d and no payment: Check = %+v, want a contradiction", w.base.head, r)
		}
	}
}

// One address can be pinned on many chains. The order's places say which counts.
func TestContractIsFoundByChainAndAddress(t *testing.T) {
	for name, make := range worlds {
		w := make(t)
		p := w.prover()
		for _, at := range []swap.Address{hubPool, basePool, receiver} {
			p.Pinned[prove.Contract{Chain: 1, Address: at}] = true
		}
		if r, err := p.Check(t.Context(), w.asked, &w.s); err != nil || !r.Proved {
			t.Errorf("%s, the same addresses pinned on another chain: Check = %+v, %v, want proved", name, r, err)
		}
		p = w.prover()
		for pin := range p.Pinned {
			delete(p.Pinned, pin)
			p.Pinned[prove.Contract{Chain: 1, Address: pin.Address}] = true
		}
		if r, err := p.Check(t.Context(), w.asked, &w.s); err != nil || r.Proved || r.Status.Action != nil {
			t.Errorf("%s, pinned on another chain only: Check = %+v, %v, want it told, and no call offered", name, r, err)
		}
	}
}

// A place of a privacy pool is on the network that the pins say.
func TestPrivatePlaceIsOnItsNetwork(t *testing.T) {
	w := begin(t, 69696969, swap.Address{0x77}, 369, hubPool)
	w.s.Stage = swap.StagePaying
	w.s.Legs = []swap.Leg{mine(w.op, swap.LegDeposit, 1, 1, w.opened(t, swap.Address{0x77}))}
	p := w.prover()
	p.Nodes[1], p.Networks = w.op, map[swap.PlaceID]swap.ChainID{69696969: 1}
	p.Pinned[prove.Contract{Chain: 1, Address: swap.Address{0x77}}] = true
	if r, err := p.Check(t.Context(), w.s.Legs[0].Tx, &w.s); err != nil || !r.Proved {
		t.Errorf("Check = %+v, %v, want proved", r, err)
	}
}
