package ask_test

import (
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/ask"
	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

const (
	arbitrum swap.Domain = 3
	usual                = 8 * time.Second
)

// A bench is a journal with burns and an issuer that does what a test wants. It
// runs in a synctest bubble, where an hour takes no time.
type bench struct {
	t       *testing.T
	terms   *terms.Terms
	issuer  *fake.Attester
	journal journal.Journal
	writer  journal.Writer
	asker   *ask.Asker
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func newBench(t *testing.T, path string) *bench {
	b := &bench{t: t, issuer: fake.NewAttester()}
	cat := must(catalog.Embedded())(t)
	plan := must(deployment.New(deployment.Options{Catalog: cat, Settings: operator.Reference(must(lane.Of(cat))(t))}))(t)
	b.terms = must(terms.Of(plan))(t)
	j := must(sqlite.Open(t.Context(), path))(t)
	t.Cleanup(func() { _ = j.Close() })
	b.journal, b.writer = j, must(j.Acquire(t.Context(), "test"))(t)
	client := must(attest.New(attest.Options{URL: must(upstream.Parse("http://issuer"))(t), Transport: fake.Network{"issuer": b.issuer}}))(t)
	b.asker = ask.New(ask.Options{
		Rows:   &row.Reader{Terms: b.terms, Usual: func(swap.ChainID, bool) time.Duration { return usual }},
		Issuer: client, Rules: burn.Standard(), Journal: j, Write: b.writer.Write, Log: slog.New(slog.DiscardHandler),
	})
	return b
}

// run runs a test in a bubble. The directory is made outside, since its removal
// needs a real clock.
func run(t *testing.T, test func(*testing.T, *bench)) {
	path := filepath.Join(t.TempDir(), "journal")
	synctest.Test(t, func(t *testing.T) { test(t, newBench(t, path)) })
}

// sent is a burn of ours of so much, as the source emits it.
func (b *bench) sent(amount byte) message.Message {
	m := make(message.Message, 376)
	put := func(at int, w message.Word) { copy(m[at:], w[:]) }
	network := b.terms.Networks[arbitrum]
	m[3], m[7], m[11], m[142], m[143], m[151] = 1, byte(arbitrum), byte(b.terms.Domains[b.terms.Gateway]), 3, 0xe8, 1
	put(44, message.WordOf(b.terms.Messenger))
	put(76, message.WordOf(b.terms.Messenger))
	receiver := b.receiver()
	put(108, message.WordOf(receiver))
	put(152, message.WordOf(b.terms.Tokens[network]))
	put(184, message.WordOf(receiver))
	m[216+27], m[216+31] = 1, amount // well above the least
	put(248, message.WordOf(swap.Address{1}))
	return m
}

func (b *bench) receiver() swap.Address {
	for _, a := range b.terms.Burners() {
		if b.terms.IsReceiver(a) {
			return a
		}
	}
	b.t.Fatal("no receiver")
	return swap.Address{}
}

// signed is what the issuer makes of a message.
func signed(m message.Message, nonce, expires byte) fake.Attestation {
	s := append(message.Message{}, m...)
	s[43], s[375] = nonce, expires
	return fake.Attestation{Message: s, Signature: []byte{nonce, expires}}
}

// put records burns of one transaction that were mined now.
func (b *bench) put(tx order.Hash, messages ...message.Message) {
	b.t.Helper()
	now := time.Now()
	err := b.writer.Write(b.t.Context(), func(t journal.Tx) error {
		for i, m := range messages {
			err := t.PutBurn(b.t.Context(), journal.Burn{
				Key: scan.Key(arbitrum, tx, uint64(i), m), Domain: arbitrum, Tx: tx, Log: uint64(i), Way: "in", Sent: m,
				Status: "seen", NextAsk: now, Mined: now, Since: now,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// rounds has a round every second for so long, or fewer if it is long.
func (b *bench) rounds(d time.Duration) {
	b.t.Helper()
	for end := time.Now().Add(d); ; time.Sleep(max(time.Second, d/300)) {
		if err := b.asker.Round(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		if !time.Now().Before(end) {
			return
		}
	}
}

func (b *bench) burn(tx order.Hash, log uint64) journal.Burn {
	b.t.Helper()
	list, err := b.journal.BurnsByTx(b.t.Context(), tx)
	for _, x := range list {
		if x.Log == log {
			return x
		}
	}
	b.t.Fatalf("burn %v of %v is not there: %v", log, tx, err)
	return journal.Burn{}
}

// want fails the test unless a burn has a status and, when it is signed, a nonce.
func (b *bench) want(tx order.Hash, log uint64, status string, nonce byte) journal.Burn {
	b.t.Helper()
	x := b.burn(tx, log)
	got := byte(0)
	if x.Nonce != nil {
		got = x.Nonce[31]
	}
	if x.Status != status || got != nonce {
		b.t.Errorf("burn %d of %v is %s with nonce %d, want %s with %d", log, tx, x.Status, got, status, nonce)
	}
	return x
}

// Of equal messages the one that endpoints agree on is signed. One that the issuer
// does not list beside it is asked about rarely, and no more after fifteen days; if it
// is listed after all, it is signed.
func TestUnlistedBurnIsAskedAboutRarely(t *testing.T) {
	for _, late := range []bool{false, true} {
		run(t, func(t *testing.T, b *bench) {
			tx, five := order.Hash{1}, b.sent(5)
			b.put(tx, five, five)
			b.agree(tx, 1)
			b.issuer.Set(tx, signed(five, 1, 0))
			b.rounds(time.Hour)
			b.want(tx, 1, "attested", 1)
			b.want(tx, 0, "asking", 0)
			before := len(b.issuer.Requests(""))
			if late {
				b.issuer.Set(tx, signed(five, 1, 0), signed(five, 2, 0))
				b.rounds(2 * time.Hour)
				b.want(tx, 0, "attested", 2)
				return
			}
			b.rounds(48 * time.Hour)
			if asked := len(b.issuer.Requests("")) - before; asked > 48 {
				t.Errorf("the issuer was asked %d times in two days, want once an hour", asked)
			}
			for range 20 {
				b.rounds(24 * time.Hour)
			}
			if x := b.want(tx, 0, "ignored", 0); !x.NextAsk.IsZero() {
				t.Errorf("it is asked about again at %v, want never", x.NextAsk)
			}
		})
	}
}

// agree has endpoints agree on a burn.
func (b *bench) agree(tx order.Hash, log uint64) {
	b.t.Helper()
	err := b.writer.Write(b.t.Context(), func(w journal.Tx) error {
		return row.Change(b.t.Context(), w, b.burn(tx, log).Key, func(x *journal.Burn) { x.Agreed = true })
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// After days in which nobody asked, the issuer lists one of two burns before the other.
func TestOneIsListedFirst(t *testing.T) {
	for _, agreed := range []bool{false, true} {
		for _, days := range []time.Duration{3, 16} {
			run(t, func(t *testing.T, b *bench) {
				tx, five, six := order.Hash{1}, b.sent(5), b.sent(6)
				b.put(tx, five, six)
				if agreed {
					b.agree(tx, 0)
					b.agree(tx, 1)
				}
				time.Sleep(days * 24 * time.Hour)
				b.issuer.Set(tx, signed(five, 1, 0))
				b.rounds(time.Second)
				b.issuer.Set(tx, signed(five, 1, 0), signed(six, 2, 0))
				b.rounds(3 * time.Hour)
				b.want(tx, 0, "attested", 1)
				b.want(tx, 1, "attested", 2)
			})
		}
	}
}

// A burn that the issuer never signs is given up if one endpoint alone gave it.
func TestNeverSigned(t *testing.T) {
	for _, agreed := range []bool{false, true} {
		run(t, func(t *testing.T, b *bench) {
			tx := order.Hash{1}
			b.put(tx, b.sent(5))
			if agreed {
				b.agree(tx, 0)
			}
			for range 20 {
				b.rounds(24 * time.Hour)
			}
			b.want(tx, 0, map[bool]string{false: "ignored", true: "asking"}[agreed], 0)
		})
	}
}

// Burns that one endpoint alone gives, more than the budget can ask about, do not delay
// one that endpoints agree on.
func TestMadeUpBurnsDelayNoOther(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tx := order.Hash{1}
		b.put(tx, b.sent(5))
		b.agree(tx, 0)
		for s := range 120 {
			if s == 30 {
				b.issuer.Set(tx, signed(b.sent(5), 1, 0))
			}
			for i := range byte(20) {
				b.put(order.Hash{9, i, byte(s)}, b.sent(7))
			}
			b.rounds(0)
			time.Sleep(time.Second)
		}
		b.want(tx, 0, "attested", 1)
	})
}

func TestOneQuestionForATransaction(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tx := order.Hash{1}
		five, six := b.sent(5), b.sent(6)
		b.put(tx, five, six, five)
		b.issuer.Set(tx, fake.Attestation{Version: 1, Message: []byte{1}, Signature: []byte{1}}, signed(b.sent(9), 9, 0),
			signed(five, 1, 0), signed(five, 2, 0), signed(six, 3, 7))
		b.rounds(usual - time.Second)
		if n := len(b.issuer.Requests("")); n != 0 {
			t.Errorf("%d questions before the usual time, want none", n)
		}
		b.rounds(time.Minute)
		if n := len(b.issuer.Requests("")); n != 1 {
			t.Errorf("%d questions, want 1", n)
		}
		b.want(tx, 0, "attested", 1)
		b.want(tx, 2, "attested", 2)
		if x := b.want(tx, 1, "attested", 3); x.Expires != 7 || string(x.Attestation) != "\x03\x07" || x.Signed[43] != 3 {
			t.Errorf("burn = %+v, want what the issuer signed", x)
		}
	})
}

// A burn that the issuer does not know is asked about after 5, 10, 20, 40 and then
// every 60 seconds, and once an hour when it is old.
func TestBackOff(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tx := order.Hash{1}
		b.put(tx, b.sent(5))
		b.rounds(10 * time.Minute)
		if n := len(b.issuer.Requests("")); n < 12 || n > 14 {
			t.Errorf("%d questions in ten minutes, want 13", n)
		}
		time.Sleep(48 * time.Hour)
		before := len(b.issuer.Requests(""))
		b.rounds(2*time.Hour + time.Minute)
		if n := len(b.issuer.Requests("")) - before; n != 3 {
			t.Errorf("%d questions in two hours about an old burn, want 3", n)
		}
		b.issuer.Set(tx, signed(b.sent(5), 1, 0))
		b.rounds(time.Hour)
		b.want(tx, 0, "attested", 1)
	})
}

func TestDelayIsKept(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tx := order.Hash{1}
		b.put(tx, b.sent(5))
		b.issuer.Set(tx, fake.Attestation{Delay: attest.DelayAllowance})
		b.rounds(time.Minute)
		if x := b.want(tx, 0, "asking", 0); x.Delay != attest.DelayAllowance || x.Reason != order.Issuer {
			t.Errorf("delay %q and reason %q, want %q and %q", x.Delay, x.Reason, attest.DelayAllowance, order.Issuer)
		}
	})
}

// Burns that are never signed use the budget and no more, and a new burn does not
// wait for them: they are due again sooner than the budget can ask about them.
func TestUnsignedBurnsDelayNoOther(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		for i := range byte(200) {
			b.put(order.Hash{9, i}, b.sent(i))
		}
		b.rounds(usual + 25*time.Second)
		list := b.issuer.Requests("")
		for i := 10; i < len(list); i++ {
			if apart := list[i].At.Sub(list[i-10].At); apart < time.Second {
				t.Fatalf("eleven questions within %v, want no more than ten a second", apart)
			}
		}
		tx := order.Hash{1}
		b.put(tx, b.sent(5))
		b.issuer.Set(tx, signed(b.sent(5), 1, 0))
		b.rounds(usual + time.Second)
		b.want(tx, 0, "attested", 1)
	})
}

func TestBlockedByTheIssuer(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		for i := range byte(50) {
			b.put(order.Hash{1, i}, b.sent(i))
			b.issuer.Set(order.Hash{1, i}, signed(b.sent(i), i+1, 0))
		}
		b.issuer.SetHandle(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(429); return true })
		b.rounds(usual + time.Minute)
		first := len(b.issuer.Requests(""))
		if first > 10 {
			t.Errorf("%d questions until the block was noticed, want at most those of one second", first)
		}
		b.issuer.SetHandle(nil)
		b.rounds(3 * time.Minute)
		if n := len(b.issuer.Requests("")); n != first {
			t.Errorf("%d questions during the block, want none", n-first)
		}
		b.rounds(3 * time.Minute)
		for i := range byte(50) {
			b.want(order.Hash{1, i}, 0, "attested", i+1)
		}
	})
}

func TestIssuerDown(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tx := order.Hash{1}
		b.put(tx, b.sent(5))
		b.issuer.Set(tx, signed(b.sent(5), 1, 0))
		b.issuer.SetHandle(func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })
		b.rounds(time.Hour)
		if x := b.want(tx, 0, "asking", 0); x.Asks < 50 || x.Asks > 70 {
			t.Errorf("%d questions in an hour, want about one a minute", x.Asks)
		}
		b.issuer.SetHandle(nil)
		b.rounds(time.Minute)
		b.want(tx, 0, "attested", 1)
	})
}

func TestOneNonceForTwoBurns(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		for i := range byte(2) {
			b.put(order.Hash{1, i}, b.sent(5))
			b.issuer.Set(order.Hash{1, i}, signed(b.sent(5), 1, 0))
		}
		b.rounds(time.Minute)
		one, other := b.burn(order.Hash{1, 0}, 0), b.burn(order.Hash{1, 1}, 0)
		if (one.Nonce == nil) == (other.Nonce == nil) {
			t.Errorf("nonces %x and %x, want one of two", one.Nonce, other.Nonce)
		}
	})
}

func TestRenewal(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tx := order.Hash{1}
		b.put(tx, b.sent(5))
		b.issuer.Set(tx, signed(b.sent(5), 1, 9))
		b.rounds(usual)
		x := b.want(tx, 0, "attested", 1)
		renew := func() {
			t.Helper()
			if err := b.asker.Renew(t.Context(), []row.Row{{Burn: b.burn(tx, 0)}}); err != nil {
				t.Fatal(err)
			}
		}
		renew()
		if n := len(b.issuer.Requests("POST /v2/reattest/")); n != 1 {
			t.Errorf("%d requests to sign again, want 1", n)
		}
		if again := b.want(tx, 0, "attested", 1); again.Expires != 9 || again.Asks != x.Asks+1 {
			t.Errorf("burn = %+v, want the old signature while there is no new one", again)
		}
		b.issuer.Set(tx, signed(b.sent(5), 2, 0), signed(b.sent(5), 1, 0))
		renew()
		if again := b.want(tx, 0, "attested", 1); again.Expires != 0 || string(again.Attestation) != "\x01\x00" {
			t.Errorf("burn = %+v, want the new signature of the same nonce", again)
		}
		if n := len(b.issuer.Requests("POST /v2/reattest/")); n != 1 {
			t.Errorf("%d requests to sign again, want no second", n)
		}
	})
}
