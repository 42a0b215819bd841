package evidence_test

import (
	"testing"
	"time"

	"hubquote/internal/settle/evidence"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/test/journaltest"
)

var id = order.ID{7}

func fact(e order.Event, proof order.Proof, gone bool) journal.Fact {
	return journal.Fact{Order: id, Event: e, Gone: gone, Fact: order.Fact{Chain: 369, Tx: order.Hash{byte(proof), 9}, Proof: proof}}
}

func TestArrange(t *testing.T) {
	o := &journal.Order{Order: order.Order{ID: id}, State: order.Paying, Reason: order.InFlight, Since: time.Unix(5, 0), Refusal: order.Refusal{Why: order.Recipient, Times: 2}}
	f := evidence.Arrange(o, []journal.Fact{
		fact(order.EventOpened, order.Told, false), fact(order.EventOpened, order.Final, false), fact(order.EventOpened, order.Safe, false),
		fact(order.EventPaid, order.Agreed, true), fact(order.EventCancelled, order.Final, true),
	}, []journal.Task{{Kind: order.Pay, Progress: order.Sent}})
	if f.Opened == nil || f.Opened.Proof != order.Final {
		t.Errorf("opened = %+v, want the best proved of three", f.Opened)
	}
	if f.Paid != nil || f.Cancelled != nil {
		t.Errorf("paid %v, cancelled %v, want neither: both are gone", f.Paid, f.Cancelled)
	}
	if f.Fell != 369 {
		t.Errorf("fell = %d, want 369: a final fact is gone", f.Fell)
	}
	if f.Count(order.Pay, order.Sent) != 1 || f.Skipped == nil || f.Skipped.Times != 2 {
		t.Errorf("tasks %v, skipped %+v, want one and two", f.Tasks, f.Skipped)
	}
	if f.Was != (order.Memory{State: order.Paying, Reason: order.InFlight, Since: time.Unix(5, 0)}) {
		t.Errorf("was %+v, want the order's state", f.Was)
	}
	if f := evidence.Arrange(&journal.Order{}, []journal.Fact{fact(order.EventPaid, order.Safe, true)}, nil); f.Fell != 0 || f.Skipped != nil {
		t.Errorf("fell %d, skipped %v, want none", f.Fell, f.Skipped)
	}
}

func TestUnminted(t *testing.T) {
	back := journal.Burn{Way: "back", NextAsk: time.Unix(1, 0), Order: id}
	minted := journal.Burn{Way: "back", Order: id, Log: 1}
	sure := minted
	sure.Agreed = true
	other := journal.Burn{Way: "back", NextAsk: time.Unix(1, 0), Order: order.ID{8}, Log: 2}
	out := journal.Burn{Way: "out", NextAsk: time.Unix(1, 0), Order: id, Log: 3}
	for _, tt := range []struct {
		name  string
		burn  bool
		event order.Event
		burns []journal.Burn
		want  bool
	}{
		{"a refund of a pool burns nothing", false, order.EventRefunded, nil, false},
		{"a refund whose burn is not known yet", true, order.EventRefunded, nil, true},
		{"a refund whose burn is not minted", true, order.EventRefunded, []journal.Burn{back}, true},
		{"a refund whose burn is minted", true, order.EventRefunded, []journal.Burn{minted}, false},
		{"a refund whose burn is minted, and one that an endpoint made up", true, order.EventRefunded, []journal.Burn{back, sure}, false},
		{"another order's burn in the same transaction", true, order.EventRefunded, []journal.Burn{minted, other}, false},
		{"a payment's burn in the same transaction", true, order.EventRefunded, []journal.Burn{minted, out}, false},
		{"a reclaim taken where it is", true, order.EventReclaimed, nil, false},
		{"a reclaim that burned", true, order.EventReclaimed, []journal.Burn{back}, true},
		{"not returned", true, order.EventPaid, []journal.Burn{back}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j, w := journaltest.Open(t)
			returned := fact(tt.event, order.Final, false)
			err := w.Write(t.Context(), func(tx journal.Tx) error {
				for i, b := range tt.burns {
					b.Key, b.Tx, b.Sent = order.Hash{byte(i)}, returned.Tx, []byte{1}
					if err := tx.PutBurn(t.Context(), b); err != nil {
						return err
					}
				}
				return tx.PutFact(t.Context(), returned)
			})
			if err != nil {
				t.Fatal(err)
			}
			f, err := evidence.Of(t.Context(), j, []journal.Order{{Order: order.Order{ID: id, Burn: tt.burn}}})
			if err != nil || len(f) != 1 || f[0].Unminted != tt.want {
				t.Errorf("unminted: %+v, %v, want %v", f, err, tt.want)
			}
			if err := w.Release(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
