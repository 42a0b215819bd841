package policy_test

import (
	"slices"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

var (
	opened   = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	deadline = opened.Add(72 * time.Hour)
	source   = order.Pool{Chain: 1, Address: swap.Address{1}}
	base     = order.Pool{Chain: 8453, Address: swap.Address{2}}
	payer    = order.Pool{Chain: 369, Address: swap.Address{3}}
	token    = swap.Address{9}
)

// A scene is everything Next sees. A row of a table changes one thing in it.
type scene struct {
	now time.Time
	o   order.Order
	f   order.Facts
	w   world.World
	r   rules.Rules
}

func amount(n uint64) swap.Amount { return *uint256.NewInt(n) }

func fact(p order.Proof, at time.Time) *order.Fact {
	return &order.Fact{Chain: 1, Block: 10, Time: at, Proof: p}
}

func known[T any](v T) order.Known[T] { return order.Known[T]{Value: v, OK: true, Block: 1000} }

// payable is an order with a final deposit, a minute old, that can be paid.
func payable() *scene {
	s := &scene{now: opened.Add(time.Minute), r: rules.Standard()}
	s.o = order.Order{ID: order.ID{7}, Src: source, Dst: payer, Asset: token, Amount: amount(100), Pays: amount(99), Deadline: deadline}
	s.f = order.Facts{Opened: fact(order.Final, opened), Held: known(order.Held), Settlement: known(order.Unsettled)}
	s.w = world.World{
		Tags:      map[swap.ChainID]world.Tag{},
		Contracts: map[order.Pool]world.Contract{payer: {}, source: {}, base: {}},
		Fees:      map[swap.ChainID]world.Fees{},
		Left:      map[world.Budget]swap.Amount{},
	}
	for _, chain := range []swap.ChainID{1, 369, 8453} {
		s.w.Tags[chain] = world.Tag{Final: 900, FinalTime: opened}
		s.w.Fees[chain] = world.Fees{WithinCap: true}
		s.left(world.Calls, order.Pool{Chain: chain}, 50)
		s.left(world.Subsidy, order.Pool{Chain: chain}, 5)
		s.left(world.Early, order.Pool{Chain: chain, Address: token}, 1000)
	}
	for _, p := range []order.Pool{source, base, payer} {
		for _, l := range []world.Limit{world.Liquidity, world.Payments, world.Unfreed, world.Releases, world.Refunds} {
			s.left(l, p, 1000)
		}
		s.w.Left[world.Budget{Limit: world.ForSource, Pool: payer, From: world.Source{Pool: p}}] = amount(1000)
	}
	return s
}

func (s *scene) left(l world.Limit, p order.Pool, n uint64) {
	s.w.Left[world.Budget{Limit: l, Pool: p}] = amount(n)
}

// from moves the deposit to another source.
func (s *scene) from(p order.Pool, proof order.Proof) { s.o.Src, s.f.Opened.Proof = p, proof }

func (s *scene) was(st order.State, why order.Reason, ago time.Duration) {
	s.f.Was = order.Memory{State: st, Reason: why, Since: s.now.Add(-ago)}
}

func (s *scene) task(k order.Kind, p order.Progress) {
	s.f.Tasks = append(s.f.Tasks, order.Task{Kind: k, Progress: p})
}

func (s *scene) paid(p order.Proof, ago time.Duration) { s.f.Paid = fact(p, s.now.Add(-ago)) }

// final moves the destination's finality tag.
func (s *scene) final(at time.Time) { s.w.Tags[369] = world.Tag{Final: 900, FinalTime: at} }

func (s *scene) next() step.Step { return policy.Next(s.now, s.o, s.f, s.w, s.r) }

// A want is the part of a step that a row names.
type want struct {
	do     step.Action
	kind   order.Kind
	state  order.State
	reason order.Reason
}

func sends(k order.Kind, s order.State) want { return want{do: step.Send, kind: k, state: s} }

func waits(s order.State, why order.Reason) want { return want{state: s, reason: why} }

func of(s step.Step) want {
	w := want{do: s.Do, state: s.State, reason: s.Reason}
	if s.Send != nil {
		w.kind = s.Send.Kind
	}
	return w
}

type row struct {
	name   string
	change func(*scene)
	want   want
}

func run(t *testing.T, rows []row) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			s := payable()
			tt.change(s)
			if got := of(s.next()); got != tt.want {
				t.Errorf("Next = %+v, want %+v", got, tt.want)
			}
		})
	}
}

var closed = want{do: step.Done, state: order.Closed}

func TestStates(t *testing.T) {
	run(t, []row{
		{"a final deposit is paid", func(s *scene) {}, sends(order.Pay, order.Paying)},
		{"seen at one endpoint is only shown", func(s *scene) { s.f.Opened.Proof = order.Told }, waits(order.Seen, order.Finality)},
		{"agreed is proved and waits for the tag", func(s *scene) { s.f.Opened.Proof = order.Agreed }, waits(order.Proved, order.Finality)},
		{"a deposit whose block is gone is gone", func(s *scene) { s.f.Opened = nil }, waits(order.Gone, order.Reorganised)},
		{"a deposit that is no longer held is not paid", func(s *scene) { s.f.Held = known(order.NotHeld) }, waits(order.Waiting, order.Chain)},
		{"a payment that is ready may still be sent", func(s *scene) { s.task(order.Pay, order.Ready) }, sends(order.Pay, order.Paying)},
		{"a payment in flight is not repeated", func(s *scene) { s.task(order.Pay, order.Sent) }, waits(order.Paying, order.InFlight)},
		{"a void payment is made again", func(s *scene) { s.task(order.Pay, order.Void) }, sends(order.Pay, order.Paying)},
		{"a payment in a block waits for finality", func(s *scene) { s.paid(order.Agreed, 0) }, waits(order.Paid, order.Finality)},
		{"safe is not final for a payment", func(s *scene) { s.paid(order.Safe, 0) }, waits(order.Paid, order.Finality)},
		{"the destination's record counts as a payment", func(s *scene) { s.f.Settlement = known(order.SettledPaid) }, waits(order.Paid, order.Finality)},
		{"a final payment is released", func(s *scene) { s.paid(order.Final, 0) }, sends(order.Release, order.Settled)},
		{"a release in flight is not repeated", func(s *scene) { s.paid(order.Final, 0); s.task(order.Release, order.Sent) }, waits(order.Settled, order.Finality)},
		{"a release in a block waits for finality", func(s *scene) { s.paid(order.Final, 0); s.f.Released = fact(order.Safe, s.now) }, waits(order.Settled, order.Finality)},
		{"paid and released, both final, is closed", func(s *scene) { s.paid(order.Final, 0); s.f.Released = fact(order.Final, s.now) }, closed},
		{"a payment that is gone is made again", func(s *scene) { s.was(order.Paid, order.Finality, 0); s.task(order.Pay, order.Done) }, sends(order.Pay, order.Paying)},
		{"a cancellation in a block waits for finality", func(s *scene) { s.f.Cancelled = fact(order.Safe, s.now) }, waits(order.Cancelled, order.Finality)},
		{"a final cancellation is refunded", func(s *scene) { s.f.Cancelled = fact(order.Final, s.now) }, sends(order.Refund, order.Refunding)},
		{"no wish makes a cancellation final", func(s *scene) { s.f.Cancelled = fact(order.Safe, s.now); s.f.Wish = order.WishRefund }, waits(order.Cancelled, order.Finality)},
		{"a refund in flight is not repeated", func(s *scene) { s.f.Cancelled = fact(order.Final, s.now); s.task(order.Refund, order.Sent) }, waits(order.Refunding, order.InFlight)},
		{"a refund in a block waits for finality", func(s *scene) { s.f.Refunded = fact(order.Safe, s.now) }, waits(order.Refunded, order.Finality)},
		{"a final refund is closed", func(s *scene) { s.f.Refunded = fact(order.Final, s.now) }, closed},
		{"a burned-back refund is open until it is minted", func(s *scene) { s.f.Refunded = fact(order.Final, s.now); s.f.Unminted = true }, waits(order.Refunded, order.Undelivered)},
		{"the owner's reclaim is a refund", func(s *scene) { s.f.Reclaimed = fact(order.Agreed, s.now) }, waits(order.Refunded, order.Finality)},
		{"a final reclaim is closed", func(s *scene) { s.f.Reclaimed = fact(order.Final, s.now) }, closed},
		{"cancelling, and paid instead, is paid", func(s *scene) { s.was(order.Cancelling, "", 0); s.paid(order.Agreed, 0) }, waits(order.Paid, order.Finality)},
		{"a payment whose deposit is gone is not released", func(s *scene) { s.f.Opened = nil; s.paid(order.Final, 0) }, waits(order.Paid, order.Reorganised)},
		{"a release without a payment does nothing more", func(s *scene) { s.f.Released = fact(order.Final, s.now) }, waits(order.Settled, order.Inconsistent)},
		{"a deposit that is no longer held is not released", func(s *scene) { s.paid(order.Final, 0); s.f.Held = known(order.NotHeld) }, waits(order.Settled, order.Finality)},
		{"a deposit that is no longer held is not refunded", func(s *scene) { s.f.Cancelled = fact(order.Final, s.now); s.f.Held = known(order.NotHeld) }, waits(order.Refunding, order.Finality)},
	})
}

func TestFinality(t *testing.T) {
	run(t, []row{
		{"safe is not enough on 1", func(s *scene) { s.f.Opened.Proof = order.Safe }, waits(order.Proved, order.Finality)},
		{"safe is enough on 8453 within the exposure", func(s *scene) { s.from(base, order.Safe) }, sends(order.Pay, order.Paying)},
		{"agreed is not enough on 8453", func(s *scene) { s.from(base, order.Agreed) }, waits(order.Proved, order.Finality)},
		{"beyond the exposure safe waits for final", func(s *scene) {
			s.from(base, order.Safe)
			s.left(world.Early, order.Pool{Chain: 8453, Address: token}, 99)
		}, waits(order.Proved, order.Finality)},
		{"exactly the exposure left is enough", func(s *scene) {
			s.from(base, order.Safe)
			s.left(world.Early, order.Pool{Chain: 8453, Address: token}, 100)
		}, sends(order.Pay, order.Paying)},
		{"final needs no exposure", func(s *scene) {
			s.from(base, order.Final)
			s.left(world.Early, order.Pool{Chain: 8453, Address: token}, 0)
		}, sends(order.Pay, order.Paying)},
		{"an unknown exposure is none", func(s *scene) {
			s.from(base, order.Safe)
			delete(s.w.Left, world.Budget{Limit: world.Early, Pool: order.Pool{Chain: 8453, Address: token}})
		}, waits(order.Waiting, order.Chain)},
		{"an order of the receiver is paid when its relay is agreed on", func(s *scene) { s.from(base, order.Agreed); s.o.Burn = true }, sends(order.Pay, order.Paying)},
		{"but not when one endpoint says so", func(s *scene) { s.from(base, order.Told); s.o.Burn = true }, waits(order.Seen, order.Finality)},
		{"nor beyond the exposure", func(s *scene) {
			s.from(base, order.Agreed)
			s.o.Burn = true
			s.left(world.Early, order.Pool{Chain: 8453, Address: token}, 99)
		}, waits(order.Proved, order.Finality)},
		{"a stalled tag stops what is not final", func(s *scene) { s.from(base, order.Safe); s.w.Tags[8453] = world.Tag{Stalled: true} }, waits(order.Waiting, order.Chain)},
		{"a stalled tag does not undo what is final", func(s *scene) { s.w.Tags[1] = world.Tag{Stalled: true} }, sends(order.Pay, order.Paying)},
		{"a broken source pays nothing", func(s *scene) { s.w.Tags[1] = world.Tag{Broken: true} }, waits(order.Waiting, order.Chain)},
		{"a broken destination is paid nothing", func(s *scene) { s.w.Tags[369] = world.Tag{Broken: true} }, waits(order.Waiting, order.Chain)},
		{"a source without a tag pays nothing", func(s *scene) { delete(s.w.Tags, 1) }, waits(order.Waiting, order.Chain)},
		{"waiting does not fall back to proved", func(s *scene) { s.f.Opened.Proof = order.Safe; s.was(order.Waiting, order.Cap, 0) }, waits(order.Waiting, order.Finality)},
	})
	for name, proof := range map[string]order.Proof{"a payment before finality reserves its amount": order.Safe, "a payment after it reserves nothing": order.Final} {
		t.Run(name, func(t *testing.T) {
			s := payable()
			s.from(base, proof)
			task, want := s.next().Send, uint64(0)
			if proof < order.Final {
				want = 100
			}
			if got := task.Reserve(); got.Uint64() != want || task.Reproof != (want > 0) {
				t.Errorf("Reserve = %d, Reproof = %v, want %d, %v", got.Uint64(), task.Reproof, want, want > 0)
			}
		})
	}
}

// blocked makes each reason not to pay true.
var blocked = []row{
	{"the pool's state is unknown", func(s *scene) { delete(s.w.Contracts, payer) }, waits(order.Waiting, order.Chain)},
	{"payments are paused", func(s *scene) { s.w.Contracts[payer] = world.Contract{Paused: true} }, waits(order.Waiting, order.Paused)},
	{"the source is closed at the payer", func(s *scene) {
		s.w.Contracts[payer] = world.Contract{Shut: map[world.Source]bool{{Pool: source}: true}}
	}, waits(order.Waiting, order.Shut)},
	{"too little liquidity", func(s *scene) { s.left(world.Liquidity, payer, 98) }, waits(order.Waiting, order.Liquidity)},
	{"the pool's cap is used up", func(s *scene) { s.left(world.Payments, payer, 98) }, waits(order.Waiting, order.Cap)},
	{"the source's cap is used up", func(s *scene) {
		s.w.Left[world.Budget{Limit: world.ForSource, Pool: payer, From: world.Source{Pool: source}}] = amount(98)
	}, waits(order.Waiting, order.Cap)},
	{"too much is not released at the source", func(s *scene) { s.left(world.Unfreed, source, 99) }, waits(order.Waiting, order.Backlog)},
	{"gas is above the fee cap", func(s *scene) { s.w.Fees[369] = world.Fees{} }, waits(order.Waiting, order.Fee)},
	{"the price of gas is unknown", func(s *scene) { delete(s.w.Fees, 369) }, waits(order.Waiting, order.Chain)},
	{"the purse is empty", func(s *scene) { s.left(world.Calls, order.Pool{Chain: 369}, 0) }, waits(order.Waiting, order.Purse)},
	{"unprofitable, and the budget is used up", unprofitable, waits(order.Waiting, order.Budget)},
	{"refused a moment ago", func(s *scene) {
		s.f.Skipped = &order.Refusal{Why: order.Refused, At: s.now.Add(-59 * time.Second), Times: 1}
	}, waits(order.Waiting, order.Refused)},
}

func unprofitable(s *scene) {
	s.left(world.Subsidy, order.Pool{Chain: 369}, 0)
	s.w.Fees[369] = world.Fees{WithinCap: true, BreakEven: map[order.Pool]swap.Amount{{Chain: source.Chain, Address: s.o.Asset}: amount(101)}}
}

func TestReasonsNotToPay(t *testing.T) {
	run(t, blocked)
	run(t, []row{
		{"exactly enough liquidity pays", func(s *scene) { s.left(world.Liquidity, payer, 99) }, sends(order.Pay, order.Paying)},
		{"unprofitable within the budget pays", func(s *scene) { unprofitable(s); s.left(world.Subsidy, order.Pool{Chain: 369}, 1) }, sends(order.Pay, order.Paying)},
		{"at the break-even no budget is needed", func(s *scene) { unprofitable(s); s.o.Amount = amount(101) }, sends(order.Pay, order.Paying)},
		{"a refusal is tried again after a minute", func(s *scene) {
			s.f.Skipped = &order.Refusal{Why: order.Refused, At: s.now.Add(-time.Minute), Times: 4}
		}, sends(order.Pay, order.Paying)},
		{"a blocked network of a receiver does not concern another", func(s *scene) {
			s.w.Contracts[payer] = world.Contract{Shut: map[world.Source]bool{{Place: 10, Pool: source}: true}}
			s.w.Left[world.Budget{Limit: world.ForSource, Pool: payer, From: world.Source{Place: 10, Pool: source}}] = amount(0)
		}, sends(order.Pay, order.Paying)},
		{"a blocked source does not concern another", func(s *scene) {
			s.w.Contracts[payer] = world.Contract{Shut: map[world.Source]bool{{Pool: base}: true}}
		}, sends(order.Pay, order.Paying)},
	})
}

// TestPatience holds every reason against the two hours, the deadline less two
// hours, the deadline, and the hour after it.
func TestPatience(t *testing.T) {
	bounded := rules.Standard().WaitFor
	for _, tt := range blocked {
		t.Run(tt.name, func(t *testing.T) {
			at := func(now time.Time, waiting time.Duration) want {
				s := payable()
				s.now = now
				tt.change(s)
				s.was(order.Waiting, order.Cap, waiting)
				return of(s.next())
			}
			canSend := tt.want.reason != order.Fee && tt.want.reason != order.Purse && tt.name != "the price of gas is unknown"
			late := tt.want
			if canSend && tt.want.reason != order.Budget {
				late = sends(order.Cancel, order.Cancelling)
			}
			afterTwoHours := tt.want
			if bounded[tt.want.reason] > 0 && canSend {
				afterTwoHours = late
			}
			noon := opened.Add(12 * time.Hour)
			for _, c := range []struct {
				name string
				got  want
				want want
			}{
				{"a second before two hours", at(noon, 2*time.Hour-time.Second), tt.want},
				{"after two hours", at(noon, 2*time.Hour), afterTwoHours},
				{"a second before the last two hours", at(deadline.Add(-2*time.Hour-time.Second), time.Minute), tt.want},
				{"two hours before the deadline", at(deadline.Add(-2*time.Hour), time.Minute), late},
				{"a second before the deadline", at(deadline.Add(-time.Second), time.Minute), late},
				{"at the deadline", at(deadline, time.Minute), waits(order.Waiting, order.Deadline)},
			} {
				if c.got != c.want {
					t.Errorf("%s: Next = %+v, want %+v", c.name, c.got, c.want)
				}
			}
		})
	}
}

func TestCancelAndRefund(t *testing.T) {
	past := func(s *scene, d time.Duration) { s.now = deadline.Add(2 * time.Hour); s.final(deadline.Add(d)) }
	run(t, []row{
		{"refused for good is cancelled at once", func(s *scene) { s.f.Skipped = &order.Refusal{Why: order.Refused, ForGood: true} }, sends(order.Cancel, order.Cancelling)},
		{"a removed pool is cancelled at once", func(s *scene) { s.w.Contracts[payer] = world.Contract{Removed: true} }, sends(order.Cancel, order.Cancelling)},
		{"payable, and two hours before the deadline, is cancelled", func(s *scene) { s.now = deadline.Add(-2 * time.Hour) }, sends(order.Cancel, order.Cancelling)},
		{"payable, and a second earlier, is paid", func(s *scene) { s.now = deadline.Add(-2*time.Hour - time.Second) }, sends(order.Pay, order.Paying)},
		{"not final two hours before the deadline is cancelled", func(s *scene) { s.now = deadline.Add(-2 * time.Hour); s.f.Opened.Proof = order.Agreed }, sends(order.Cancel, order.Cancelling)},
		{"an unproved deposit costs no gas", func(s *scene) { s.now = deadline.Add(-2 * time.Hour); s.f.Opened.Proof = order.Told }, waits(order.Seen, order.Finality)},
		{"a cancellation in flight is not repeated", func(s *scene) { s.task(order.Cancel, order.Sent) }, waits(order.Cancelling, order.InFlight)},
		{"a cancellation that was begun is never followed by a payment", func(s *scene) { s.was(order.Cancelling, "", 0) }, sends(order.Cancel, order.Cancelling)},
		{"nor when its task is only ready", func(s *scene) { s.task(order.Cancel, order.Ready) }, sends(order.Cancel, order.Cancelling)},
		{"nor when its task is done and the event is missing", func(s *scene) { s.task(order.Cancel, order.Done) }, sends(order.Cancel, order.Cancelling)},
		{"a cancellation that cannot be sent stays one", func(s *scene) { s.was(order.Cancelling, "", 0); s.w.Fees[369] = world.Fees{} }, waits(order.Cancelling, order.Fee)},
		{"the destination's record of a cancellation waits for the event", func(s *scene) { s.f.Settlement = known(order.SettledCancelled) }, waits(order.Cancelling, order.Finality)},
		{"a pause does not stop a cancellation", func(s *scene) { s.w.Contracts[payer] = world.Contract{Paused: true, Removed: true} }, sends(order.Cancel, order.Cancelling)},
		{"after the deadline no cancellation is begun", func(s *scene) { s.now = deadline; s.f.Wish = order.WishCancel }, waits(order.Waiting, order.Deadline)},
		{"after the deadline a cancellation stays one", func(s *scene) { s.now = deadline; s.was(order.Cancelling, "", 0) }, waits(order.Cancelling, order.Deadline)},

		{"unsettled, final block an hour past the deadline: refund without cancel", func(s *scene) { past(s, time.Hour) }, sends(order.Refund, order.Refunding)},
		{"a second less is not enough", func(s *scene) { past(s, time.Hour-time.Second) }, waits(order.Waiting, order.Deadline)},
		{"our own clock proves nothing", func(s *scene) { s.now = deadline.Add(100 * time.Hour) }, waits(order.Waiting, order.Deadline)},
		{"an unknown record is not unsettled", func(s *scene) { past(s, time.Hour); s.f.Settlement.OK = false }, waits(order.Waiting, order.Deadline)},
		{"a record read before the final block proves nothing", func(s *scene) { past(s, time.Hour); s.f.Settlement.Block = 899 }, waits(order.Waiting, order.Deadline)},
		{"a record read at the final block is enough", func(s *scene) { past(s, time.Hour); s.f.Settlement.Block = 900 }, sends(order.Refund, order.Refunding)},
		{"a broken destination proves nothing", func(s *scene) {
			past(s, time.Hour)
			s.w.Tags[369] = world.Tag{FinalTime: s.now, Broken: true}
		}, waits(order.Waiting, order.Deadline)},
		{"a payment in flight cannot be mined any more", func(s *scene) { past(s, time.Hour); s.task(order.Pay, order.Sent) }, sends(order.Refund, order.Refunding)},
		{"a paid order is not refunded after its deadline", func(s *scene) { past(s, time.Hour); s.paid(order.Agreed, 0) }, waits(order.Paid, order.Finality)},
		{"a halted destination needs no gas there", func(s *scene) { past(s, time.Hour); delete(s.w.Fees, 369); delete(s.w.Contracts, payer) }, sends(order.Refund, order.Refunding)},

		{"a refund waits for the pause of its source", func(s *scene) { past(s, time.Hour); s.w.Contracts[source] = world.Contract{Paused: true} }, waits(order.Refunding, order.Paused)},
		{"a refund waits for its cap", func(s *scene) { past(s, time.Hour); s.left(world.Refunds, source, 99) }, waits(order.Refunding, order.Cap)},
		{"a refund waits for gas", func(s *scene) { past(s, time.Hour); s.w.Fees[1] = world.Fees{} }, waits(order.Refunding, order.Fee)},
		{"a refund waits for a known source", func(s *scene) { past(s, time.Hour); delete(s.w.Contracts, source) }, waits(order.Refunding, order.Chain)},

		{"an unpayable order is reclaimed", func(s *scene) { s.o.Dst = order.Pool{} }, sends(order.Reclaim, order.Refunding)},
		{"within the daily budget", func(s *scene) { s.o.Dst = order.Pool{}; s.left(world.Subsidy, order.Pool{Chain: 1}, 0) }, waits(order.Refunding, order.Budget)},
		{"once", func(s *scene) { s.o.Dst = order.Pool{}; s.task(order.Reclaim, order.Sent) }, waits(order.Refunding, order.InFlight)},
		{"if it is still held", func(s *scene) { s.o.Dst = order.Pool{}; s.f.Held = known(order.NotHeld) }, waits(order.Refunding, order.Finality)},
	})
}

func TestWishesAndParking(t *testing.T) {
	parked := func(why order.Reason) want { return want{do: step.Park, state: order.Parked, reason: why} }
	poison := func(s *scene) { s.f.Skipped = &order.Refusal{Why: order.Refused, Times: 5} }
	run(t, []row{
		{"park", func(s *scene) { s.f.Wish = order.WishPark }, parked(order.Operator)},
		{"parked stays parked", func(s *scene) { s.was(order.Parked, order.Operator, 24*time.Hour) }, parked(order.Operator)},
		{"retry pays again", func(s *scene) { s.was(order.Parked, order.Operator, time.Hour); s.f.Wish = order.WishRetry }, sends(order.Pay, order.Paying)},
		{"retry does not wait out a refusal", func(s *scene) {
			s.f.Skipped = &order.Refusal{Why: order.Refused, At: s.now, Times: 9, ForGood: true}
			s.f.Wish = order.WishRetry
		}, sends(order.Pay, order.Paying)},
		{"retry does not undo a cancellation", func(s *scene) { s.was(order.Cancelling, "", 0); s.f.Wish = order.WishRetry }, sends(order.Cancel, order.Cancelling)},
		{"retry does not open a pause", func(s *scene) { s.f.Wish = order.WishRetry; s.w.Contracts[payer] = world.Contract{Paused: true} }, waits(order.Waiting, order.Paused)},
		{"cancel", func(s *scene) { s.f.Wish = order.WishCancel }, sends(order.Cancel, order.Cancelling)},
		{"refund begins with a cancellation", func(s *scene) { s.f.Wish = order.WishRefund }, sends(order.Cancel, order.Cancelling)},
		{"refund does not refund a paid order", func(s *scene) { s.f.Wish = order.WishRefund; s.paid(order.Final, 0) }, sends(order.Release, order.Settled)},
		{"park does not stop a release", func(s *scene) { s.f.Wish = order.WishPark; s.paid(order.Final, 0) }, sends(order.Release, order.Settled)},
		{"park does not stop a refund", func(s *scene) { s.f.Wish = order.WishPark; s.f.Cancelled = fact(order.Final, s.now) }, sends(order.Refund, order.Refunding)},
		{"a parked order is cancelled two hours before its deadline", func(s *scene) {
			s.was(order.Parked, order.Operator, time.Hour)
			s.now = deadline.Add(-2 * time.Hour)
		}, sends(order.Cancel, order.Cancelling)},
		{"refused five times is parked", poison, parked(order.Refused)},
		{"and cancelled two hours later", func(s *scene) { poison(s); s.was(order.Parked, order.Refused, 2*time.Hour) }, sends(order.Cancel, order.Cancelling)},
		{"refused four times is not", func(s *scene) { poison(s); s.f.Skipped.Times = 4 }, sends(order.Pay, order.Paying)},
	})
	s := payable()
	s.f.Skipped = &order.Refusal{Why: order.Recipient, Times: 1}
	if got := s.next(); !got.Send.Alone {
		t.Errorf("a recipient that a batch cannot pay: Alone = false, want true")
	}
}

func TestReleaseAndClaim(t *testing.T) {
	credited := func(s *scene, ago time.Duration) {
		s.paid(order.Final, ago)
		s.f.Credited = fact(order.Final, s.now.Add(-ago))
		s.f.Released = fact(order.Final, s.now)
	}
	run(t, []row{
		{"a release is paused by nothing", func(s *scene) { s.paid(order.Final, 0); s.w.Contracts[source] = world.Contract{Paused: true} }, sends(order.Release, order.Settled)},
		{"a release waits for its cap", func(s *scene) { s.paid(order.Final, 0); s.left(world.Releases, source, 99) }, waits(order.Settled, order.Cap)},
		{"a release waits for cheaper gas", func(s *scene) { s.paid(order.Final, 0); s.w.Fees[1] = world.Fees{} }, waits(order.Settled, order.Fee)},
		{"an announced one does not", func(s *scene) {
			s.paid(order.Final, 0)
			s.w.Fees[1] = world.Fees{}
			s.f.Held = known(order.Announced)
		}, sends(order.Release, order.Settled)},
		{"but it needs coins", func(s *scene) {
			s.paid(order.Final, 0)
			s.left(world.Calls, order.Pool{Chain: 1}, 0)
			s.f.Held = known(order.Announced)
		}, waits(order.Settled, order.Purse)},
		{"a release comes before the claim", func(s *scene) { credited(s, 0); s.f.Released = nil }, sends(order.Release, order.Settled)},
		{"a claim is pushed at once", func(s *scene) { credited(s, 0) }, sends(order.Claim, order.Claimable)},
		{"and not repeated in flight", func(s *scene) { credited(s, 0); s.task(order.Claim, order.Sent) }, waits(order.Claimable, order.InFlight)},
		{"nor within a day", func(s *scene) { credited(s, 24*time.Hour-time.Second); s.task(order.Claim, order.Done) }, waits(order.Claimable, order.Unclaimed)},
		{"but once after a day", func(s *scene) { credited(s, 24*time.Hour); s.task(order.Claim, order.Done) }, sends(order.Claim, order.Claimable)},
		{"and never again", func(s *scene) {
			credited(s, 1000*time.Hour)
			s.task(order.Claim, order.Done)
			s.task(order.Claim, order.Done)
		}, waits(order.Claimable, order.Unclaimed)},
		{"a claim waits for gas", func(s *scene) { credited(s, 0); delete(s.w.Fees, 369) }, waits(order.Claimable, order.Chain)},
		{"a taken claim is closed", func(s *scene) { credited(s, 0); s.f.Claimed = fact(order.Final, s.now) }, closed},
	})
}

// An announced reclaim is answered before everything else, by a release of what is
// paid and by a refund of what is cancelled.
func TestAnnouncedReclaimIsUrgent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*scene)
		want   bool
	}{
		{"a release", func(s *scene) { s.paid(order.Final, 0) }, false},
		{"a release of an announced one", func(s *scene) { s.paid(order.Final, 0); s.f.Held = known(order.Announced) }, true},
		{"a refund", func(s *scene) { s.f.Cancelled = fact(order.Final, s.now) }, false},
		{"a refund of an announced one", func(s *scene) { s.f.Cancelled = fact(order.Final, s.now); s.f.Held = known(order.Announced) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := payable()
			tt.change(s)
			if got := s.next(); got.Send == nil || got.Send.Urgent != tt.want {
				t.Errorf("Next = %+v with %+v, want it urgent: %v", got, got.Send, tt.want)
			}
		})
	}
}

func TestAlerts(t *testing.T) {
	page := func(name string) step.Alert { return step.Alert{Name: name, Page: true} }
	stop := func(name string, chain swap.ChainID) step.Alert {
		return step.Alert{Name: name, Page: true, Stop: true, Chain: chain}
	}
	for _, tt := range []struct {
		name   string
		change func(*scene)
		want   []step.Alert
	}{
		{"a normal order raises none", func(s *scene) {}, nil},
		{"unreleased for less than a day", func(s *scene) { s.paid(order.Final, 24*time.Hour-time.Second) }, nil},
		{"unreleased for a day is a ticket", func(s *scene) { s.paid(order.Final, 24*time.Hour) }, []step.Alert{{Name: step.Unreleased}}},
		{"unreleased for three days is a page", func(s *scene) { s.paid(order.Final, 72*time.Hour) }, []step.Alert{page(step.Unreleased)}},
		{"unreleased while a release is under way", func(s *scene) {
			s.paid(order.Final, 72*time.Hour)
			s.f.Tasks = []order.Task{{Kind: order.Release, Progress: order.Sent}}
		}, []step.Alert{page(step.Unreleased)}},
		{"unreleased while the payment is not final", func(s *scene) { s.paid(order.Agreed, 72*time.Hour) }, []step.Alert{page(step.Unreleased)}},
		{"unreleased when it can be reclaimed is a page", func(s *scene) { s.now = deadline.Add(120 * time.Hour); s.paid(order.Final, 0) }, []step.Alert{page(step.Unreleased)}},
		{"an announced reclaim is a page", func(s *scene) { s.f.Held = known(order.Announced) }, []step.Alert{page(step.ReclaimAnnounced)}},
		{"an unpayable order is announced from the start", func(s *scene) { s.o.Dst = order.Pool{}; s.f.Held = known(order.Announced) }, nil},
		{"paid and refunded", func(s *scene) { s.paid(order.Final, 0); s.f.Refunded = fact(order.Agreed, s.now) }, []step.Alert{page(step.PaidAndReturned)}},
		{"paid and reclaimed", func(s *scene) { s.paid(order.Final, 0); s.f.Reclaimed = fact(order.Agreed, s.now) }, []step.Alert{page(step.PaidAndReturned)}},
		{"paid, and the deposit is gone", func(s *scene) { s.paid(order.Final, 0); s.f.Opened = nil }, []step.Alert{stop(step.PaidNoDeposit, 1)}},
		{"released, and the payment is gone", func(s *scene) { s.f.Released = fact(order.Final, s.now) }, []step.Alert{stop(step.ReleasedUnpaid, 369)}},
		{"a final fact is gone", func(s *scene) { s.f.Fell = 369 }, []step.Alert{stop(step.FinalityBroken, 369)}},
		{"a stalled tag", func(s *scene) { s.w.Tags[1] = world.Tag{Stalled: true} }, []step.Alert{{Name: step.FinalityStalled, Page: true, Chain: 1}}},
		{"refused repeatedly", func(s *scene) { s.f.Skipped = &order.Refusal{Why: order.Refused, Times: 5} }, []step.Alert{page(step.Poisoned)}},
		{"refused repeatedly and parked", func(s *scene) {
			s.f.Skipped = &order.Refusal{Why: order.Refused, Times: 5}
			s.was(order.Parked, order.Refused, time.Hour)
		}, []step.Alert{page(step.Poisoned)}},
		{"parked by an operator", func(s *scene) { s.was(order.Parked, order.Operator, time.Hour) }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := payable()
			tt.change(s)
			if got := s.next().Alerts; !slices.Equal(got, tt.want) {
				t.Errorf("Alerts = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestUntil(t *testing.T) {
	last := deadline.Add(-2 * time.Hour)
	for _, tt := range []struct {
		name   string
		change func(*scene)
		want   time.Time
	}{
		{"unpaid is looked at again two hours before the deadline", func(s *scene) { s.f.Opened.Proof = order.Agreed }, last},
		{"then at the deadline", func(s *scene) { s.now = last; s.was(order.Cancelling, "", 0) }, deadline},
		{"then an hour later", func(s *scene) { s.now = deadline }, deadline.Add(time.Hour)},
		{"then on news only", func(s *scene) { s.now = deadline.Add(time.Hour) }, time.Time{}},
		{"waiting is looked at when its patience ends", func(s *scene) {
			s.left(world.Liquidity, payer, 0)
			s.was(order.Waiting, order.Cap, time.Minute)
		}, opened.Add(2 * time.Hour)},
		{"unreleased is looked at when its ticket is due", func(s *scene) { s.paid(order.Final, 0); s.left(world.Releases, source, 0) }, opened.Add(24*time.Hour + time.Minute)},
		{"a claim is looked at when its second push is due", func(s *scene) {
			s.paid(order.Final, 0)
			s.f.Released, s.f.Credited = fact(order.Final, s.now), fact(order.Final, s.now)
			s.task(order.Claim, order.Done)
		}, opened.Add(24*time.Hour + time.Minute)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := payable()
			tt.change(s)
			if got := s.next().Until; !got.Equal(tt.want) {
				t.Errorf("Until = %v, want %v", got, tt.want)
			}
		})
	}
}
