// Package prove checks a status against the caller's own nodes and pins. What a
// node confirms is proved; what no node was asked about, or a node cannot tell,
// is told; what a node contradicts is an error. No part of the answer is accepted
// without a check.
package prove

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hubquote/internal/record"
	"hubquote/swap"
)

// A Node is a JSON-RPC endpoint of one chain. The client of go-ethereum is one.
type Node interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
}

// A Contract is a contract of ours on a network.
type Contract struct {
	Chain   swap.ChainID
	Address swap.Address
}

// A Prover has what answers are compared with.
type Prover struct {
	Nodes map[swap.ChainID]Node

	// Pinned are the contracts that may open and pay orders.
	Pinned map[Contract]bool

	// Networks are those of the privacy pools' places. Every other place is a
	// network itself.
	Networks map[swap.PlaceID]swap.ChainID

	// Gateway is the network that takes and pays for places without a pool.
	Gateway swap.ChainID
}

// A Leg is a leg and what is known about it.
type Leg struct {
	swap.Leg
	Proved bool
	Why    string // why it is told only, or empty
}

// A Report is a status and what is known about it.
type Report struct {
	Status swap.Status
	Legs   []Leg

	// Proved says that the chains themselves show the stage: the payment or
	// the return, final at the caller's node, or that nothing is paid.
	Proved bool

	Received *swap.Amount  // what the payment's event says, once proved
	To       *swap.Address // who the payment or the return went to, once proved
}

// A Contradiction is a part of an answer that a node or the pins contradict.
type Contradiction struct{ Field, Said, Found string }

func (c *Contradiction) Error() string {
	return fmt.Sprintf("the status is not true: %s is %q, and the chain or the pins say %s", c.Field, c.Said, c.Found)
}

// Check compares the status of an order with the chains.
func (p *Prover) Check(ctx context.Context, tx swap.Hash, s *swap.Status) (*Report, error) {
	c := &check{Prover: p, ctx: ctx, s: s, report: &Report{Status: *s}, receipts: map[swap.Hash]*receipt{}, position: map[*Leg]uint64{}}
	for _, step := range []func() error{c.identity, func() error { return c.concerns(tx) }, c.legs, c.stage, c.action, func() error { return c.asked(tx) }} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c.report, nil
}

// A check is one run of a prover.
type check struct {
	*Prover
	ctx      context.Context
	s        *swap.Status
	report   *Report
	receipts map[swap.Hash]*receipt // of the legs
	position map[*Leg]uint64        // of the event that proves a leg, in its block
	src, dst Contract
	pinned   bool // both contracts are

	burnedBack bool // what was refunded is with the issuer until it is minted
}

// identity derives the ID again from the order, and finds its contracts.
func (c *check) identity() error {
	o := c.s.Order
	if o == nil {
		return nil
	}
	if id := record.ID(o); id != c.s.ID {
		return &Contradiction{"orderId", c.s.ID.String(), id.String()}
	}
	c.src, c.dst = c.contract(&o.SrcPlace, o.SrcPool), c.contract(&o.DstPlace, o.DstPool)
	c.pinned = c.src.Chain != 0 && (c.dst.Chain != 0 || o.DstPool.IsZero())
	return nil
}

// contract is the pinned one of a place: on its network, or on the one that takes
// and pays for it. An address alone is not enough, since many networks can have
// the same one.
func (c *check) contract(place *swap.Amount, a swap.Address) Contract {
	var network swap.ChainID
	if place.IsUint64() {
		id := swap.PlaceID(place.Uint64())
		network = cmp.Or(c.Networks[id], swap.ChainID(id))
	}
	for _, chain := range []swap.ChainID{network, c.Gateway} {
		if at := (Contract{chain, a}); c.Pinned[at] {
			return at
		}
	}
	return Contract{}
}

// concerns requires the transaction that was asked about to be one of the legs.
func (c *check) concerns(tx swap.Hash) error {
	for _, l := range c.s.Legs {
		if l.Tx == tx {
			return nil
		}
	}
	if c.s.Stage == swap.StageUnknown {
		return nil
	}
	return &Contradiction{"legs", "without the transaction asked about", "that it belongs to the swap"}
}

// asked takes the proof away unless the transaction that was asked about is
// itself proved to be one of this order: a server could add its hash to another
// order, on a chain without a node.
func (c *check) asked(tx swap.Hash) error {
	belongs := slices.ContainsFunc(c.report.Legs, func(l Leg) bool { return l.Tx == tx && l.Proved })
	c.report.Proved = c.report.Proved && belongs
	return nil
}

func (c *check) leg(kinds ...swap.LegKind) *Leg {
	for i := range c.report.Legs {
		for _, k := range kinds {
			if l := &c.report.Legs[i]; l.Kind == k {
				return l
			}
		}
	}
	return nil
}

// stage requires what the chains must show for the stage.
func (c *check) stage() error {
	switch s := c.s.Stage; s {
	case swap.StagePaid, swap.StageDelivering, swap.StageClaimable, swap.StageDone:
		if c.leg(swap.LegRefund, swap.LegReclaim) != nil && s == swap.StageClaimable {
			return c.back()
		}
		return c.paid()
	case swap.StageRefunding, swap.StageRefunded:
		return c.back()
	case swap.StagePaying, swap.StageConfirming:
		return c.unpaid()
	}
	return nil
}

// paid asks the paying pool itself, which needs no hash that was told. A node that
// has not come to the block of the payment contradicts nothing.
func (c *check) paid() error {
	pool, err := c.settlement()
	if err != nil {
		return err
	}
	pay := c.leg(swap.LegPayment)
	if pay == nil {
		return &Contradiction{"legs", "without a payment", "one for " + string(c.s.Stage)}
	}
	if pool.known && pool.state != 1 && pool.block >= pay.Block {
		return &Contradiction{"status", string(c.s.Stage), settlements[pool.state&3]}
	}
	mint, claim := c.leg(swap.LegMint), c.leg(swap.LegClaim)
	if found := c.unfit(pay, mint, claim); found != "" {
		return &Contradiction{"status", string(c.s.Stage), found}
	}
	c.report.Proved = pool.state == 1 && pay.Proved
	switch c.s.Stage {
	case swap.StageDone:
		c.report.Proved = c.report.Proved && pay.Final && ended(mint) && ended(claim) && c.follows(claim, pay)
	case swap.StageClaimable:
		c.report.Proved = c.report.Proved && !(claim != nil && ended(claim))
	}
	return nil
}

// ended reports whether a leg that is there is proved and final.
func ended(l *Leg) bool { return l == nil || l.Proved && l.Final }

// follows reports whether a claim is later than what is claimed, if only in the
// same block: an account may have taken an earlier claim.
func (c *check) follows(claim, owes *Leg) bool {
	return claim == nil || claim.Block > owes.Block || claim.Block == owes.Block && c.position[claim] > c.position[owes]
}

// unfit returns what does not fit a stage behind a payment, if anything.
func (c *check) unfit(pay, mint, claim *Leg) string {
	owes := pay.Proved && pay.Why == owed
	switch s := c.s.Stage; {
	case s == swap.StageDone && c.burnsOut() && mint == nil:
		return "that the payment was burned for another network, without a mint"
	case s == swap.StageDone && owes && claim == nil:
		return "that the payment is owed to the recipient"
	case s == swap.StageDelivering && c.pinned && !c.burnsOut(): // with a mint it waits until that is final
		return "nothing to deliver"
	case s == swap.StageClaimable && pay.Proved && (!owes || c.calledFinal(swap.LegClaim)):
		return "nothing to claim"
	}
	return ""
}

// calledFinal reports whether the answer itself has a leg and calls it final. The
// caller's node may be ahead of it.
func (c *check) calledFinal(kind swap.LegKind) bool {
	return slices.ContainsFunc(c.s.Legs, func(l swap.Leg) bool { return l.Kind == kind && l.Final })
}

func (c *check) back() error {
	pool, err := c.settlement()
	if err != nil {
		return err
	}
	if pool.state == 1 {
		return &Contradiction{"status", string(c.s.Stage), settlements[1]}
	}
	back := c.leg(swap.LegRefund, swap.LegReclaim)
	claim, minted := c.leg(swap.LegClaim), c.leg(swap.LegReturn)
	owes := back != nil && back.Proved && back.Why == owed
	switch s := c.s.Stage; {
	case s == swap.StageRefunding:
		c.report.Proved = pool.state == 2 || back != nil && back.Proved
	case back == nil:
		return &Contradiction{"legs", "without a refund", "one for " + string(s)}
	case s == swap.StageClaimable && back.Proved && !owes, s == swap.StageRefunded && owes && claim == nil:
		return &Contradiction{"status", string(s), "how the refund was made"}
	case s == swap.StageRefunded && c.burnedBack && minted == nil:
		return &Contradiction{"status", string(s), "that the refund was burned for the source, without a mint"}
	case s == swap.StageRefunded:
		c.report.Proved = back.Proved && back.Final && ended(minted) && ended(claim) && c.follows(claim, back)
	default:
		c.report.Proved = back.Proved && back.Final
	}
	return nil
}

// unpaid proves that nothing was paid yet. A payment that the caller's node has
// and the settler does not have is no error: the settler may be behind.
func (c *check) unpaid() error {
	pool, err := c.settlement()
	deposit := c.leg(swap.LegDeposit)
	c.report.Proved = pool.known && pool.state == 0 && deposit != nil && deposit.Proved
	return err
}

var settlements = [4]string{"that the order is not paid", "that the order is paid", "that the order is cancelled", "no such state"}

// A settlement is an order's state at the pool that owes it, after a block.
type settlement struct {
	known bool
	state uint8
	block uint64
}

// settlement reads it at the newest block of the caller's node. The block is asked
// for by its number: behind one address there may be nodes that are not as far.
func (c *check) settlement() (s settlement, err error) {
	n := c.Nodes[c.dst.Chain]
	if n == nil || !c.pinned || c.s.Order == nil || c.s.Order.DstPool.IsZero() {
		return s, nil
	}
	var head *wireBlock
	var word string
	if err := n.CallContext(c.ctx, &head, "eth_getBlockByNumber", "latest", false); err != nil || head == nil {
		return s, nil //nolint:nilerr // a node that does not answer proves nothing, and contradicts nothing
	}
	if s.block, err = quantity(head.Number); err != nil {
		return s, fmt.Errorf("chain %d: %w", c.dst.Chain, errNode)
	}
	call := map[string]string{"to": c.dst.Address.String(), "data": hexOf(record.Settlements(c.s.ID))}
	if err := n.CallContext(c.ctx, &word, "eth_call", call, head.Number); err != nil {
		return s, nil //nolint:nilerr // as above
	}
	b, err := bytesOf(word)
	if err != nil || len(b) != 32 {
		return s, fmt.Errorf("chain %d: the node's answer to settlements is not a word", c.dst.Chain)
	}
	s.known, s.state = true, b[31]
	return s, nil
}

func (c *check) burnsOut() bool {
	o := c.s.Order
	return o.RecipientType != swap.ToPrivate && c.dst.Chain != 0 && o.DstPlace.Uint64() != uint64(c.dst.Chain)
}
