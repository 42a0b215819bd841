package journal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/swap"
	"hubquote/test/audit"
)

// TestRefused tries what a journal must not take. Each is refused as a whole:
// what came before it in the transaction is not kept either.
func TestRefused(t *testing.T) {
	filler := func(n int, nonce uint64) op { return commit(signed(n, nonce)) }
	for _, tt := range []struct {
		name  string
		first []op
		then  []op
		want  error // nil: any
	}{
		{"a nonce twice", []op{filler(1, 5)}, []op{filler(2, 5)}, journal.ErrNonce},
		{"a hole above", []op{filler(1, 5)}, []op{filler(2, 7)}, journal.ErrNonce},
		{"a hole below", []op{filler(1, 5)}, []op{filler(2, 3)}, journal.ErrNonce},
		{"the same bytes twice", []op{filler(1, 5)}, []op{filler(1, 6)}, nil},
		{"a task that is sent already", []op{put(deposit(1, order.Final)), task(1, order.Pay, step.FinalDeposit), commit(signed(1, 5), reserve(1, 0))},
			[]op{commit(signed(2, 6), reserve(1, 0))}, journal.ErrTask},
		{"a task that is void", []op{put(deposit(1, order.Final)), task(1, order.Pay, step.FinalDeposit), end(1, order.Void)},
			[]op{commit(signed(2, 6), reserve(1, 0))}, journal.ErrTask},
		{"a task that does not exist", nil, []op{commit(signed(1, 5), reserve(77, 0))}, journal.ErrTask},
		{"a second open task of a kind", []op{task(1, order.Pay, step.FinalDeposit)}, []op{task(1, order.Pay, step.FinalDeposit)}, nil},
		{"more exposure than the cap, together", []op{
			put(deposit(1, order.Safe)), put(deposit(2, order.Safe)), put(deposit(3, order.Safe)),
			task(1, order.Pay, step.WithinExposure), task(2, order.Pay, step.WithinExposure), task(3, order.Pay, step.WithinExposure),
			commit(signed(1, 5), reserve(1, 400), reserve(2, 400)),
		}, []op{commit(signed(2, 6), reserve(3, 400))}, journal.ErrExposure},
		{"an exposure without a cap", []op{put(elsewhere(deposit(1, order.Safe))), task(1, order.Pay, step.WithinExposure)},
			[]op{commit(signed(1, 5), reserve(1, 1))}, journal.ErrExposure},
		{"a replacement of a mined nonce", []op{filler(1, 5), mined(5, journal.NonceMined)}, []op{replace(signed(2, 5))}, journal.ErrNonce},
		{"a replacement of an unknown nonce", nil, []op{replace(signed(2, 5))}, journal.ErrNonce},
		{"an issuer's nonce twice", []op{burned(1, []byte{9})}, []op{burned(2, []byte{9})}, nil},
		{"a state without a name", []op{put(deposit(1, order.Final))}, []op{state(1, "lost", "", now)}, nil},
		{"a state of an unknown order", nil, []op{state(1, order.Paid, "", now)}, nil},
		{"a task that ends as sent", []op{task(1, order.Pay, step.FinalDeposit)}, []op{end(1, order.Sent)}, nil},
		{"a broadcast of unknown bytes", nil, []op{func(ctx context.Context, tx journal.Tx) error { return tx.MarkSent(ctx, order.Hash{1}, now, "") }}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
				must(t, w, tt.first...)
				mark := func(ctx context.Context, tx journal.Tx) error {
					return tx.SetCursor(ctx, journal.Cursor{Chain: 1, Pass: "head"})
				}
				err := write(t, w, append([]op{mark}, tt.then...)...)
				if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
					t.Errorf("Write = %v, want %v", err, tt.want)
				}
				if n, err := length(j.Cursors(t.Context())); n != 0 || err != nil {
					t.Errorf("%d cursors, %v, want none: the transaction must leave nothing", n, err)
				}
			})
		})
	}
}

func end(id int64, p order.Progress) op {
	return func(ctx context.Context, tx journal.Tx) error { return tx.EndTask(ctx, id, p) }
}

func replace(a journal.Attempt) op {
	return func(ctx context.Context, tx journal.Tx) error { return tx.AddAttempt(ctx, a) }
}

func mined(nonce uint64, s journal.NonceState) op {
	return func(ctx context.Context, tx journal.Tx) error {
		return tx.SetNonce(ctx, journal.Nonce{Chain: 369, Key: key, Nonce: nonce, State: s, Filler: true})
	}
}

func burned(n byte, nonce []byte) op {
	return func(ctx context.Context, tx journal.Tx) error {
		return tx.PutBurn(ctx, journal.Burn{Key: order.Hash{n}, Tx: order.Hash{n}, Way: "in", Sent: []byte{n}, Nonce: nonce})
	}
}

func elsewhere(o journal.Order) journal.Order { o.Asset = swap.Address{77}; return o }

func TestAllowed(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		must(t, w, commit(signed(1, 5)), commit(signed(2, 6)), commit(signed(3, 4)), replace(signed(4, 5)))
		must(t, w, burned(1, nil), burned(2, nil), task(1, order.Pay, step.FinalDeposit), end(1, order.Void), task(1, order.Pay, step.FinalDeposit))
		open, err := j.TxsOpen(t.Context(), 369, key)
		if err != nil || len(open) != 3 || open[0].Nonce != 4 {
			t.Errorf("TxsOpen = %+v, %v, want 4, 5, 6", open, err)
		}
	})
}

func TestExposureIsFreed(t *testing.T) {
	for name, free := range map[string]op{
		"when the deposit is final": put(deposit(1, order.Final)),
		"when the payment is void":  end(1, order.Void),
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
				must(t, w, put(deposit(1, order.Safe)), task(1, order.Pay, step.WithinExposure), commit(signed(1, 5), reserve(1, 400)))
				sum := func() uint64 {
					sums, err := j.Exposure(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					n := sums[token]
					return n.Uint64()
				}
				must(t, w, end(1, order.Done))
				if got := sum(); got != 400 {
					t.Errorf("a payment that is done has exposure %d, want 400: its deposit is not final", got)
				}
				must(t, w, free)
				if got := sum(); got != 0 {
					t.Errorf("exposure = %d, want 0", got)
				}
			})
		})
	}
}

func TestRevisionGrowsWhenAStepIsLost(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		must(t, w, put(deposit(1, order.Final)))
		last := check(t, j)
		for i, tt := range []struct {
			state    order.State
			revision int64
			since    int // the step that it began at
		}{
			{order.Proved, 0, 0}, {order.Paying, 0, 1}, {order.Waiting, 0, 2}, {order.Waiting, 0, 2}, {order.Paid, 0, 4},
			{order.Paying, 1, 5}, {order.Gone, 2, 6}, {order.Seen, 2, 7},
		} {
			at := now.Add(time.Duration(i) * time.Minute)
			must(t, w, state(1, tt.state, order.Cap, at), put(deposit(1, order.Final)))
			img := check(t, j)
			o := img.Orders[0]
			if want := now.Add(time.Duration(tt.since) * time.Minute); o.State != tt.state || o.Revision != tt.revision || !o.Since.Equal(want) {
				t.Errorf("step %d: %s, revision %d, since %v, want %s, %d, %v", i, o.State, o.Revision, o.Since, tt.state, tt.revision, want)
			}
			for _, err := range audit.Step(last, img) {
				t.Error(err)
			}
			last = img
		}
		refusal := order.Refusal{Why: order.Recipient, ForGood: true, At: now, Times: 3}
		must(t, w, func(ctx context.Context, tx journal.Tx) error { return tx.SetRefusal(ctx, hash(1), refusal) }, put(deposit(1, order.Final)))
		if o, _, err := j.Order(t.Context(), hash(1)); err != nil || o.Refusal != refusal {
			t.Errorf("Refusal = %+v, %v, want %+v", o.Refusal, err, refusal)
		}
	})
}

// TestSchema opens a journal again, from several at once, and one of a newer
// program.
func TestSchema(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			at := place(t, kind)
			errs := make(chan error, 4)
			for range cap(errs) {
				go func() {
					j, err := open(context.Background(), kind, at)
					if err == nil {
						err = j.Close()
					}
					errs <- err
				}()
			}
			for range cap(errs) {
				if err := <-errs; err != nil {
					t.Errorf("Open = %v, want nil", err)
				}
			}
			alter(t, kind, at, "INSERT INTO schema_version VALUES (1000)")
			if _, err := open(t.Context(), kind, at); err == nil || !strings.Contains(err.Error(), "newer settler") {
				t.Errorf("Open of a newer schema = %v, want an error that names a newer settler", err)
			}
		})
	}
}

// TestAuditFinds breaks each invariant in an image and asks for its number.
func TestAuditFinds(t *testing.T) {
	order1 := deposit(1, order.Safe)
	good := func() *journal.Image {
		return &journal.Image{
			Epoch: 1, Orders: []journal.Order{order1},
			Facts:    []journal.Fact{{Order: hash(1), Event: order.EventCancelled, Fact: order.Fact{Proof: order.Final}}},
			Tasks:    []journal.Task{{ID: 1, Subject: hash(1), Kind: order.Pay, Progress: order.Sent, Reserved: *uint256.NewInt(400)}, {ID: 2, Subject: hash(1), Kind: order.Refund, Progress: order.Ready}},
			Nonces:   []journal.Nonce{{Chain: 369, Key: key, Nonce: 5, State: journal.NonceSent}},
			Links:    []journal.Link{{Chain: 369, Key: key, Nonce: 5, Task: 1}},
			Attempts: []journal.Attempt{{Hash: order.Hash{1}, Chain: 369, Key: key, Nonce: 5, Epoch: 1, Made: now, Sent: now, Sends: 1}},
			Burns:    []journal.Burn{{Key: order.Hash{1}, Nonce: []byte{1}}},
		}
	}
	if found := audit.Check(good(), rules); len(found) > 0 {
		t.Fatalf("Check of a good image = %v, want nothing", found)
	}
	for _, tt := range []struct {
		want  string
		name  string
		spoil func(*journal.Image)
	}{
		{"1:", "a nonce twice", func(i *journal.Image) { i.Nonces = append(i.Nonces, i.Nonces[0]) }},
		{"2:", "two open tasks of a kind", func(i *journal.Image) { i.Tasks = append(i.Tasks, i.Tasks[1]) }},
		{"3:", "an attempt without a nonce", func(i *journal.Image) { i.Attempts[0].Nonce = 6 }},
		{"3:", "an attempt without a task", func(i *journal.Image) { i.Links = nil; i.Tasks[0].Progress = order.Done }},
		{"3:", "a sent task without a nonce", func(i *journal.Image) { i.Links[0].Task = 2 }},
		{"3:", "sent before it was made", func(i *journal.Image) { i.Attempts[0].Sent = now.Add(-time.Second) }},
		{"5:", "paid before finality without a reserve", func(i *journal.Image) { i.Tasks[0].Reserved = swap.Amount{} }},
		{"6:", "a refund without a cancellation", func(i *journal.Image) { i.Facts = nil }},
		{"6:", "a refund with a cancellation that is gone", func(i *journal.Image) { i.Facts[0].Gone = true }},
		{"6:", "a refund with a cancellation that is not final", func(i *journal.Image) { i.Facts[0].Proof = order.Safe }},
		{"6:", "a refund by the deadline, too early", func(i *journal.Image) {
			i.Facts, i.Tasks[1].Basis, i.Tasks[1].Tag = nil, string(step.Expired), order1.Deadline.Add(time.Hour-time.Second)
		}},
		{"6:", "a refund of a paid order", func(i *journal.Image) {
			i.Facts = append(i.Facts, journal.Fact{Order: hash(1), Event: order.EventPaid, Fact: order.Fact{Proof: order.Agreed}})
		}},
		{"7:", "more exposure than the cap", func(i *journal.Image) { i.Tasks[1].Reserved = *uint256.NewInt(601) }},
		{"8:", "an attempt of a later epoch", func(i *journal.Image) { i.Epoch = 0 }},
		{"9:", "a hole between nonces", func(i *journal.Image) {
			i.Nonces = append(i.Nonces, journal.Nonce{Chain: 369, Key: key, Nonce: 7, State: journal.NonceSent, Filler: true})
		}},
		{"11:", "an issuer's nonce twice", func(i *journal.Image) { i.Burns = append(i.Burns, i.Burns[0]) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			img := good()
			tt.spoil(img)
			wantFinding(t, audit.Check(img, rules), tt.want)
		})
	}
	later := good()
	later.Attempts[0].Raw = []byte{1}
	wantFinding(t, audit.Step(good(), later), "4:")
	later = good()
	later.Attempts = nil
	wantFinding(t, audit.Step(good(), later), "4:")
	later = good()
	later.Orders = nil
	wantFinding(t, audit.Step(good(), later), "10:")
	before := good()
	before.Orders = []journal.Order{order1}
	before.Orders[0].State = order.Paid
	wantFinding(t, audit.Step(before, good()), "10:")
	wantFinding(t, audit.Rebuilt(before, good()), "12:")
	later = good()
	later.Facts = nil
	wantFinding(t, audit.Rebuilt(good(), later), "12:")
	wantFinding(t, audit.Sent(good(), []order.Hash{{1}, {2}}), "3:")
	if found := append(audit.Rebuilt(good(), good()), audit.Sent(good(), []order.Hash{{1}})...); len(found) > 0 {
		t.Errorf("found %v in good images, want nothing", found)
	}
}

func wantFinding(t *testing.T, found []error, number string) {
	t.Helper()
	if len(found) == 0 {
		t.Errorf("nothing found, want %s", number)
	}
	for _, err := range found {
		if !strings.HasPrefix(err.Error(), number) {
			t.Errorf("found %v, want only %s", err, number)
		}
	}
}
