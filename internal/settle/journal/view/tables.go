package view

import (
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
)

// The tables of the journal.
var (
	Orders = table.New("orders", 1, "id, generation, running, src_chain, src_pool, dst_chain, dst_pool, asset, amount, pays, burn, deadline, body, "+
		"src_tx, src_log, src_block, src_hash, proof, burn_key, state, reason, since, not_before, revision, refused_why, refused_end, refused_at, refusals",
		func(o *journal.Order) []any {
			return []any{
				&o.ID, &o.Generation, &o.Running, &o.Src.Chain, (*table.Address)(&o.Src.Address), &o.Dst.Chain, (*table.Address)(&o.Dst.Address),
				(*table.Address)(&o.Asset), &o.Amount, &o.Pays, &o.Burn, (*table.Moment)(&o.Deadline), &o.Body,
				&o.SrcTx, &o.SrcLog, &o.SrcBlock, &o.SrcHash, &o.Proof, &o.BurnKey, &o.State, &o.Reason,
				(*table.Moment)(&o.Since), (*table.Moment)(&o.NotBefore), &o.Revision,
				&o.Refusal.Why, &o.Refusal.ForGood, (*table.Moment)(&o.Refusal.At), &o.Refusal.Times,
			}
		})

	Facts = table.New("facts", 5, "order_id, event, chain, tx, log, block, hash, at, proof, gone",
		func(f *journal.Fact) []any {
			return []any{&f.Order, &f.Event, &f.Chain, &f.Tx, &f.Log, &f.Block, &f.Hash, (*table.Moment)(&f.Time), &f.Proof, &f.Gone}
		})

	Burns = table.New("burns", 1, "key, domain, tx, log, way, sent, nonce, attestation, status, delay, expires, asks, next_ask, order_id, mint_tx, "+
		"block, mined, asked, signed, since, mint_block, reason, agreed",
		func(b *journal.Burn) []any {
			return []any{
				&b.Key, &b.Domain, &b.Tx, &b.Log, &b.Way, &b.Sent, &b.Nonce, &b.Attestation, &b.Status, &b.Delay,
				&b.Expires, &b.Asks, (*table.Moment)(&b.NextAsk), &b.Order, &b.MintTx,
				&b.Block, (*table.Moment)(&b.Mined), (*table.Moment)(&b.Asked), &b.Signed, (*table.Moment)(&b.Since), &b.MintBlock, &b.Reason, &b.Agreed,
			}
		})

	Tasks = table.New("tasks", 1, "id, subject, kind, chain, progress, basis, tag, reserved, made, loss",
		func(t *journal.Task) []any {
			return []any{&t.ID, &t.Subject, &t.Kind, &t.Chain, &t.Progress, &t.Basis, (*table.Moment)(&t.Tag), &t.Reserved, (*table.Moment)(&t.Made), &t.Loss}
		})

	Nonces = table.New("nonces", 3, "chain, key, nonce, state, filler, mined, block, hash",
		func(n *journal.Nonce) []any {
			return []any{&n.Chain, (*table.Address)(&n.Key), &n.Nonce, &n.State, &n.Filler, &n.Mined, &n.Block, &n.Hash}
		})

	Links = table.New("links", 4, "chain, key, nonce, task",
		func(l *journal.Link) []any { return []any{&l.Chain, (*table.Address)(&l.Key), &l.Nonce, &l.Task} })

	Attempts = table.New("attempts", 1, "hash, chain, key, nonce, raw, tip, cap, gas, made, epoch, sent, sends, last_error",
		func(a *journal.Attempt) []any {
			return []any{
				&a.Hash, &a.Chain, (*table.Address)(&a.Key), &a.Nonce, &a.Raw, &a.Tip, &a.Cap, &a.Gas,
				(*table.Moment)(&a.Made), &a.Epoch, (*table.Moment)(&a.Sent), &a.Sends, &a.LastError,
			}
		})

	Wishes = table.New("wishes", 1, "id, subject, verb, who, at, done, result",
		func(w *journal.Wish) []any {
			return []any{&w.ID, &w.Subject, &w.Verb, &w.By, (*table.Moment)(&w.At), (*table.Moment)(&w.Done), &w.Result}
		})

	Cursors = table.New("cursors", 2, "chain, pass, number, hash",
		func(c *journal.Cursor) []any { return []any{&c.Chain, &c.Pass, &c.Number, &c.Hash} })

	Census = table.New("census", 2, "chain, contract, number, hash, orders, held, sums",
		func(c *journal.Census) []any {
			return []any{&c.Contract.Chain, (*table.Address)(&c.Contract.Address), &c.Number, &c.Hash, &c.Orders, &c.Held, &c.Sums}
		})
)

// Alarms is a table of the journal.
var Alarms = table.New("alarms", 3, "chain, name, subject, since, accepted",
	func(a *journal.Alarm) []any {
		return []any{&a.Chain, &a.Name, &a.Subject, (*table.Moment)(&a.Since), (*table.Moment)(&a.Accepted)}
	})

// Lease has one row. Its epoch grows with each writer, so that a write of an
// earlier one is refused.
var Lease = table.New("lease", 0, "epoch", func(n *int64) []any { return []any{n} })
