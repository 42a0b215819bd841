package policy_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// draw makes any scene at all, also ones that no chain can produce.
func draw(t *rapid.T) *scene {
	s := payable()
	proofs := rapid.IntRange(0, int(order.Final))
	maybe := func(name string) *order.Fact {
		if p := order.Proof(proofs.Draw(t, name)); p > order.Unproved {
			return fact(p, s.now)
		}
		return nil
	}
	coin := func(name string) bool { return rapid.Bool().Draw(t, name) }
	s.now = deadline.Add(time.Duration(rapid.IntRange(-10, 10).Draw(t, "half hours")) * 30 * time.Minute)
	s.final(s.now.Add(-time.Duration(rapid.IntRange(0, 6).Draw(t, "tag age")) * 30 * time.Minute))
	if coin("from base") {
		s.o.Src, s.o.Burn = base, coin("burn")
	}
	s.f.Opened, s.f.Paid, s.f.Cancelled = maybe("opened"), maybe("paid"), maybe("cancelled")
	s.f.Refunded, s.f.Released, s.f.Reclaimed, s.f.Credited = maybe("refunded"), maybe("released"), maybe("reclaimed"), maybe("credited")
	s.f.Settlement = order.Known[order.Settlement]{
		Value: order.Settlement(rapid.IntRange(0, 2).Draw(t, "settlement")), OK: coin("settlement known"),
		Block: rapid.Uint64Range(890, 910).Draw(t, "settlement at"),
	}
	s.f.Held = order.Known[order.Deposit]{Value: order.Deposit(rapid.IntRange(0, 2).Draw(t, "held")), OK: coin("held known"), Block: rapid.Uint64Range(0, 1).Draw(t, "held at")}
	for range rapid.IntRange(0, 3).Draw(t, "tasks") {
		s.task(rapid.SampledFrom([]order.Kind{order.Pay, order.Cancel, order.Refund, order.Release}).Draw(t, "kind"),
			rapid.SampledFrom([]order.Progress{order.Ready, order.Sent, order.Done, order.Void}).Draw(t, "progress"))
	}
	s.f.Wish = rapid.SampledFrom([]order.Verb{"", order.WishPark, order.WishRetry, order.WishCancel, order.WishRefund}).Draw(t, "wish")
	s.was(rapid.SampledFrom([]order.State{"", order.Waiting, order.Parked, order.Paying, order.Cancelling}).Draw(t, "was"), order.Cap,
		time.Duration(rapid.IntRange(0, 4).Draw(t, "hours"))*time.Hour)
	if coin("skipped") {
		s.f.Skipped = &order.Refusal{Why: order.Refused, ForGood: coin("for good"), At: s.now, Times: rapid.IntRange(1, 6).Draw(t, "times")}
	}
	s.w.Tags[s.o.Src.Chain] = world.Tag{Stalled: coin("stalled"), Broken: coin("broken")}
	return s
}

// TestMoneyLaws states in other words what each transaction that moves money
// requires.
func TestMoneyLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		got := s.next()
		if got.Do != step.Send {
			return
		}
		f, task := s.f, got.Send
		f.Forget(order.Agreed)
		paid := f.Paid != nil || f.Settlement.OK && f.Settlement.Value == order.SettledPaid
		law := func(name string, holds bool) {
			if !holds {
				t.Fatalf("want %s: Next sends %+v with facts %+v at %v", name, task, f, s.now)
			}
		}
		switch task.Kind {
		case order.Pay:
			law("never pay after a refund", f.Refunded == nil && f.Reclaimed == nil)
			law("never pay after a release", f.Released == nil)
			law("never pay after a cancellation", f.Cancelled == nil && f.Was.State != order.Cancelling)
			law("never pay beside a cancellation", f.Count(order.Cancel, order.Ready, order.Sent, order.Done) == 0)
			law("never pay twice", !paid && f.Count(order.Pay, order.Sent) == 0)
			law("never pay near the deadline", s.now.Before(deadline.Add(-2*time.Hour)))
			law("never pay for what is not held", !f.Held.OK || f.Held.Value != order.NotHeld || f.Held.Block < f.Opened.Block)
			law("never pay an unproved deposit", f.Opened != nil && f.Opened.Proof >= order.Agreed)
			reserve := task.Reserve()
			law("never pay before finality without a reserve", f.Opened.Proof == order.Final || reserve.Eq(&s.o.Amount))
			law("never pay before finality on other chains", f.Opened.Proof == order.Final || s.o.Src.Chain == 8453)
			law("never pay from a broken chain", !s.w.Tags[s.o.Src.Chain].Broken)
		case order.Refund:
			late := s.w.Tags[369].FinalTime.Sub(deadline) >= time.Hour && f.Settlement.OK && f.Settlement.Value == order.Unsettled && f.Settlement.Block >= 900
			law("never refund with a payment", !paid)
			law("never refund twice", f.Refunded == nil && f.Reclaimed == nil && f.Count(order.Refund, order.Sent) == 0)
			law("never refund what can still be paid", f.Cancelled.IsFinal() || late)
		case order.Release:
			law("never release before the payment is final", f.Paid.IsFinal())
			law("never release what was returned", f.Refunded == nil && f.Reclaimed == nil)
		case order.Cancel:
			law("never cancel a paid order", !paid)
		}
	})
}

// TestExposureIsNeverExceeded packs many orders that were each decided alone.
func TestExposureIsNeverExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var steps []step.Step
		left := rapid.Uint64Range(0, 1000).Draw(t, "left")
		var w world.World
		early := map[order.ID]*swap.Amount{}
		for i := range rapid.IntRange(1, 40).Draw(t, "orders") {
			s := payable()
			s.from(base, rapid.SampledFrom([]order.Proof{order.Safe, order.Final}).Draw(t, "proof"))
			s.o.ID = order.ID{byte(i)}
			s.o.Amount = amount(rapid.Uint64Range(1, 400).Draw(t, "amount"))
			s.left(world.Early, order.Pool{Chain: 8453, Address: token}, left)
			early[s.o.ID] = new(swap.Amount)
			if s.f.Opened.Proof < order.Final {
				early[s.o.ID] = &s.o.Amount
			}
			steps, w = append(steps, s.next()), s.w
		}
		gas := func(order.Kind, order.Pool) lane.Gas { return lane.Gas{Base: 1, PerOrder: 1, Cap: 9} }
		var sum, risked swap.Amount
		for _, b := range lane.Pack(steps, w, gas, map[swap.ChainID]int{369: 16}) {
			for _, task := range b.Tasks {
				reserve := task.Reserve()
				sum.Add(&sum, &reserve)
				risked.Add(&risked, early[task.Order])
			}
		}
		if sum.Uint64() > left || sum != risked {
			t.Fatalf("reserved = %d, want %d for the deposits that are not final, at most %d", sum.Uint64(), risked.Uint64(), left)
		}
	})
}

// A model is one order on two chains that follow the contracts' rules. Reads
// are late, transactions are mined late or never, events are reported late.
type model struct {
	*scene
	head      uint64
	dst       order.Settlement
	returned  bool
	released  bool
	flight    []order.Kind
	events    []func() // happened, not reported yet
	finalised []*order.Fact
}

func (m *model) event(to **order.Fact) {
	at := m.now
	m.events = append(m.events, func() {
		*to = fact(order.Agreed, at)
		m.finalised = append(m.finalised, *to)
	})
}

// mine runs a transaction as the contracts would.
func (m *model) mine(k order.Kind) {
	switch {
	case k == order.Pay && m.dst == order.Unsettled && m.now.Before(deadline):
		m.dst = order.SettledPaid
		m.event(&m.f.Paid)
	case k == order.Cancel && m.dst == order.Unsettled:
		m.dst = order.SettledCancelled
		m.event(&m.f.Cancelled)
	case k == order.Refund && !m.returned && !m.released:
		m.returned = true
		m.event(&m.f.Refunded)
	case k == order.Release && !m.returned && !m.released:
		m.released = true
		m.event(&m.f.Released)
	}
	for i := range m.f.Tasks {
		if m.f.Tasks[i].Kind == k && m.f.Tasks[i].Progress == order.Sent {
			m.f.Tasks[i].Progress = order.Done
		}
	}
}

// act obeys a step as the writer does.
func (m *model) act() step.Step {
	s := m.next()
	if m.f.Was.State != s.State {
		m.was(s.State, s.Reason, 0)
	}
	if s.Do == step.Send {
		m.task(s.Send.Kind, order.Sent)
		m.flight = append(m.flight, s.Send.Kind)
	}
	return s
}

func (m *model) report() {
	for _, e := range m.events {
		e()
	}
	m.events = nil
	m.head++
	m.f.Settlement = order.Known[order.Settlement]{Value: m.dst, OK: true, Block: m.head}
}

func (m *model) land(i int) {
	k := m.flight[i]
	m.flight = append(m.flight[:i], m.flight[i+1:]...)
	m.mine(k)
}

// TestOneOrderEndsOnce lets time, delays and trouble happen in any order, and
// asks that the money moved exactly once in the end.
func TestOneOrderEndsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{scene: payable(), head: 1000}
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				if m.dst == order.SettledPaid && m.returned {
					t.Fatal("paid and refunded, want only one of them")
				}
			},
			"act":    func(t *rapid.T) { m.act() },
			"time":   func(t *rapid.T) { m.now = m.now.Add(time.Duration(rapid.IntRange(1, 900).Draw(t, "m")) * time.Minute) },
			"report": func(t *rapid.T) { m.report() },
			"mine": func(t *rapid.T) {
				if n := len(m.flight); n > 0 {
					m.land(rapid.IntRange(0, n-1).Draw(t, "which"))
				}
			},
			"final": func(t *rapid.T) {
				for _, f := range m.finalised {
					f.Proof = order.Final
				}
			},
			"tag":     func(t *rapid.T) { m.head++; m.w.Tags[369] = world.Tag{Final: m.head, FinalTime: m.now} },
			"trouble": func(t *rapid.T) { m.left(world.Liquidity, payer, 0) },
			"relief":  func(t *rapid.T) { m.left(world.Liquidity, payer, 1000) },
			"wish": func(t *rapid.T) {
				m.f.Wish = rapid.SampledFrom([]order.Verb{"", order.WishPark, order.WishRetry, order.WishCancel, order.WishRefund}).Draw(t, "verb")
			},
		})
		m.settle(t)
	})
}

// settle lets a quiet world run until the order is closed.
func (m *model) settle(t *rapid.T) {
	m.f.Wish = order.WishNone
	for range 40 {
		for len(m.flight) > 0 {
			m.land(0)
		}
		m.report()
		m.now = m.now.Add(3 * time.Hour)
		m.w.Tags[369] = world.Tag{Final: m.head, FinalTime: m.now}
		for _, f := range m.finalised {
			f.Proof = order.Final
		}
		if m.act().Do == step.Done {
			break
		}
	}
	if s := m.next(); s.Do != step.Done || m.released == m.returned || m.released != (m.dst == order.SettledPaid) {
		t.Fatalf("the order ended as %+v, paid %v, released %v, returned %v; want it done, and released if and only if paid", s, m.dst == order.SettledPaid, m.released, m.returned)
	}
}
