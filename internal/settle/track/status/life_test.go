package status_test

import (
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/record"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/track/status"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

var (
	opened  = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	pool    = order.Pool{Chain: 1, Address: swap.Address{1}}
	base    = order.Pool{Chain: 8453, Address: swap.Address{2}}
	payer   = order.Pool{Chain: 369, Address: swap.Address{3}}
	token   = swap.Address{9}
	usually = 10 * time.Minute
	atlas   = &status.Atlas{
		Domains: map[swap.Domain]swap.ChainID{2: 10, 6: 8453}, Transmitter: swap.Address{0x81},
		Usual: func(*swap.Order) time.Duration { return usually },
		Carried: func(source swap.Domain, fast bool) time.Duration {
			return map[bool]time.Duration{true: usually, false: 2 * usually}[fast] * time.Duration(source)
		},
	}
)

// A life is an order as the journal has it while its facts come and go. Its
// state is decided by the real policy and recorded as the journal does.
type life struct {
	now   time.Time
	o     journal.Order
	facts map[order.Event]*journal.Fact
	burns []journal.Burn
	w     world.World
	held  order.Known[order.Deposit]
	dst   order.Known[order.Settlement]
}

func amount(n uint64) swap.Amount { return *uint256.NewInt(n) }

func begin(src, dst order.Pool, place uint64, kind swap.RecipientType) *life {
	body := &swap.Order{
		SrcPlace: amount(uint64(src.Chain)), SrcPool: src.Address, RefundTo: swap.Address{6}, SrcDecimals: 6, Amount: amount(100),
		DstPlace: amount(place), DstPool: dst.Address, DstToken: token, RecipientType: kind, Recipient: make([]byte, 20),
		Deadline: uint64(opened.Add(72 * time.Hour).Unix()),
	}
	l := &life{now: opened.Add(time.Minute), facts: map[order.Event]*journal.Fact{}, w: calm()}
	l.o = journal.Order{
		Order: order.Order{
			ID: order.ID(record.ID(body)), Src: src, Dst: dst, Asset: token, Amount: amount(100), Pays: amount(99),
			Deadline: opened.Add(72 * time.Hour), Body: record.Encode(body),
		},
		State: order.Seen, Reason: order.Finality, Since: opened,
	}
	l.held = order.Known[order.Deposit]{Value: order.Held, OK: true, Block: 1000}
	l.dst = order.Known[order.Settlement]{OK: true, Block: 1000}
	return l
}

// calm is a world in which everything can be paid.
func calm() world.World {
	w := world.World{
		Tags: map[swap.ChainID]world.Tag{}, Contracts: map[order.Pool]world.Contract{},
		Fees: map[swap.ChainID]world.Fees{}, Left: map[world.Budget]swap.Amount{},
	}
	for _, p := range []order.Pool{pool, base, payer} {
		w.Tags[p.Chain] = world.Tag{Final: 900, FinalTime: opened}
		w.Fees[p.Chain] = world.Fees{WithinCap: true}
		w.Contracts[p] = world.Contract{}
		for _, l := range []world.Limit{world.Calls, world.Subsidy, world.Early} {
			w.Left[world.Budget{Limit: l, Pool: order.Pool{Chain: p.Chain}}] = amount(1000)
		}
		w.Left[world.Budget{Limit: world.Early, Pool: order.Pool{Chain: p.Chain, Address: token}}] = amount(1000)
		for _, l := range []world.Limit{world.Liquidity, world.Payments, world.Unfreed, world.Releases, world.Refunds} {
			w.Left[world.Budget{Limit: l, Pool: p}] = amount(1000)
		}
		for _, from := range []order.Pool{pool, base, payer} {
			w.Left[world.Budget{Limit: world.ForSource, Pool: p, From: world.Source{Place: swap.PlaceID(from.Chain), Pool: from}}] = amount(1000)
		}
	}
	return w
}

// see records an event. Its chain follows from its kind.
func (l *life) see(e order.Event, p order.Proof) {
	at := l.o.Src
	switch e {
	case order.EventPaid, order.EventCancelled, order.EventCredited, order.EventClaimed:
		at = l.o.Dst
	}
	l.seeAt(e, p, at.Chain)
}

func (l *life) seeAt(e order.Event, p order.Proof, chain swap.ChainID) {
	l.facts[e] = &journal.Fact{Order: l.o.ID, Event: e, Fact: order.Fact{
		Chain: chain, Tx: order.Hash{byte(len(e)), e[0]}, Block: 7, Hash: order.Hash{7}, Time: opened, Proof: p,
	}}
}

func (l *life) lose(e order.Event) { l.facts[e].Gone = true }

func (l *life) burn(way string, state string) {
	b := journal.Burn{Domain: 6, Tx: order.Hash{8}, Way: way, Status: state}
	if way == "in" {
		b.Domain = 2
	}
	if state == "delivered" {
		b.MintTx, b.Attestation = order.Hash{9}, []byte{1}
	}
	l.burns = []journal.Burn{b}
}

// decide does what the settler's writer does with a policy's step.
func (l *life) decide() {
	f := order.Facts{Held: l.held, Settlement: l.dst, Was: order.Memory{State: l.o.State, Reason: l.o.Reason, Since: l.o.Since}}
	for e, into := range map[order.Event]**order.Fact{
		order.EventOpened: &f.Opened, order.EventPaid: &f.Paid, order.EventCancelled: &f.Cancelled, order.EventRefunded: &f.Refunded,
		order.EventReleased: &f.Released, order.EventReclaimed: &f.Reclaimed, order.EventCredited: &f.Credited, order.EventClaimed: &f.Claimed,
	} {
		if row := l.facts[e]; row != nil && !row.Gone {
			*into = &row.Fact
		}
	}
	f.Unminted = len(l.burns) > 0 && l.burns[0].Way == "back" && l.burns[0].Status != "delivered"
	s := policy.Next(l.now, l.o.Order, f, l.w, rules.Standard())
	if s.State.Step() < l.o.State.Step() {
		l.o.Revision++
	}
	if s.State != l.o.State {
		l.o.Since = l.now
	}
	l.o.State, l.o.Reason = s.State, s.Reason
}

func (l *life) status(t testing.TB) swap.Status {
	t.Helper()
	a := status.Account{Order: l.o, Burns: l.burns}
	for _, f := range l.facts {
		a.Facts = append(a.Facts, *f)
	}
	s, err := status.Of(l.now, a, atlas)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One endpoint alone tells a credit of an order that is done.
func TestToldCreditChangesNoEnd(t *testing.T) {
	l := direct()
	for _, m := range []moment{seen, agreed, final, inTwo, paid, freed} {
		m.change(l)
		l.decide()
	}
	before := l.status(t)
	if before.Stage != swap.StageDone {
		t.Fatal(before.Stage)
	}
	l.see(order.EventCredited, order.Told)
	after := l.status(t)
	if after.Stage != before.Stage || after.Mark.Revision == before.Mark.Revision && after.Mark.Step < before.Mark.Step {
		t.Errorf("status = %v %+v, want %v and no step back from %+v", after.Stage, after.Mark, before.Stage, before.Mark)
	}
}

// givenBack is an order whose deposit is back for good.
func givenBack(how order.Event) *life {
	l := direct()
	for _, m := range []moment{seen, agreed, final} {
		m.change(l)
		l.decide()
	}
	l.see(how, order.Final)
	l.decide()
	return l
}

// One endpoint alone tells a payment of an order that is refunded for good.
func TestToldPaymentChangesNoRefund(t *testing.T) {
	l := givenBack(order.EventRefunded)
	before := l.status(t)
	if before.Stage != swap.StageRefunded {
		t.Fatal(before.Stage, l.o.State)
	}
	l.see(order.EventPaid, order.Told)
	after := l.status(t)
	if after.Stage != before.Stage || after.Mark.Revision == before.Mark.Revision && after.Mark.Step < before.Mark.Step {
		t.Errorf("status = %v %+v, want %v and no step back from %+v", after.Stage, after.Mark, before.Stage, before.Mark)
	}
}

// Of two burns of an order, in any order, the one that came further is shown: one that
// the issuer did not sign may be another name of the one that it did.
func TestTwoBurnsOfOneOrder(t *testing.T) {
	asking := journal.Burn{Domain: 6, Status: "asking", Agreed: true}
	attested := journal.Burn{Domain: 6, Status: "attested", Nonce: []byte{1}, Signed: signed, Attestation: []byte{1}}
	expired := journal.Burn{Domain: 6, Status: "asking", Nonce: []byte{2}}
	minted := journal.Burn{Domain: 6, Status: "delivered", Reason: order.Finality, Nonce: []byte{1}, MintTx: order.Hash{9}, Attestation: []byte{1}}
	arrived := journal.Burn{Domain: 6, Status: "delivered", Nonce: []byte{1}, MintTx: order.Hash{9}, Attestation: []byte{1}}
	for _, tt := range []struct {
		name   string
		a, b   journal.Burn
		stage  swap.Stage
		reason string
		back   swap.Stage
	}{
		{"arrived, and not signed", arrived, asking, swap.StageDone, "", swap.StageRefunded},
		{"arrived, and signed", arrived, expired, swap.StageDone, "", swap.StageRefunded},
		{"minted, and not signed", minted, asking, swap.StageDelivering, "finality", swap.StageRefunding},
		{"signed, and not signed", attested, asking, swap.StageDelivering, "undelivered", swap.StageRefunding},
	} {
		for _, burns := range [][]journal.Burn{{tt.a, tt.b}, {tt.b, tt.a}} {
			l := outbound()
			for _, m := range []moment{seen, agreed, final, inTwo, paid} {
				m.change(l)
				l.decide()
			}
			l.burns = burns
			for i := range l.burns {
				l.burns[i].Way = "out"
			}
			if s := l.status(t); s.Stage != tt.stage || s.Reason != tt.reason {
				t.Errorf("%s: %s (%s), want %s (%s)", tt.name, s.Stage, s.Reason, tt.stage, tt.reason)
			}
			l = begin(base, payer, 369, swap.ToAddress)
			l.see(order.EventOpened, order.Final)
			l.see(order.EventRefunded, order.Final)
			l.o.State, l.burns = order.Closed, burns
			for i := range l.burns {
				l.burns[i].Way = "back"
			}
			if s := l.status(t); s.Stage != tt.back {
				t.Errorf("%s, back: %s, want %s", tt.name, s.Stage, tt.back)
			}
		}
	}
}

// Enough endpoints see a payment only when the deposit is back for good. It takes no
// step back: not while it is not final, and not as a claim.
func TestPaymentFoundAfterARefund(t *testing.T) {
	l := givenBack(order.EventReclaimed)
	before := l.status(t)
	for _, tt := range []struct {
		proof order.Proof
		want  swap.Stage
	}{{order.Told, swap.StageRefunded}, {order.Agreed, swap.StageRefunded}, {order.Final, swap.StageClaimable}} {
		l.see(order.EventPaid, tt.proof)
		l.see(order.EventCredited, tt.proof)
		for range 2 { // before and after it is decided
			if got := l.status(t); got.Stage != tt.want || got.Mark.Before(before.Mark) {
				t.Errorf("status = %s at %s, want %s at %s or later", got.Stage, got.Mark, tt.want, before.Mark)
			}
			l.decide()
		}
	}
}
