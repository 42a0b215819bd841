package finish_test

import (
	"cmp"
	"context"
	"testing"
	"time"

	"hubquote/internal/settle/finish"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch"
	"hubquote/swap"
	"hubquote/test/journaltest"
)

var id = order.ID{5}

type watcher struct {
	passed uint64
	record watch.Record
}

func (w watcher) Passed(swap.ChainID) uint64 { return w.passed }

// Records answers only for the contracts that are asked.
func (w watcher) Records(_ context.Context, orders []journal.Order) (map[order.ID]watch.Record, error) {
	r := w.record
	if orders[0].Src == (order.Pool{}) {
		r.Held = order.Known[order.Deposit]{}
	}
	if orders[0].Dst == (order.Pool{}) {
		r.Settlement = order.Known[order.Settlement]{}
	}
	return map[order.ID]watch.Record{id: r}, nil
}

func settled(s order.Settlement, block uint64) watch.Record {
	return watch.Record{Settlement: order.Known[order.Settlement]{Value: s, OK: true, Block: block}}
}

func held(d order.Deposit, block uint64) watch.Record {
	return watch.Record{Held: order.Known[order.Deposit]{Value: d, OK: true, Block: block}}
}

func TestRound(t *testing.T) {
	const mined = 90
	for _, tt := range []struct {
		name  string
		kind  order.Kind
		state journal.NonceState
		event order.Event
		gone  bool
		watch watcher
		want  order.Progress
		told  bool          // by one endpoint only
		age   time.Duration // of the event
		chain swap.ChainID  // of the event; zero: that of the task
	}{
		{"an event ends a payment", order.Pay, journal.NonceMined, order.EventPaid, false, watcher{passed: mined}, order.Done, false, 0, 0},
		{"a final nonce ends as a mined one", order.Pay, journal.NonceFinal, order.EventPaid, false, watcher{passed: mined}, order.Done, false, 0, 0},
		{"before the watcher passed the block nothing ends", order.Pay, journal.NonceMined, order.EventPaid, false, watcher{passed: mined - 1}, order.Sent, false, 0, 0},
		{"an event that is gone does not count", order.Pay, journal.NonceMined, order.EventPaid, true, watcher{mined, settled(order.Unsettled, mined)}, order.Void, false, 0, 0},
		{"one endpoint's word does not count", order.Pay, journal.NonceMined, order.EventPaid, false, watcher{mined, settled(order.Unsettled, mined)}, order.Void, true, time.Hour, 0},
		{"an event that is being judged is waited for", order.Pay, journal.NonceMined, order.EventPaid, false, watcher{mined, settled(order.Unsettled, mined)}, order.Sent, true, 0, 0},
		{"an event of the future is not waited for", order.Pay, journal.NonceMined, order.EventPaid, false, watcher{mined, settled(order.Unsettled, mined)}, order.Void, true, -time.Hour, 0},
		{"nor is one of another chain", order.Pay, journal.NonceMined, order.EventPaid, false, watcher{mined, settled(order.Unsettled, mined)}, order.Void, true, 0, 1},
		{"an event of another chain ends nothing", order.Pay, journal.NonceMined, order.EventPaid, false, watcher{mined, settled(order.Unsettled, mined)}, order.Void, false, 0, 1},
		{"another event does not count", order.Pay, journal.NonceMined, order.EventOpened, false, watcher{mined, settled(order.Unsettled, mined)}, order.Void, false, 0, 0},
		{"a record ends a payment without an event", order.Pay, journal.NonceMined, order.EventOpened, false, watcher{mined, settled(order.SettledPaid, mined)}, order.Done, false, 0, 0},
		{"a record from before the block says nothing", order.Pay, journal.NonceMined, order.EventOpened, false, watcher{mined, settled(order.Unsettled, mined-1)}, order.Sent, false, 0, 0},
		{"an unknown record says nothing", order.Pay, journal.NonceMined, order.EventOpened, false, watcher{passed: mined}, order.Sent, false, 0, 0},
		{"a cancellation that came too late is void", order.Cancel, journal.NonceMined, order.EventOpened, false, watcher{mined, settled(order.SettledPaid, mined)}, order.Void, false, 0, 0},
		{"a cancellation", order.Cancel, journal.NonceMined, order.EventOpened, false, watcher{mined, settled(order.SettledCancelled, mined)}, order.Done, false, 0, 0},
		{"a release", order.Release, journal.NonceMined, order.EventOpened, false, watcher{mined, held(order.NotHeld, mined)}, order.Done, false, 0, 0},
		{"a release that was skipped", order.Release, journal.NonceMined, order.EventOpened, false, watcher{mined, held(order.Held, mined)}, order.Void, false, 0, 0},
		{"a refund that was refused", order.Refund, journal.NonceMined, order.EventOpened, false, watcher{mined, held(order.Announced, mined)}, order.Void, false, 0, 0},
		{"a refusal that is not agreed on ends nothing yet", order.Pay, journal.NonceMined, order.EventSkipped, false, watcher{mined, settled(order.Unsettled, mined)}, order.Sent, true, 0, 0},
		{"a refusal that is agreed on ends a payment", order.Pay, journal.NonceMined, order.EventSkipped, false, watcher{mined, settled(order.Unsettled, mined)}, order.Void, false, 0, 0},
		{"a refusal that is gone does not count", order.Pay, journal.NonceMined, order.EventSkipped, true, watcher{mined, settled(order.Unsettled, mined)}, order.Void, true, 0, 0},
		{"a claim counts as pushed", order.Claim, journal.NonceMined, order.EventOpened, false, watcher{}, order.Done, false, 0, 0},
		{"a sweep counts as made", order.Sweep, journal.NonceMined, order.EventOpened, false, watcher{}, order.Done, false, 0, 0},
		{"foreign bytes make it void", order.Pay, journal.NonceForeign, order.EventPaid, false, watcher{passed: mined}, order.Void, false, 0, 0},
		{"burns end their own", order.Relay, journal.NonceMined, order.EventOpened, false, watcher{passed: mined}, order.Sent, false, 0, 0},
		{"a nonce that is not used ends nothing", order.Pay, journal.NonceSent, order.EventPaid, false, watcher{passed: mined}, order.Sent, false, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := t.Context()
			j, w := journaltest.Open(t)
			proof := order.Agreed
			if tt.told {
				proof = order.Told
			}
			err := w.Write(ctx, func(tx journal.Tx) error {
				if err := tx.PutOrder(ctx, journal.Order{Order: order.Order{ID: id, Body: []byte{1}, Src: order.Pool{Chain: 1}, Dst: order.Pool{Chain: 369}}, State: order.Paying, Proof: order.Final}); err != nil {
					return err
				}
				if err := tx.PutFact(ctx, journal.Fact{Order: id, Event: tt.event, Gone: tt.gone, Fact: order.Fact{Chain: cmp.Or(tt.chain, 369), Block: mined, Proof: proof, Time: time.Now().Add(-tt.age)}}); err != nil {
					return err
				}
				n, err := tx.AddTask(ctx, journal.Task{Subject: id, Kind: tt.kind, Chain: 369})
				if err != nil {
					return err
				}
				a := journal.Attempt{Hash: order.Hash{1}, Chain: 369, Raw: []byte{1}}
				if err := tx.Commit(ctx, a, []journal.Reserved{{Task: n}}, nil); err != nil {
					return err
				}
				return tx.SetNonce(ctx, journal.Nonce{Chain: 369, State: tt.state, Block: mined})
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := finish.Round(ctx, j, w.Write, tt.watch); err != nil {
				t.Fatal(err)
			}
			tasks, err := j.Tasks(ctx, id)
			if err != nil || len(tasks) != 1 || tasks[0].Progress != tt.want {
				t.Errorf("tasks = %+v, %v, want one that is %s", tasks, err, tt.want)
			}
		})
	}
}
