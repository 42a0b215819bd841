// Package audit checks a journal against the invariants of settlement. It reads
// an image only, so that a test can call it after every step.
package audit

import (
	"bytes"
	"fmt"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/swap"
)

// Rules are the limits that an image is compared with.
type Rules struct {
	Caps        map[order.Pool]swap.Amount // of the exposure, by chain and token
	RefundAfter time.Duration              // after the deadline: refunds need no cancel
}

// Check returns the invariants that an image violates. Each finding begins with
// the number of the invariant:
//
//	 1  a nonce of a key on a chain is used once
//	 2  at most one task for a subject and kind is ready or sent
//	 3  every attempt has its nonce, and its tasks or none as a filler, and is made before it is sent
//	 5  a payment has a final deposit or a reserve
//	 6  a refund has a final cancellation or a final block past the deadline, and no payment
//	 7  what is reserved is within the caps
//	 8  no attempt is of an epoch that has not begun
//	 9  nonces have no holes above the lowest that is not final
//	11  a nonce of the issuer is used once
func Check(img *journal.Image, r Rules) []error {
	c := &checker{img: img, r: r, orders: map[order.ID]*journal.Order{}}
	for i := range img.Orders {
		c.orders[img.Orders[i].ID] = &img.Orders[i]
	}
	c.unique()
	c.attempts()
	c.tasks()
	c.exposure()
	c.holes()
	return c.found
}

type checker struct {
	img    *journal.Image
	r      Rules
	orders map[order.ID]*journal.Order
	found  []error
}

func (c *checker) must(holds bool, number int, format string, args ...any) {
	if !holds {
		c.found = append(c.found, fmt.Errorf("%d: "+format, append([]any{number}, args...)...))
	}
}

// A lane is a key on a chain.
type lane struct {
	chain swap.ChainID
	key   swap.Address
}

type slot struct {
	lane
	nonce uint64
}

func (c *checker) unique() {
	nonces, open, issued := map[slot]int{}, map[string]int{}, map[string]int{}
	for _, n := range c.img.Nonces {
		nonces[slot{lane{n.Chain, n.Key}, n.Nonce}]++
	}
	for s, n := range nonces {
		c.must(n == 1, 1, "nonce %d of %v on chain %d has %d rows", s.nonce, s.key, s.chain, n)
	}
	for _, t := range c.img.Tasks {
		if t.Progress == order.Ready || t.Progress == order.Sent {
			open[fmt.Sprintf("%s of %v", t.Kind, t.Subject)]++
		}
	}
	for name, n := range open {
		c.must(n == 1, 2, "%d open tasks to %s", n, name)
	}
	for _, b := range c.img.Burns {
		if b.Nonce != nil {
			issued[fmt.Sprintf("%x of domain %d", b.Nonce, b.Domain)]++
		}
	}
	for name, n := range issued {
		c.must(n == 1, 11, "%d burns with nonce %s", n, name)
	}
}

func (c *checker) attempts() {
	nonces, carried, linked := map[slot]journal.Nonce{}, map[slot]int{}, map[int64]bool{}
	for _, n := range c.img.Nonces {
		nonces[slot{lane{n.Chain, n.Key}, n.Nonce}] = n
	}
	for _, l := range c.img.Links {
		carried[slot{lane{l.Chain, l.Key}, l.Nonce}]++
		linked[l.Task] = true
	}
	for _, a := range c.img.Attempts {
		s := slot{lane{a.Chain, a.Key}, a.Nonce}
		n, found := nonces[s]
		c.must(found, 3, "attempt %v has no nonce row", a.Hash)
		c.must(!found || n.Filler || carried[s] > 0, 3, "attempt %v carries no task and is no filler", a.Hash)
		c.must(a.Sends == 0 || !a.Sent.Before(a.Made), 3, "attempt %v was sent before it was made", a.Hash)
		c.must(a.Epoch <= c.img.Epoch, 8, "attempt %v is of epoch %d, the last is %d", a.Hash, a.Epoch, c.img.Epoch)
	}
	for _, t := range c.img.Tasks {
		c.must(t.Progress != order.Sent || linked[t.ID], 3, "task %d is sent without a nonce", t.ID)
	}
}

func (c *checker) tasks() {
	for _, t := range c.img.Tasks {
		o, ours := c.orders[t.Subject]
		if !ours || t.Progress == order.Void {
			continue
		}
		switch t.Kind {
		case order.Pay:
			unsent := t.Progress == order.Ready
			c.must(unsent || o.Proof >= order.Final || t.Reserved.Eq(&o.Amount), 5, "task %d pays %v, which is not final, and reserves %s", t.ID, o.ID, t.Reserved.Dec())
		case order.Refund:
			cancelled := c.has(o.ID, order.EventCancelled, order.Final)
			expired := t.Basis == string(step.Expired) && !t.Tag.Before(o.Deadline.Add(c.r.RefundAfter))
			c.must(cancelled || expired, 6, "task %d refunds %v, which can still be paid", t.ID, o.ID)
			c.must(!c.has(o.ID, order.EventPaid, order.Agreed), 6, "task %d refunds %v, which is paid", t.ID, o.ID)
		}
	}
}

// has reports whether the order has such a fact that is not gone.
func (c *checker) has(id order.ID, e order.Event, least order.Proof) bool {
	for _, f := range c.img.Facts {
		if f.Order == id && f.Event == e && !f.Gone && f.Proof >= least {
			return true
		}
	}
	return false
}

func (c *checker) exposure() {
	sums := map[order.Pool]swap.Amount{}
	for _, t := range c.img.Tasks {
		if o, ours := c.orders[t.Subject]; ours {
			token := order.Pool{Chain: o.Src.Chain, Address: o.Asset}
			sum := sums[token]
			sum.Add(&sum, &t.Reserved)
			sums[token] = sum
		}
	}
	for token, sum := range sums {
		limit := c.r.Caps[token]
		c.must(!sum.Gt(&limit), 7, "%s reserved on chain %d, the cap is %s", sum.Dec(), token.Chain, limit.Dec())
	}
}

func (c *checker) holes() {
	last := map[lane]journal.Nonce{}
	for _, n := range c.img.Nonces { // sorted by nonce
		l := lane{n.Chain, n.Key}
		before, found := last[l]
		final := before.State == journal.NonceFinal || before.State == journal.NonceForeign
		c.must(!found || final || n.Nonce <= before.Nonce+1, 9, "%v on chain %d: nonce %d follows %d", n.Key, n.Chain, n.Nonce, before.Nonce)
		last[l] = n
	}
}

// same reports whether two attempts differ in nothing but their sending.
func same(a, b journal.Attempt) bool {
	return a.Hash == b.Hash && a.Chain == b.Chain && a.Key == b.Key && a.Nonce == b.Nonce && bytes.Equal(a.Raw, b.Raw) &&
		a.Tip == b.Tip && a.Cap == b.Cap && a.Gas == b.Gas && a.Made.Equal(b.Made) && a.Epoch == b.Epoch
}
