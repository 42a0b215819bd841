package status_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hubquote/internal/contract"
	"hubquote/internal/record"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/track/status"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A moment changes something and names what a client reads then.
type moment struct {
	name   string
	change func(*life)
	want   swap.Stage
	reason string
}

func sees(e order.Event, p order.Proof) func(*life) { return func(l *life) { l.see(e, p) } }

func at(d time.Duration) func(*life) { return func(l *life) { l.now = opened.Add(d) } }

func both(fs ...func(*life)) func(*life) {
	return func(l *life) {
		for _, f := range fs {
			f(l)
		}
	}
}

var (
	seen   = moment{"the deposit is seen", sees(order.EventOpened, order.Told), swap.StageConfirming, "finality"}
	agreed = moment{"enough endpoints agree", sees(order.EventOpened, order.Agreed), swap.StageConfirming, "finality"}
	final  = moment{"the deposit is final", sees(order.EventOpened, order.Final), swap.StagePaying, ""}
	inTwo  = moment{"the payment is in a block", sees(order.EventPaid, order.Agreed), swap.StagePaid, "finality"}
	paid   = moment{"the payment is final", sees(order.EventPaid, order.Final), swap.StageDone, ""}
	freed  = moment{"the deposit is released", sees(order.EventReleased, order.Final), swap.StageDone, ""}
)

func direct() *life { return begin(pool, payer, 369, swap.ToAddress) }

func inbound() *life {
	l := begin(base, payer, 369, swap.ToAddress)
	l.o.Burn = true
	l.burn("in", "delivered")
	return l
}

func outbound() *life { return begin(payer, base, 10, swap.ToAddress) }

func unpayable() *life {
	l := inbound()
	l.o.Dst.Address = swap.Address{}
	return l
}

// mints delivers a burn, in a block that is final or not, as the journal writes
// it for a network of one endpoint: a final mint is looked at again there too.
func mints(way string, final bool) func(*life) {
	return func(l *life) {
		l.burn(way, "delivered")
		l.burns[0].NextAsk = opened
		if !final {
			l.burns[0].Reason = order.Finality
		}
	}
}

// TestEveryPath walks every path of an order, with the status at every moment.
func TestEveryPath(t *testing.T) {
	next := map[swap.Stage]map[swap.Stage]bool{swap.StageAttesting: {swap.StageConfirming: true}} // a burn becomes an order
	for _, tt := range []struct {
		name string
		life *life
		path []moment
	}{
		{"direct", direct(), []moment{seen, agreed, final, inTwo, paid, freed}},
		{"native", begin(base, payer, 369, swap.ToAddress), []moment{seen, agreed,
			{"safe is enough within the exposure", sees(order.EventOpened, order.Safe), swap.StagePaying, ""}, inTwo, paid, freed}},
		{"shield", begin(payer, pool, 69696969, swap.ToPrivate), []moment{seen, agreed, final, inTwo, paid, freed}},
		{"unshield", direct(), []moment{seen, final, inTwo, paid, freed}},
		{"inbound burn", inbound(), []moment{seen,
			{"a relay in a block is enough within the exposure", sees(order.EventOpened, order.Agreed), swap.StagePaying, ""}, inTwo, paid, freed}},
		{"outbound burn", outbound(), []moment{seen, final, inTwo,
			{"the payment is final, the issuer has not signed", both(sees(order.EventPaid, order.Final), func(l *life) { l.burn("out", "asking") }), swap.StageDelivering, "issuer"},
			{"the issuer signed", func(l *life) { l.burns[0].Attestation = []byte{1} }, swap.StageDelivering, "undelivered"},
			{"the deposit is released", sees(order.EventReleased, order.Final), swap.StageDelivering, "undelivered"},
			{"the purse of the destination is empty", func(l *life) { l.burns[0].Reason = order.Purse }, swap.StageDelivering, "purse"},
			{"minted in a block", mints("out", false), swap.StageDelivering, "finality"},
			{"that block is replaced", func(l *life) { l.burn("out", "delivering"); l.burns[0].Attestation = []byte{1} }, swap.StageDelivering, "undelivered"},
			{"minted for good", mints("out", true), swap.StageDone, ""},
			{"the one endpoint takes it back, and the journal raises the revision", func(l *life) { l.burn("out", "delivering"); l.burns[0].Attestation = []byte{1}; l.o.Revision++ }, swap.StageDelivering, "undelivered"},
			{"minted for good again", mints("out", true), swap.StageDone, ""}}},
		{"claim", direct(), []moment{seen, final,
			{"the payment is owed", both(sees(order.EventPaid, order.Agreed), sees(order.EventCredited, order.Agreed)), swap.StagePaid, "finality"},
			{"the claim is final", both(sees(order.EventPaid, order.Final), sees(order.EventCredited, order.Final)), swap.StageClaimable, "unclaimed"},
			{"the deposit is released", sees(order.EventReleased, order.Final), swap.StageClaimable, "unclaimed"},
			{"claimed in a block", sees(order.EventClaimed, order.Agreed), swap.StageClaimable, "unclaimed"},
			{"claimed for good", sees(order.EventClaimed, order.Final), swap.StageDone, ""}}},
		{"cancel and refund", direct(), []moment{seen, final,
			{"the pool is paused", func(l *life) { l.w.Contracts[payer] = world.Contract{Paused: true} }, swap.StagePaying, "paused"},
			{"two hours later", at(3 * time.Hour), swap.StagePaying, ""},
			{"cancelled in a block", sees(order.EventCancelled, order.Agreed), swap.StageRefunding, "finality"},
			{"cancelled for good", sees(order.EventCancelled, order.Final), swap.StageRefunding, ""},
			{"refunded in a block", sees(order.EventRefunded, order.Agreed), swap.StageRefunding, "finality"},
			{"refunded for good", sees(order.EventRefunded, order.Final), swap.StageRefunded, ""}}},
		{"refund that is owed", direct(), []moment{seen, final,
			{"cancelled for good", sees(order.EventCancelled, order.Final), swap.StageRefunding, ""},
			{"refunded as a claim", both(sees(order.EventRefunded, order.Final), func(l *life) { l.seeAt(order.EventCredited, order.Final, pool.Chain) }), swap.StageClaimable, "unclaimed"},
			{"claimed for good", func(l *life) { l.seeAt(order.EventClaimed, order.Final, pool.Chain) }, swap.StageRefunded, ""}}},
		{"refund after the deadline", direct(), []moment{seen, final,
			{"the deadline is near", at(71 * time.Hour), swap.StagePaying, ""},
			{"the deadline is past", at(72 * time.Hour), swap.StagePaying, "deadline"},
			{"a final block is past it", both(at(74*time.Hour), func(l *life) { l.w.Tags[369] = world.Tag{Final: 900, FinalTime: opened.Add(74 * time.Hour)} }), swap.StageRefunding, ""},
			{"refunded for good", sees(order.EventRefunded, order.Final), swap.StageRefunded, ""}}},
		{"burned back", inbound(), []moment{seen,
			{"cancelled for good", both(sees(order.EventOpened, order.Final), sees(order.EventCancelled, order.Final)), swap.StageRefunding, ""},
			{"burned, not minted", both(sees(order.EventRefunded, order.Final), func(l *life) { l.burn("back", "asking") }), swap.StageRefunding, "undelivered"},
			{"minted at its source in a block", mints("back", false), swap.StageRefunding, "finality"},
			{"that block is replaced", func(l *life) { l.burn("back", "delivering") }, swap.StageRefunding, "undelivered"},
			{"minted at its source for good", mints("back", true), swap.StageRefunded, ""}}},
		{"reclaim", direct(), []moment{seen, final,
			{"reclaimed in a block", sees(order.EventReclaimed, order.Agreed), swap.StageRefunding, "finality"},
			{"reclaimed for good", sees(order.EventReclaimed, order.Final), swap.StageRefunded, ""}}},
		{"unpayable burn", unpayable(), []moment{seen,
			{"enough endpoints agree", sees(order.EventOpened, order.Agreed), swap.StageRefunding, ""},
			{"reclaimed for good", sees(order.EventReclaimed, order.Final), swap.StageRefunded, ""}}},
		{"a deposit that is reorganised away", direct(), []moment{seen,
			{"its block is gone", func(l *life) { l.lose(order.EventOpened) }, swap.StageUnknown, "reorganised"},
			seen, final, inTwo, paid}},
		{"a relay that is reorganised away", inbound(), []moment{seen,
			{"its block is gone", func(l *life) { l.lose(order.EventOpened) }, swap.StageAttesting, "reorganised"}, seen}},
		{"a payment that is reorganised away", direct(), []moment{seen, final, inTwo,
			{"its block is gone", func(l *life) { l.lose(order.EventPaid) }, swap.StagePaying, ""}, inTwo, paid}},
		{"a final payment that is reorganised away", direct(), []moment{seen, final, inTwo, paid,
			{"its block is gone", func(l *life) { l.lose(order.EventPaid) }, swap.StagePaying, "reorganised"}, inTwo, paid}},
		{"paid and reclaimed", direct(), []moment{seen, final, inTwo, paid,
			{"the deposit went back too", sees(order.EventReclaimed, order.Final), swap.StageDone, ""}}},
		{"released and never paid", direct(), []moment{seen, final,
			{"released", sees(order.EventReleased, order.Final), swap.StagePaying, "inconsistent"}}},
	} {
		t.Run(tt.name, func(t *testing.T) { walk(t, tt.life, tt.path, next) })
	}
	compareDocs(t, next)
}

// compareDocs requires the statuses that follow each in docs/tracking.md to be
// those that follow it on some path.
func compareDocs(t *testing.T, next map[swap.Stage]map[swap.Stage]bool) {
	text, err := os.ReadFile("../../../../docs/tracking.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range swap.Stages {
		row := regexp.MustCompile("(?m)^\\| `" + string(s) + "` \\|.*\\|(.*)\\|$").FindSubmatch(text)
		if row == nil {
			t.Fatalf("docs/tracking.md has no row for %s, want one", s)
		}
		var want []string
		for _, w := range swap.Stages {
			if next[s][w] {
				want = append(want, "`"+string(w)+"`")
			}
		}
		got := strings.FieldsFunc(string(row[1]), func(r rune) bool { return r == ' ' || r == ',' })
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("docs/tracking.md has %v after %s, want %v", got, s, want)
		}
	}
}

// walk goes a path and adds which status follows which, unless something was
// taken away or many happened at once.
func walk(t *testing.T, l *life, path []moment, next map[swap.Stage]map[swap.Stage]bool) {
	var before swap.Mark
	var was swap.Status
	for _, m := range path {
		m.change(l)
		if now := l.status(t); now.Mark.Before(before) {
			t.Errorf("%s, before it is decided: mark = %s, want at least %s", m.name, now.Mark, before)
		}
		l.decide()
		s := l.status(t)
		if s.Stage != m.want || s.Reason != m.reason {
			t.Errorf("%s: status = %s (%s), want %s (%s); the journal says %s", m.name, s.Stage, s.Reason, m.want, m.reason, l.o.State)
		}
		if s.Mark.Before(before) {
			t.Errorf("%s: mark = %s, want at least %s", m.name, s.Mark, before)
		}
		if was.Stage != "" && s.Stage != was.Stage && s.Mark.Revision == was.Mark.Revision && was.Stage != swap.StageUnknown {
			if next[was.Stage] == nil {
				next[was.Stage] = map[swap.Stage]bool{}
			}
			next[was.Stage][s.Stage] = true
		}
		before, was = s.Mark, s
	}
}

// TestMarkNeverFalls lets facts of every kind come, harden and vanish in any
// order, and looks before and after every decision. Only a final fact stays.
func TestMarkNeverFalls(t *testing.T) {
	events := []order.Event{
		order.EventOpened, order.EventPaid, order.EventCancelled, order.EventRefunded,
		order.EventReleased, order.EventReclaimed, order.EventClaimed,
	}
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom([]func() *life{direct, inbound, outbound, unpayable}).Draw(t, "life")()
		l.see(order.EventOpened, order.Told)
		owed := rapid.Bool().Draw(t, "the payment is owed")
		var before swap.Status
		look := func() {
			s := l.statusOf(t)
			if s.Mark.Before(before.Mark) {
				t.Fatalf("mark = %s (%s), want at least %s (%s)", s.Mark, s.Stage, before.Mark, before.Stage)
			}
			paidToo := before.Stage == swap.StageRefunded && l.facts[order.EventPaid] != nil && l.facts[order.EventPaid].Proof == order.Final
			if before.Stage.Final() && s.Stage != before.Stage && !paidToo { // by a fault it is paid too
				t.Fatalf("status = %s after %s, want the end to be the end", s.Stage, before.Stage)
			}
			before = s
		}
		for range rapid.IntRange(1, 30).Draw(t, "moments") {
			e := rapid.SampledFrom(events).Draw(t, "event")
			f := l.facts[e]
			switch hour := rapid.IntRange(0, 9).Draw(t, "what"); {
			case hour < 4 && (f == nil || f.Gone) && l.possible(e):
				l.see(e, order.Told)
			case hour < 7 && f != nil && !f.Gone:
				f.Proof = min(f.Proof+1, order.Final)
			case hour == 7 && f != nil && f.Proof < order.Final:
				l.lose(e)
			case hour == 8:
				l.now = l.now.Add(5 * time.Hour)
			}
			if paid := l.facts[order.EventPaid]; owed && paid != nil { // in the same transaction
				l.see(order.EventCredited, paid.Proof)
				l.facts[order.EventCredited].Gone = paid.Gone
			}
			look()
			if rapid.Bool().Draw(t, "decide") {
				l.decide()
				look()
			}
		}
	})
}

// possible reports whether an event can follow: the contracts pay nothing that is
// cancelled, a deposit ends once, and the policy pays nothing that went back.
func (l *life) possible(e order.Event) bool {
	has := func(e order.Event) bool { return l.facts[e] != nil && !l.facts[e].Gone }
	switch e {
	case order.EventPaid, order.EventCredited:
		return !has(order.EventCancelled) && !has(order.EventRefunded) && !has(order.EventReclaimed)
	case order.EventCancelled:
		return !has(order.EventPaid)
	case order.EventRefunded, order.EventReclaimed, order.EventReleased:
		return !has(order.EventRefunded) && !has(order.EventReclaimed) && !has(order.EventReleased)
	}
	return true
}

func (l *life) statusOf(t *rapid.T) swap.Status {
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

// signed is a message from network 10 to the receiver on 8453.
var signed = func() []byte {
	m := make([]byte, 376)
	m[3], m[7], m[11], m[151] = 1, 2, 6, 1
	copy(m[196:], base.Address[:])
	return m
}()

func TestActions(t *testing.T) {
	owed := direct()
	owed.see(order.EventOpened, order.Final)
	owed.see(order.EventPaid, order.Final)
	owed.see(order.EventCredited, order.Final)
	waiting := direct()
	waiting.see(order.EventOpened, order.Final)
	lost := unpayable()
	lost.see(order.EventOpened, order.Agreed)
	done := direct()
	done.see(order.EventOpened, order.Final)
	done.see(order.EventPaid, order.Final)
	carry := func(l *life, way string) *life {
		l.burn(way, "delivering")
		l.burns[0].Signed, l.burns[0].Attestation = signed, []byte{7}
		return l
	}
	burnt, back := outbound(), inbound()
	burnt.see(order.EventOpened, order.Final)
	burnt.see(order.EventPaid, order.Final)
	back.see(order.EventOpened, order.Final)
	back.see(order.EventCancelled, order.Final)
	back.see(order.EventRefunded, order.Final)
	minted := outbound()
	minted.see(order.EventOpened, order.Final)
	minted.see(order.EventPaid, order.Final)
	reclaim := func(l *life) []byte {
		body, err := record.Decode(l.o.Body)
		if err != nil {
			t.Fatal(err)
		}
		return record.Reclaim(body)
	}
	for _, tt := range []struct {
		name string
		life *life
		want *swap.Action
	}{
		{"a claim can be pushed", owed, &swap.Action{Kind: "claim", Chain: 369, To: payer.Address, Data: contract.Pool.Call("claimFor", [20]byte{})}},
		{"an unpaid deposit can be taken back in time", waiting, &swap.Action{Kind: "reclaim", Chain: 1, To: pool.Address, Data: reclaim(waiting), After: opened.Add(8 * 24 * time.Hour)}},
		{"an unpayable one at once", lost, &swap.Action{Kind: "reclaim", Chain: 8453, To: base.Address, Data: reclaim(lost)}},
		{"nothing is left to do", done, nil},
		{"a signed payment can be minted", carry(burnt, "out"), &swap.Action{Kind: "mint", Chain: 10, To: atlas.Transmitter, Data: contract.Transmitter.Call("receiveMessage", signed, []byte{7})}},
		{"a signed refund can be minted", carry(back, "back"), &swap.Action{Kind: "mint", Chain: base.Chain, To: atlas.Transmitter, Data: contract.Transmitter.Call("receiveMessage", signed, []byte{7})}},
		{"a payment that is not signed cannot", func() *life { minted.burn("out", "asking"); return minted }(), nil},
	} {
		tt.life.decide()
		got := tt.life.status(t).Action
		if (got == nil) != (tt.want == nil) {
			t.Errorf("%s: action = %+v, want %+v", tt.name, got, tt.want)
			continue
		}
		if got != nil && (got.Kind != tt.want.Kind || got.Chain != tt.want.Chain || got.To != tt.want.To || !bytes.Equal(got.Data, tt.want.Data) || !got.After.Equal(tt.want.After)) {
			t.Errorf("%s: action = %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestLegsAndTimes(t *testing.T) {
	l := inbound()
	l.see(order.EventOpened, order.Final)
	l.see(order.EventPaid, order.Agreed)
	l.decide()
	s := l.status(t)
	want := []swap.Leg{
		{Kind: swap.LegBurn, Chain: 10, Tx: swap.Hash{8}, Final: true},
		{Kind: swap.LegDeposit, Chain: 8453, Tx: swap.Hash{6, 'o'}, Block: 7, BlockHash: swap.Hash{7}, Time: opened, Final: true},
		{Kind: swap.LegPayment, Chain: 369, Tx: swap.Hash{4, 'p'}, Block: 7, BlockHash: swap.Hash{7}, Time: opened},
	}
	if len(s.Legs) != len(want) {
		t.Fatalf("legs = %+v, want %+v", s.Legs, want)
	}
	for i := range want {
		if s.Legs[i] != want[i] {
			t.Errorf("leg %d = %+v, want %+v", i, s.Legs[i], want[i])
		}
	}
	if !s.ETA.Equal(opened.Add(usually)) || s.Delayed {
		t.Errorf("eta = %v, delayed = %v, want %v, false", s.ETA, s.Delayed, opened.Add(usually))
	}
	for _, tt := range []struct {
		after   time.Duration
		eta     bool
		delayed bool
	}{
		{usually - time.Second, true, false},
		{usually, false, false},
		{3 * usually, false, false},
		{3*usually + time.Second, false, true},
	} {
		l.now = opened.Add(tt.after)
		if s := l.status(t); s.ETA.IsZero() == tt.eta || s.Delayed != tt.delayed || !s.ETA.IsZero() && !s.ETA.After(l.now) {
			t.Errorf("%s after the deposit: eta = %v, delayed = %t, want an eta that is to come: %t, %t", tt.after, s.ETA, s.Delayed, tt.eta, tt.delayed)
		}
	}
}

// A burn is expected by its network and its tier, from its block on.
func TestBurnIsExpected(t *testing.T) {
	sent := func(domain, finality byte) []byte {
		m := bytes.Clone(signed)
		m[7], m[142], m[143] = domain, 0x03, finality
		return m
	}
	fast, standard := sent(2, 0xe8), sent(2, 0xe9) // a threshold of 1000, and of more
	for _, tt := range []struct {
		name    string
		burn    journal.Burn
		after   time.Duration
		eta     time.Duration // zero: none
		delayed bool
	}{
		{"fast", journal.Burn{Sent: fast, Status: "asking", Mined: opened}, 0, 2 * usually, false},
		{"standard", journal.Burn{Sent: standard, Status: "asking", Mined: opened}, 0, 4 * usually, false},
		{"of a slower network", journal.Burn{Sent: sent(3, 0xe8), Status: "asking", Mined: opened}, 0, 3 * usually, false},
		{"signed", journal.Burn{Sent: fast, Status: "delivering", Mined: opened, Attestation: []byte{1}}, usually, 2 * usually, false},
		{"when the time has come", journal.Burn{Sent: fast, Status: "asking", Mined: opened}, 2 * usually, 0, false},
		{"long after", journal.Burn{Sent: fast, Status: "asking", Mined: opened}, 7 * usually, 0, true},
		{"whose block is not known", journal.Burn{Sent: fast, Status: "asking"}, 0, 0, false},
		{"that is not ours", journal.Burn{Sent: fast, Status: "ignored", Mined: opened}, 0, 0, false},
	} {
		want := time.Time{}
		if tt.eta != 0 {
			want = opened.Add(tt.eta)
		}
		if s := status.Burned(opened.Add(tt.after), &tt.burn, atlas); !s.ETA.Equal(want) || s.Delayed != tt.delayed {
			t.Errorf("a burn %s: eta = %v, delayed = %t, want %v, %t", tt.name, s.ETA, s.Delayed, want, tt.delayed)
		}
	}
}

func TestBurnBeforeItsOrder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		burn   journal.Burn
		stage  swap.Stage
		reason string
	}{
		{"the issuer has not signed", journal.Burn{Status: "asking"}, swap.StageAttesting, "issuer"},
		{"signed and not relayed", journal.Burn{Status: "attested", Attestation: []byte{1}, Signed: signed}, swap.StageAttesting, "undelivered"},
		{"its transaction is sent", journal.Burn{Status: "delivering", Attestation: []byte{1}, Signed: signed, Reason: order.InFlight}, swap.StageAttesting, "in_flight"},
		{"the receiver's chain is dear", journal.Burn{Status: "delivering", Attestation: []byte{1}, Signed: signed, Reason: order.Purse, Delay: "amount_above_max"}, swap.StageAttesting, "purse"},
		{"not for us", journal.Burn{Status: "ignored"}, swap.StageUnknown, "no_order"},
	} {
		s := status.Burned(opened, &tt.burn, atlas)
		if s.Stage != tt.stage || s.Reason != tt.reason {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.name, s.Stage, s.Reason, tt.stage, tt.reason)
		}
		if s.Delayed != (tt.burn.Delay != "") {
			t.Errorf("%s: delayed = %t, want what the issuer says", tt.name, s.Delayed)
		}
		want := &swap.Action{Kind: "relay", Chain: 8453, To: base.Address, Data: contract.Receiver.Call("relay", signed, []byte{1})}
		if got := s.Action; (got != nil) != (tt.burn.Signed != nil) || got != nil && (got.Kind != want.Kind || got.Chain != want.Chain || got.To != want.To || !bytes.Equal(got.Data, want.Data)) {
			t.Errorf("%s: action = %+v, want a relay once it is signed", tt.name, got)
		}
		if opened := direct().status(t); !s.Mark.Before(opened.Mark) {
			t.Errorf("%s: mark = %s, want less than %s of its order", tt.name, s.Mark, opened.Mark)
		}
	}
}
