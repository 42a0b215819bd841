package writer_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/settle/alert"
	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/dispatch"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch"
	"hubquote/internal/settle/world"
	"hubquote/internal/settle/writer"
	"hubquote/swap"
)

var (
	now   = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	src   = order.Pool{Chain: 8453, Address: swap.Address{1}}
	dst   = order.Pool{Chain: 369, Address: swap.Address{2}}
	token = order.Pool{Chain: 8453, Address: swap.Address{3}}
	plan  = roster.Roster{{Pool: src, Token: token.Address}, {Pool: dst, Token: swap.Address{4}}}
)

// A rig is a writer on a real journal, with a world that the test makes up.
type rig struct {
	*testing.T
	journal *sqlite.Journal
	held    journal.Writer
	writer  *writer.Writer
	alerts  *alert.Board
	now     time.Time

	// The world.
	broken  bool
	paused  bool
	unknown bool // the contracts do not answer
	passed  uint64
	records map[order.ID]watch.Record
	proved  map[order.ID]bool
	looking func()          // called while the world is looked at
	asked   []order.Pool    // contracts, the last time
	about   []journal.Order // whose records were asked for, the last time
	free    int
	jobs    []dispatch.Job
	out     map[int64]bool
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, now: now, passed: 100, records: map[order.ID]watch.Record{}, proved: map[order.ID]bool{}, free: 16, out: map[int64]bool{}}
	var err error
	if r.journal, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "journal")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.journal.Close() })
	if r.held, err = r.journal.Acquire(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	r.restart()
	return r
}

// restart makes a new writer, which knows only the journal.
func (r *rig) restart() {
	r.alerts = alert.NewBoard(slog.New(slog.DiscardHandler))
	r.writer = writer.New(writer.Options{
		Journal: r.journal, Write: r.held.Write, Watch: r, Lanes: lanes{r}, Roster: plan, Rules: rules.Standard(), Alerts: r.alerts,
		Limits: budget.Limits{Exposure: map[order.Pool]swap.Amount{token: *uint256.NewInt(1000)}}, Now: func() time.Time { return r.now },
	})
}

func (r *rig) wish(subject order.Hash, verb order.Verb) {
	r.Helper()
	if err := r.journal.AddWish(r.Context(), journal.Wish{ID: order.Hash{0xee}, Subject: subject, Verb: verb, At: r.now}); err != nil {
		r.Fatal(err)
	}
}

// Tags implements [writer.Watcher].
func (r *rig) Tags(w *world.World) {
	for _, id := range []swap.ChainID{369, 8453} {
		w.Tags[id] = world.Tag{Final: 90, FinalTime: r.now, Broken: r.broken && id == src.Chain}
	}
}

// World implements [writer.Watcher].
func (r *rig) World(_ context.Context, w *world.World, pools ...order.Pool) error {
	if r.looking != nil {
		r.looking()
	}
	r.asked = pools
	r.Tags(w)
	if r.unknown {
		return errors.New("no endpoint answers")
	}
	for _, p := range pools {
		w.Contracts[p] = world.Contract{Paused: r.paused}
		for _, l := range []world.Limit{world.Liquidity, world.Payments, world.Unfreed, world.Releases, world.Refunds} {
			w.Left[world.Budget{Limit: l, Pool: p}] = *uint256.NewInt(10_000)
		}
	}
	w.Left[world.Budget{Limit: world.ForSource, Pool: dst, From: world.Source{Place: 8453, Pool: src}}] = *uint256.NewInt(10_000)
	return nil
}

func (r *rig) Passed(swap.ChainID) uint64 { return r.passed }

func (r *rig) Records(_ context.Context, orders []journal.Order) (map[order.ID]watch.Record, error) {
	r.about = orders
	some := map[order.ID]watch.Record{}
	for _, o := range orders {
		some[o.ID] = r.records[o.ID]
	}
	return some, nil
}

func (r *rig) Reprove(context.Context, []journal.Order) (map[order.ID]bool, error) {
	return r.proved, nil
}

// Free implements [writer.Dispatcher].
func (r *rig) Free() map[swap.ChainID]int { return map[swap.ChainID]int{369: r.free, 8453: r.free} }
func (r *rig) Has(task int64) bool        { return r.out[task] }

func (r *rig) Do(j dispatch.Job) bool {
	r.jobs = append(r.jobs, j)
	for _, t := range j.Call.Tasks {
		r.out[t.Task] = true
	}
	return true
}

// put records a deposit with a proof, and returns its order.
func (r *rig) put(n int64, p order.Proof) journal.Order {
	r.Helper()
	o := r.order(n, p)
	r.write(func(tx journal.Tx) error { return tx.PutOrder(r.Context(), o) })
	r.fact(o.ID, order.EventOpened, p)
	return o
}

// crowd records many final deposits.
func (r *rig) crowd(count int64) {
	r.Helper()
	r.write(func(tx journal.Tx) error {
		for n := range count {
			o := r.order(n, order.Final)
			if err := errors.Join(tx.PutOrder(r.Context(), o), tx.PutFact(r.Context(), r.happened(o.ID, order.EventOpened, order.Final))); err != nil {
				return err
			}
		}
		return nil
	})
}

// order is a deposit of which the contracts know.
func (r *rig) order(n int64, p order.Proof) journal.Order {
	body := contract.Order{
		SrcPlace: big.NewInt(8453), SrcPool: common.Address(src.Address), Nonce: big.NewInt(n), Amount: big.NewInt(100), DstPlace: big.NewInt(369),
		DstPool: common.Address(dst.Address), Deadline: big.NewInt(now.Add(72 * time.Hour).Unix()), Recipient: bytes.Repeat([]byte{9}, 20),
	}
	o := journal.Order{
		Order: order.Order{
			ID: order.ID(body.ID()), Generation: 1, Src: src, Dst: dst, Asset: token.Address, Amount: *uint256.NewInt(100), Pays: *uint256.NewInt(100),
			Deadline: now.Add(72 * time.Hour), Body: body.Bytes(),
		},
		SrcTx: order.Hash{byte(n)}, Proof: p, State: order.Seen, Since: now,
	}
	r.records[o.ID] = watch.Record{
		Held:       order.Known[order.Deposit]{Value: order.Held, OK: true, Block: 100},
		Settlement: order.Known[order.Settlement]{OK: true, Block: 100},
	}
	return o
}

func (r *rig) happened(id order.ID, e order.Event, p order.Proof) journal.Fact {
	chain := dst.Chain
	if e == order.EventOpened || e == order.EventReleased {
		chain = src.Chain
	}
	return journal.Fact{Order: id, Event: e, Fact: order.Fact{Chain: chain, Tx: order.Hash{7}, Block: 80, Time: now, Proof: p}}
}

func (r *rig) fact(id order.ID, e order.Event, p order.Proof) {
	r.Helper()
	r.write(func(tx journal.Tx) error { return tx.PutFact(r.Context(), r.happened(id, e, p)) })
}

func (r *rig) write(fn func(journal.Tx) error) {
	r.Helper()
	if err := r.held.Write(r.Context(), fn); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) round() {
	r.Helper()
	if err := r.writer.Round(r.Context()); err != nil {
		r.Fatal(err)
	}
}

// is fails unless the order is in a state for a reason.
func (r *rig) is(id order.ID, s order.State, why order.Reason) {
	r.Helper()
	o, _, err := r.journal.Order(r.Context(), id)
	if err != nil || o.State != s || o.Reason != why {
		r.Errorf("the order is %s %q, %v, want %s %q", o.State, o.Reason, err, s, why)
	}
}

// commit does what a lane does with a job, at a nonce that is mined in a block.
func (r *rig) commit(j dispatch.Job, nonce, block uint64) {
	r.Helper()
	a := journal.Attempt{Hash: order.Hash{0xaa, byte(nonce)}, Chain: j.Chain, Key: swap.Address{8}, Nonce: nonce, Raw: []byte{1}, Gas: 1, Made: r.now}
	r.write(func(tx journal.Tx) error {
		if err := tx.Commit(r.Context(), a, j.Call.Tasks, j.Call.Caps); err != nil {
			return err
		}
		return tx.SetNonce(r.Context(), journal.Nonce{Chain: j.Chain, Key: a.Key, Nonce: nonce, State: journal.NonceMined, Mined: a.Hash, Block: block})
	})
	for _, t := range j.Call.Tasks {
		delete(r.out, t.Task)
	}
	r.writer.Done(r.Context(), j, nil)
}

// lanes is the rig as a dispatcher: World has two signatures.
type lanes struct{ *rig }

func (lanes) World(w *world.World) {
	for _, id := range []swap.ChainID{369, 8453} {
		w.Fees[id] = world.Fees{WithinCap: true}
		w.Left[world.Budget{Limit: world.Calls, Pool: order.Pool{Chain: id}}] = *uint256.NewInt(100)
	}
}
