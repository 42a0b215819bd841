package burns_test

import (
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/test/devnet"
)

// One endpoint of three that names a head far below the others', and agrees with them
// otherwise, neither hides that a delivery failed or that a signature expires, nor
// has the head taken for unknown.
func TestLowHeads(t *testing.T) {
	b := newBench(t, gateway, source)
	task := func(b *bench) journal.Task {
		b.t.Helper()
		b.burn(burned{})
		b.round()
		b.want("delivering", order.Ready)
		return must(b.journal.TasksReady(b.t.Context(), gateway))(b.t)[0]
	}
	void := func(b *bench, t journal.Task) {
		b.t.Helper()
		b.write(func(tx journal.Tx) error { return tx.EndTask(b.t.Context(), t.ID, order.Void) })
	}
	for _, tt := range []struct {
		name string
		test func(*bench)
	}{
		{"a delivery that failed is made again", func(b *bench) {
			e := b.three(gateway)
			sent, ctx := task(b), b.t.Context()
			key, head := devnet.Account(devnet.Relayer).Address, must(b.Chains[gateway].Head(ctx))(b.t)
			b.write(func(tx journal.Tx) error {
				a := journal.Attempt{Hash: order.Hash{9}, Chain: gateway, Key: key, Raw: []byte{1}}
				if err := tx.Commit(ctx, a, []journal.Reserved{{Task: sent.ID}}, nil); err != nil {
					return err
				}
				return tx.SetNonce(ctx, journal.Nonce{Chain: gateway, Key: key, State: journal.NonceMined, Mined: a.Hash, Block: head})
			})
			e[0].Set(low(5)...)
			b.round()
			b.want("delivering", order.Void)
		}},
		{"a signature that is about to expire is made anew", func(b *bench) {
			e := b.three(gateway)
			void(b, task(b))
			x := b.only()
			x.Expires = must(b.Chains[gateway].Head(b.t.Context()))(b.t) + 299
			b.write(func(tx journal.Tx) error { return tx.PutBurn(b.t.Context(), x) })
			e[0].Set(low(5)...)
			b.round()
			if now := b.only(); now.Expires == x.Expires {
				b.t.Errorf("the burn is %s, and its signature expires as before", now.Status)
			}
		}},
		{"a burn that expires is delivered", func(b *bench) {
			e := b.three(gateway)
			void(b, task(b))
			e[0].Set(low(0)...)
			b.round()
			b.want("delivering", order.Void, order.Ready)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(b.fresh(t)) })
	}
}
