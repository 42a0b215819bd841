package journal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/postgres"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/swap"
	"hubquote/test/audit"
	server "hubquote/test/fake/postgres"
)

// TestMain runs a child of the crash and lease tests instead of the tests when
// it is asked to, and ends the database they share.
func TestMain(m *testing.M) {
	if kind := os.Getenv("JOURNAL_CHILD"); kind != "" {
		os.Exit(child(kind, os.Getenv("JOURNAL_AT")))
	}
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}

var shared struct {
	once   sync.Once
	server *server.Server
	err    error
}

// database returns the URL of an empty journal on a server that all tests
// share.
func database(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = server.Start(t.Context()) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	url, err := shared.server.Empty(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// A quick lease lives shortly, so that a takeover is soon to see. All others
// live as long as in production: a busy machine must not end them.
const (
	ttl  = 2 * time.Second
	idle = 1500 * time.Millisecond
)

func open(ctx context.Context, kind, at string) (journal.Journal, error) {
	switch kind {
	case "sqlite":
		return sqlite.Open(ctx, at)
	case "postgres":
		return postgres.Open(ctx, postgres.Options{URL: at})
	}
	return postgres.Open(ctx, postgres.Options{URL: at, TTL: ttl, Idle: idle})
}

// place returns where a new journal of this kind may be.
func place(t testing.TB, kind string) string {
	if kind == "sqlite" {
		return filepath.Join(t.TempDir(), "journal file?#.db")
	}
	return database(t)
}

func mustOpen(t testing.TB, kind, at string) journal.Journal {
	t.Helper()
	j, err := open(t.Context(), kind, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

// each runs a test on every kind of journal.
func each(t *testing.T, test func(t *testing.T, j journal.Journal, w journal.Writer)) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			j := mustOpen(t, kind, place(t, kind))
			w, err := j.Acquire(t.Context(), "test")
			if err != nil {
				t.Fatal(err)
			}
			test(t, j, w)
			check(t, j)
		})
	}
}

var rules = audit.Rules{Caps: map[order.Pool]swap.Amount{token: *uint256.NewInt(1000)}, RefundAfter: time.Hour}

func check(t testing.TB, j journal.Journal) *journal.Image {
	t.Helper()
	img, err := j.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range audit.Check(img, rules) {
		t.Error(err)
	}
	return img
}

var (
	now   = time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	key   = swap.Address{0xee}
	token = order.Pool{Chain: 8453, Address: swap.Address{4}}
)

func hash(n int) order.Hash { return order.Hash{byte(n >> 8), byte(n), 0xaa} }

// deposit is an order in which no two fields are equal.
func deposit(n int, proof order.Proof) journal.Order {
	return journal.Order{
		Order: order.Order{
			ID: hash(n), Generation: 2, Running: 3, Src: order.Pool{Chain: token.Chain, Address: swap.Address{5}}, Dst: order.Pool{Chain: 369, Address: swap.Address{6}},
			Asset: token.Address, Amount: *uint256.NewInt(400), Pays: *new(swap.Amount).Lsh(uint256.NewInt(1), 255),
			Burn: true, Deadline: now.Add(72 * time.Hour), Body: []byte{7, 8, 9},
		},
		SrcTx: order.Hash{10}, SrcLog: 11, SrcBlock: 12, SrcHash: order.Hash{13}, Proof: proof, BurnKey: order.Hash{14},
		State: order.Seen, Reason: order.Finality, Since: now, NotBefore: now.Add(time.Second),
	}
}

func signed(n int, nonce uint64) journal.Attempt {
	return journal.Attempt{
		Hash: order.Hash{0xbb, byte(n >> 8), byte(n)}, Chain: 369, Key: key, Nonce: nonce, Raw: []byte{2, byte(n)},
		Tip: *uint256.NewInt(15), Cap: *uint256.NewInt(16), Gas: 17, Made: now,
	}
}

// write runs the steps in one transaction and returns its error.
func write(t testing.TB, w journal.Writer, steps ...func(context.Context, journal.Tx) error) error {
	t.Helper()
	return w.Write(t.Context(), func(tx journal.Tx) error {
		for _, s := range steps {
			if err := s(t.Context(), tx); err != nil {
				return err
			}
		}
		return nil
	})
}

func must(t testing.TB, w journal.Writer, steps ...func(context.Context, journal.Tx) error) {
	t.Helper()
	if err := write(t, w, steps...); err != nil {
		t.Fatal(err)
	}
}

type op = func(context.Context, journal.Tx) error

func put(o journal.Order) op {
	return func(ctx context.Context, tx journal.Tx) error { return tx.PutOrder(ctx, o) }
}

func task(n int, k order.Kind, b step.Basis) op {
	return func(ctx context.Context, tx journal.Tx) error {
		_, err := tx.AddTask(ctx, journal.Task{Subject: hash(n), Kind: k, Chain: 369, Basis: string(b), Made: now})
		return err
	}
}

func commit(a journal.Attempt, tasks ...journal.Reserved) op {
	return func(ctx context.Context, tx journal.Tx) error { return tx.Commit(ctx, a, tasks, rules.Caps) }
}

func reserve(task int64, n uint64) journal.Reserved {
	return journal.Reserved{Task: task, Amount: *uint256.NewInt(n)}
}

func state(n int, s order.State, why order.Reason, at time.Time) op {
	return func(ctx context.Context, tx journal.Tx) error {
		return tx.SetState(ctx, hash(n), journal.Decision{State: s, Reason: why, At: at})
	}
}

func TestEveryRowComesBack(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		want := &journal.Image{
			Epoch:    1,
			Orders:   []journal.Order{deposit(1, order.Agreed)},
			Facts:    []journal.Fact{{Order: hash(1), Event: order.EventOpened, Log: 20, Fact: order.Fact{Chain: 8453, Tx: order.Hash{21}, Block: 22, Hash: order.Hash{23}, Time: now, Proof: order.Safe}, Gone: true}},
			Burns:    []journal.Burn{{Key: order.Hash{24}, Domain: 25, Tx: order.Hash{26}, Log: 27, Way: "back", Sent: []byte{28}, Nonce: []byte{29}, Attestation: []byte{30}, Status: "complete", Delay: "fee", Expires: 31, Asks: 32, NextAsk: now, Order: hash(1), MintTx: order.Hash{33}, Block: 47, Mined: now, Asked: now, Signed: []byte{48}, Since: now, MintBlock: 49, Reason: order.Issuer, Agreed: true}},
			Tasks:    []journal.Task{{ID: 1, Subject: hash(1), Kind: order.Pay, Chain: 369, Progress: order.Sent, Basis: "exposure", Reserved: *uint256.NewInt(400), Made: now}},
			Nonces:   []journal.Nonce{{Chain: 369, Key: key, Nonce: 34, State: journal.NonceMined, Mined: order.Hash{35}, Block: 36, Hash: order.Hash{37}}},
			Links:    []journal.Link{{Chain: 369, Key: key, Nonce: 34, Task: 1}},
			Attempts: []journal.Attempt{signed(1, 34)},
			Wishes:   []journal.Wish{{ID: order.Hash{38}, Subject: hash(1), Verb: order.WishPark, By: "ann", At: now, Done: now.Add(time.Second), Result: "parked"}},
			Cursors:  []journal.Cursor{{Chain: 8453, Pass: "final", Number: 39, Hash: order.Hash{40}}},
			Census:   []journal.Census{{Contract: order.Pool{Chain: 8453, Address: swap.Address{41}}, Number: 42, Hash: order.Hash{43}, Orders: 44, Held: *uint256.NewInt(45), Sums: *uint256.NewInt(46)}},
		}
		a := &want.Attempts[0]
		a.Epoch, a.Sent, a.Sends, a.LastError = 1, now.Add(time.Second), 2, "nonce too low"
		wish := want.Wishes[0]
		wish.Done, wish.Result = time.Time{}, ""
		if err := j.AddWish(t.Context(), wish); err != nil {
			t.Fatal(err)
		}
		must(t, w, put(want.Orders[0]), task(1, order.Pay, step.WithinExposure), commit(signed(1, 34), reserve(1, 400)), func(ctx context.Context, tx journal.Tx) error {
			return errors.Join(
				tx.PutFact(ctx, want.Facts[0]), tx.PutBurn(ctx, want.Burns[0]), tx.SetNonce(ctx, want.Nonces[0]),
				tx.MarkSent(ctx, a.Hash, now.Add(time.Second), ""), tx.MarkSent(ctx, a.Hash, now.Add(time.Hour), "nonce too low"),
				tx.EndWish(ctx, wish.ID, now.Add(time.Second), "parked"), tx.SetCursor(ctx, want.Cursors[0]), tx.SetCensus(ctx, want.Census[0]),
			)
		})
		want.Orders[0].NotBefore = time.UnixMilli(-1).UTC() // a fact makes its order due, and so does a burn
		if diff := cmp.Diff(want, check(t, j)); diff != "" {
			t.Errorf("the journal differs (-want +got):\n%s", diff)
		}
	})
}

func TestQuestions(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		late := deposit(2, order.Final)
		late.NotBefore, late.SrcTx = now.Add(time.Hour), order.Hash{99}
		shut := deposit(3, order.Final)
		shut.State = order.Closed
		burn := journal.Burn{Key: order.Hash{1}, Tx: order.Hash{2}, Way: "in", Sent: []byte{1}, NextAsk: now}
		minted := journal.Burn{Key: order.Hash{4}, Domain: 5, Tx: order.Hash{5}, Way: "back", Sent: []byte{1}, NextAsk: now, Nonce: []byte{7}, Attestation: []byte{8}, Order: hash(1), MintTx: order.Hash{6}}
		fact := journal.Fact{Order: hash(1), Event: order.EventPaid, Fact: order.Fact{Tx: order.Hash{3}}}
		early := func(ctx context.Context, tx journal.Tx) error { // before their order: they make none due
			return errors.Join(tx.PutFact(ctx, fact), tx.PutBurn(ctx, burn), tx.PutBurn(ctx, minted))
		}
		must(t, w, early, put(deposit(1, order.Final)), put(late), put(shut), task(1, order.Pay, step.FinalDeposit), task(2, order.Pay, step.FinalDeposit),
			commit(signed(1, 5), reserve(1, 0)), func(ctx context.Context, tx journal.Tx) error {
				return tx.SetCursor(ctx, journal.Cursor{Chain: 1, Pass: "head"})
			})
		if err := j.AddWish(t.Context(), journal.Wish{ID: hash(7), Verb: order.WishRetry}); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		count := func(name string, want int) func(n int, err error) {
			return func(n int, err error) {
				t.Helper()
				if err != nil || n != want {
					t.Errorf("%s = %d, %v, want %d", name, n, err, want)
				}
			}
		}
		count("due before their time", 0)(length(j.OrdersDue(ctx, now, 9)))
		count("due in time, closed ones left out", 1)(length(j.OrdersDue(ctx, now.Add(time.Second), 9)))
		count("all due", 2)(length(j.OrdersDue(ctx, now.Add(time.Hour), 9)))
		count("all due, limited", 1)(length(j.OrdersDue(ctx, now.Add(time.Hour), 1)))
		count("by source transaction", 1)(length(j.OrdersBySource(ctx, order.Hash{99})))
		count("facts", 1)(length(j.Facts(ctx, hash(1))))
		count("facts by transaction", 1)(length(j.FactsByTx(ctx, order.Hash{3})))
		count("tasks of an order", 1)(length(j.Tasks(ctx, hash(1))))
		count("ready tasks, sent ones left out", 1)(length(j.TasksReady(ctx, 369)))
		count("ready tasks of another chain", 0)(length(j.TasksReady(ctx, 1)))
		count("tasks of a nonce", 1)(length(j.TasksOf(ctx, 369, key, 5)))
		count("open nonces", 1)(length(j.TxsOpen(ctx, 369, key)))
		count("open nonces of another key", 0)(length(j.TxsOpen(ctx, 369, swap.Address{})))
		count("nonces from one on, that one included", 1)(length(j.TxsFrom(ctx, 369, key, 5)))
		count("nonces above the last", 0)(length(j.TxsFrom(ctx, 369, key, 6)))
		if n, found, err := j.TxLast(ctx, 369, key); !found || err != nil || n.Nonce != 5 {
			t.Errorf("TxLast = %d, %v, %v, want 5", n.Nonce, found, err)
		}
		if sent, err := j.TxsSent(ctx); err != nil || len(sent) != 1 || sent[key] != 1 {
			t.Errorf("TxsSent = %v, %v, want 1 of the key", sent, err)
		}
		count("attempts", 1)(length(j.Attempts(ctx, 369, key, 5)))
		count("burns before their time", 0)(length(j.BurnsUnsigned(ctx, now.Add(-time.Second), 9)))
		count("burns due", 1)(length(j.BurnsUnsigned(ctx, now, 9)))
		count("signed burns before their time", 0)(length(j.BurnsSigned(ctx, now.Add(-time.Second), 9)))
		count("signed burns due", 1)(length(j.BurnsSigned(ctx, now, 9)))
		count("burns of a transaction", 1)(length(j.BurnsByTx(ctx, order.Hash{2})))
		count("burns of an order", 1)(length(j.BurnsOf(ctx, hash(1))))
		count("burns that endpoints do not agree on", 1)(length(j.BurnsDoubted(ctx, journal.Doubted{Domain: 5, Signed: true}, 9)))
		count("burns that endpoints do not agree on, not signed", 0)(length(j.BurnsDoubted(ctx, journal.Doubted{Domain: 5}, 9)))
		count("burns that endpoints do not agree on, later", 0)(length(j.BurnsDoubted(ctx, journal.Doubted{Domain: 5, Signed: true, Since: now.Add(time.Hour)}, 9)))
		count("burns that endpoints do not agree on, after the last", 0)(length(j.BurnsDoubted(ctx, journal.Doubted{Domain: 5, Signed: true, After: order.Hash{0xff}}, 9)))
		count("burns that endpoints do not agree on, limited", 0)(length(j.BurnsDoubted(ctx, journal.Doubted{Domain: 5, Signed: true}, 0)))
		count("burns by the transaction that minted", 1)(length(j.BurnsByMint(ctx, order.Hash{6})))
		count("burns of another order", 0)(length(j.BurnsOf(ctx, hash(2))))
		count("nonces of a task", 1)(length(j.NoncesOf(ctx, 1)))
		count("nonces of a task that is not sent", 0)(length(j.NoncesOf(ctx, 2)))
		ages, err := j.BurnAges(ctx)
		if diff := cmp.Diff([]journal.BurnAge{{Way: "back", Burns: 1}, {Way: "in", Burns: 1}}, ages); err != nil || diff != "" {
			t.Errorf("BurnAges: %v; they differ (-want +got):\n%s", err, diff)
		}
		if b, found, err := j.Burn(ctx, order.Hash{4}); err != nil || !found || b.Domain != 5 {
			t.Errorf("Burn = %+v, %v, %v, want the second", b, found, err)
		}
		if b, found, err := j.BurnByNonce(ctx, 5, []byte{7}); err != nil || !found || b.Key != (order.Hash{4}) {
			t.Errorf("BurnByNonce = %+v, %v, %v, want the second", b, found, err)
		}
		if b, found, err := j.BurnByNonce(ctx, 6, []byte{7}); err != nil || found {
			t.Errorf("BurnByNonce of another domain = %+v, %v, %v, want none", b, found, err)
		}
		count("open wishes", 1)(length(j.WishesOpen(ctx)))
		count("wishes of an order", 0)(length(j.WishesOf(ctx, hash(1))))
		count("orders with a payment under way", 1)(length(j.OrdersPaying(ctx)))
		count("tasks whose nonce is not used", 0)(length(j.TasksMined(ctx)))
		count("orders in a state", 2)(length(j.OrdersBy(ctx, journal.Filter{State: order.Seen})))
		count("orders of a chain", 3)(length(j.OrdersBy(ctx, journal.Filter{Chain: 369})))
		count("orders of another chain", 0)(length(j.OrdersBy(ctx, journal.Filter{Chain: 1})))
		count("orders older than all are", 0)(length(j.OrdersBy(ctx, journal.Filter{Until: now.Add(-time.Second)})))
		count("orders, limited", 1)(length(j.OrdersBy(ctx, journal.Filter{Limit: 1})))
		count("states", 2)(length(j.Ages(ctx)))
		count("cursors", 1)(length(j.Cursors(ctx)))
		if _, found, err := j.Order(ctx, hash(1)); !found || err != nil {
			t.Errorf("Order of a known ID = %v, %v, want found", found, err)
		}
		if _, found, err := j.Order(ctx, hash(9)); found || err != nil {
			t.Errorf("Order of an unknown ID = %v, %v, want not found", found, err)
		}
		if _, found, err := j.Attempt(ctx, order.Hash{9}); found || err != nil {
			t.Errorf("Attempt of an unknown hash = %v, %v, want not found", found, err)
		}
	})
}

func length[T any](rows []T, err error) (int, error) { return len(rows), err }
