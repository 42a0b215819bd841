// Package row is a burn's row in the journal together with what the terms say
// about it. A row is changed only inside a transaction that has read it again.
package row

import (
	"context"
	"time"

	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/swap"
)

// A Reader reads rows.
type Reader struct {
	Terms *terms.Terms
	Usual func(source swap.ChainID, fast bool) time.Duration // from a burn to its attestation
}

// A Row is a burn.
type Row struct {
	journal.Burn
	To    order.Pool // the contract that is called to deliver it
	Facts burn.Burn  // for the policy, but for what only the destination knows
}

// Read returns the row of a burn. One that the terms do not accept, or no longer,
// is not authentic.
func (r *Reader) Read(b journal.Burn) Row {
	m := message.Message(b.Sent)
	if b.Signed != nil {
		m = b.Signed
	}
	source := r.Terms.Networks[b.Domain]
	v, ours := r.Terms.Judge(source, m)
	return Row{Burn: b, To: v.To, Facts: burn.Burn{
		Way: v.Way, To: v.To, Authentic: order.Known[bool]{Value: ours, OK: true}, TooSmall: v.Small, Unpayable: v.Unpayable,
		Doubted: !b.Agreed, Mined: b.Mined, Usual: r.Usual(source, m.Fast()), Asked: int(b.Asks), LastAsked: b.Asked,
		Attested: b.Attestation != nil, Expires: b.Expires,
	}}
}

// Nonce returns the issuer's nonce of a burn, or zero.
func Nonce(b *journal.Burn) (nonce message.Word) {
	copy(nonce[:], b.Nonce)
	return nonce
}

// Change applies do to a burn as it is in the journal now.
func Change(ctx context.Context, tx journal.Tx, key order.Hash, do func(*journal.Burn)) error {
	b, found, err := tx.Burn(ctx, key)
	if err != nil || !found {
		return err
	}
	do(&b)
	return tx.PutBurn(ctx, b)
}

// Enter puts a burn into the state of a step, to be looked at again next; a zero
// next means never.
func Enter(b *journal.Burn, now time.Time, s burn.Step, next time.Time) {
	if b.Status != string(s.State) {
		b.Since = now
	}
	b.Status, b.Reason, b.NextAsk = string(s.State), s.Reason, next
}
