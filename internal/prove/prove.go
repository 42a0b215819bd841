// Package prove checks a status against the caller's own nodes and pins. What a
// node confirms is proved; what no node was asked about, or a node cannot tell,
// is told; what a node contradicts is an error. Nothing of the answer is
// believed for being in the answer.
package prove

import (
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
	c := &check{Prover: p, ctx: ctx, s: s, report: &Report{Status: *s}, receipts: map[swap.Hash]*receipt{}}
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
	for pin := range c.Pinned {
		if pin.Address == o.SrcPool {
			c.src = pin
		}
		if pin.Address == o.DstPool {
			c.dst = pin
		}
	}
	c.pinned = c.src.Chain != 0 && (c.dst.Chain != 0 || o.DstPool.IsZero())
	return nil
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

// paid asks the paying pool itself, which needs no hash that was told.
func (c *check) paid() error {
	settled, known, err := c.settlement()
	if err != nil {
		return err
	}
	if known && settled != 1 {
		return &Contradiction{"status", string(c.s.Stage), settlements[settled&3]}
	}
	pay := c.leg(swap.LegPayment)
	if pay == nil {
		return &Contradiction{"legs", "without a payment", "one for " + string(c.s.Stage)}
	}
	mint, claim := c.leg(swap.LegMint), c.leg(swap.LegClaim)
	if found := c.unfit(pay, mint, claim); found != "" {
		return &Contradiction{"status", string(c.s.Stage), found}
	}
	end := pay.Final && ended(mint) && ended(claim) && follows(claim, pay)
	c.report.Proved = known && pay.Proved && (c.s.Stage != swap.StageDone || end)
	return nil
}

// ended reports whether a leg that is there is proved and final.
func ended(l *Leg) bool { return l == nil || l.Proved && l.Final }

// follows reports whether a claim is not older than what is claimed: an account
// may have taken an earlier claim.
func follows(claim, owes *Leg) bool { return claim == nil || claim.Block >= owes.Block }

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
	case s == swap.StageClaimable && pay.Proved && (!owes || claim != nil && claim.Proved && claim.Final):
		return "nothing to claim"
	}
	return ""
}

func (c *check) back() error {
	settled, known, err := c.settlement()
	if err != nil {
		return err
	}
	if known && settled == 1 {
		return &Contradiction{"status", string(c.s.Stage), settlements[1]}
	}
	back := c.leg(swap.LegRefund, swap.LegReclaim)
	claim, minted := c.leg(swap.LegClaim), c.leg(swap.LegReturn)
	owes := back != nil && back.Proved && back.Why == owed
	switch s := c.s.Stage; {
	case s == swap.StageRefunding:
		c.report.Proved = known && settled == 2 || back != nil && back.Proved
	case back == nil:
		return &Contradiction{"legs", "without a refund", "one for " + string(s)}
	case s == swap.StageClaimable && back.Proved && !owes, s == swap.StageRefunded && owes && claim == nil:
		return &Contradiction{"status", string(s), "how the refund was made"}
	case s == swap.StageRefunded && c.burnedBack && minted == nil:
		return &Contradiction{"status", string(s), "that the refund was burned for the source, without a mint"}
	case s == swap.StageRefunded:
		c.report.Proved = back.Proved && back.Final && ended(minted) && ended(claim) && follows(claim, back)
	default:
		c.report.Proved = back.Proved && back.Final
	}
	return nil
}

// unpaid proves that nothing was paid yet. A payment that the caller's node has
// and the settler does not is no lie: the settler may be behind.
func (c *check) unpaid() error {
	settled, known, err := c.settlement()
	deposit := c.leg(swap.LegDeposit)
	c.report.Proved = known && settled == 0 && deposit != nil && deposit.Proved
	return err
}

var settlements = [4]string{"that the order is not paid", "that the order is paid", "that the order is cancelled", "no such state"}

// settlement reads the order's state at the pool that owes it.
func (c *check) settlement() (state uint8, known bool, err error) {
	n := c.Nodes[c.dst.Chain]
	if n == nil || !c.pinned || c.s.Order == nil || c.s.Order.DstPool.IsZero() {
		return 0, false, nil
	}
	var word string
	call := map[string]string{"to": c.dst.Address.String(), "data": hexOf(record.Settlements(c.s.ID))}
	if err := n.CallContext(c.ctx, &word, "eth_call", call, "latest"); err != nil {
		return 0, false, nil
	}
	b, err := bytesOf(word)
	if err != nil || len(b) != 32 {
		return 0, false, fmt.Errorf("chain %d: the node's answer to settlements is not a word", c.dst.Chain)
	}
	return b[31], true, nil
}

func (c *check) burnsOut() bool {
	o := c.s.Order
	return o.RecipientType != swap.ToPrivate && c.dst.Chain != 0 && o.DstPlace.Uint64() != uint64(c.dst.Chain)
}
