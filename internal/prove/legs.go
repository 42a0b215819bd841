package prove

import (
	"fmt"
	"slices"

	"hubquote/internal/record"
	"hubquote/swap"
)

// Why a leg is told only.
const (
	noNode    = "no node of this chain is given"
	noAnswer  = "the node does not have it, or not in its chain"
	notPinned = "the contract is not pinned"
	notFinal  = "not final at your node"
	noMessage = "the burn is not compared: give nodes of both chains"
	owed      = "owed: its owner has a claim" // of a proved payment or refund
)

// legs checks each leg at its chain.
func (c *check) legs() error {
	for i := range c.s.Legs {
		l := Leg{Leg: c.s.Legs[i]}
		if err := c.receipt(&l); err != nil {
			return err
		}
		c.report.Legs = append(c.report.Legs, l)
	}
	for i := range c.report.Legs {
		l := &c.report.Legs[i]
		if c.receipts[l.Tx] == nil {
			continue
		}
		if err := c.judge(l); err != nil {
			return err
		}
		if l.Proved && c.s.Legs[i].Final && !l.Final {
			l.Proved, l.Why = false, notFinal
		}
	}
	return nil
}

// receipt reads the receipt of a leg, and compares the block.
func (c *check) receipt(l *Leg) error {
	n := c.Nodes[l.Chain]
	if n == nil {
		l.Why = noNode
		return nil
	}
	r, err := readReceipt(c.ctx, n, l.Tx)
	switch {
	case err != nil:
		return fmt.Errorf("chain %d: %w", l.Chain, err)
	case r == nil:
		l.Why = noAnswer
		l.Final = false
		return nil
	case !r.ok:
		return c.wrong(l, "txHash", l.Tx.String(), "that it failed")
	case l.Block != 0 && l.Block != r.block:
		return c.wrong(l, "block", fmt.Sprint(l.Block), fmt.Sprint(r.block))
	case !l.BlockHash.IsZero() && l.BlockHash != r.blockHash:
		return c.wrong(l, "blockHash", l.BlockHash.String(), r.blockHash.String())
	case !l.Time.IsZero() && !l.Time.Equal(r.time):
		return c.wrong(l, "time", l.Time.String(), r.time.String())
	}
	c.receipts[l.Tx] = r
	l.Block, l.BlockHash, l.Time, l.Final = r.block, r.blockHash, r.time, r.final
	return nil
}

func (c *check) wrong(l *Leg, field, said, found string) error {
	return &Contradiction{string(l.Kind) + "." + field, said, found}
}

// judge requires the event that the leg stands for, at the pinned contract.
func (c *check) judge(l *Leg) error {
	if c.s.Order == nil && l.Kind == swap.LegBurn {
		l.Why = noMessage
		return nil
	}
	if c.s.Order == nil || !c.pinned {
		l.Why = notPinned
		return nil
	}
	switch l.Kind {
	case swap.LegBurn, swap.LegMint, swap.LegReturn:
		return c.message(l)
	}
	at := c.dst
	if l.Kind == swap.LegDeposit || l.Kind == swap.LegRefund || l.Kind == swap.LegReclaim || l.Kind == swap.LegClaim && c.leg(swap.LegRefund, swap.LegReclaim) != nil {
		at = c.src
	}
	if l.Chain != at.Chain {
		return c.wrong(l, "chainId", fmt.Sprint(l.Chain), fmt.Sprint(at.Chain))
	}
	r := c.receipts[l.Tx]
	for i := range r.logs {
		if r.logs[i].Address == at.Address && c.proves(l, &r.logs[i]) {
			l.Proved, c.position[l] = true, r.positions[i] // of several claims, the last
		}
	}
	if !l.Proved {
		return c.wrong(l, "txHash", l.Tx.String(), "that it has no such event of this order")
	}
	return nil
}

// proves reports whether a log of the right contract is the event of the leg.
func (c *check) proves(l *Leg, log *record.Log) bool {
	switch l.Kind {
	case swap.LegDeposit:
		opened, err := record.ReadOpened(log)
		return err == nil && opened.ID == c.s.ID && opened.Order.Deadline == c.s.Order.Deadline && (opened.Deposit == c.s.Deposited || c.s.Order.RefundTo.IsZero())
	case swap.LegPayment:
		p, err := record.ReadPayment(log)
		if err != nil || p.ID != c.s.ID {
			return false
		}
		c.report.Received, c.report.To = &p.Received, &p.Recipient
		if !p.Paid {
			l.Why = owed
		}
		return true
	case swap.LegRefund, swap.LegReclaim:
		r, err := record.ReadReturn(log)
		if err != nil || r.ID != c.s.ID || (log.Topics[0] == record.TopicRefunded) != (l.Kind == swap.LegRefund) {
			return false
		}
		c.report.To = &r.To
		if r.How == record.Owed {
			l.Why = owed
		}
		c.burnedBack = r.How == record.BurnedBack
		return true
	case swap.LegCancel:
		return len(log.Topics) == 2 && log.Topics[0] == record.TopicCancelled && log.Topics[1] == c.s.ID
	case swap.LegClaim:
		return len(log.Topics) == 3 && log.Topics[0] == record.TopicClaimed && log.Topics[1] == c.owner()
	}
	return false
}

// owner is the topic of the account that a claim belongs to.
func (c *check) owner() (topic swap.Hash) {
	if c.leg(swap.LegRefund, swap.LegReclaim) != nil {
		copy(topic[12:], c.s.Order.RefundTo[:])
	} else if len(c.s.Order.Recipient) == len(swap.Address{}) {
		copy(topic[12:], c.s.Order.Recipient)
	}
	return topic
}

// message requires that what one transaction burned for this order is what the
// other minted. A transaction may burn for many orders: the burn of a payment or
// a refund is the last one before its event, and that of a deposit has the
// order's nonce.
func (c *check) message(l *Leg) error {
	place, other := &c.s.Order.SrcPlace, c.leg(swap.LegDeposit)
	switch l.Kind {
	case swap.LegMint:
		place, other = &c.s.Order.DstPlace, c.leg(swap.LegPayment)
	case swap.LegReturn:
		other = c.leg(swap.LegRefund, swap.LegReclaim)
	}
	switch {
	case !place.IsZero() && place.Dec() != fmt.Sprint(l.Chain):
		return c.wrong(l, "chainId", fmt.Sprint(l.Chain), place.Dec())
	case other == nil || c.receipts[other.Tx] == nil:
		l.Why = noMessage
		return nil
	}
	here, there := c.receipts[l.Tx].logs, c.receipts[other.Tx].logs
	sent, got := c.burnedBy(other, there), messagesReceived(here, nil)
	if l.Kind == swap.LegBurn {
		sent, got = messagesSent(here), messagesReceived(there, &c.s.Order.Nonce)
	}
	for _, m := range sent {
		if slices.Contains(got, m) {
			l.Proved = true
			return nil
		}
	}
	return c.wrong(l, "txHash", l.Tx.String(), "that the other transaction carries another message")
}

// burnedBy is the burn that the event of a leg ends, if there is one.
func (c *check) burnedBy(l *Leg, logs []record.Log) []string {
	at := c.dst.Address
	if l.Kind != swap.LegPayment {
		at = c.src.Address
	}
	for i := range logs {
		if logs[i].Address == at && c.proves(l, &logs[i]) {
			sent := messagesSent(logs[:i])
			return sent[max(0, len(sent)-1):]
		}
	}
	return nil
}
