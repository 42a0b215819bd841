package view

import (
	"context"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

const burnsDue = "next_ask > 0 AND next_ask <= $1 "

// BurnsUnsigned implements [journal.Reader].
func (v View) BurnsUnsigned(ctx context.Context, now time.Time, limit int) ([]journal.Burn, error) {
	return Burns.All(ctx, v.Q, "WHERE attestation IS NULL AND "+burnsDue+"ORDER BY agreed DESC, asks, next_ask, key LIMIT $2", now.UnixMilli(), limit)
}

// BurnsSigned implements [journal.Reader].
func (v View) BurnsSigned(ctx context.Context, now time.Time, limit int) ([]journal.Burn, error) {
	return Burns.All(ctx, v.Q, "WHERE attestation IS NOT NULL AND "+burnsDue+"ORDER BY next_ask, key LIMIT $2", now.UnixMilli(), limit)
}

// Burn implements [journal.Reader].
func (v View) Burn(ctx context.Context, key order.Hash) (journal.Burn, bool, error) {
	return Burns.One(ctx, v.Q, "WHERE key = $1", key)
}

// BurnByNonce implements [journal.Reader].
func (v View) BurnByNonce(ctx context.Context, source swap.Domain, nonce []byte) (journal.Burn, bool, error) {
	return Burns.One(ctx, v.Q, "WHERE domain = $1 AND nonce = $2", source, nonce)
}

var burnAges = table.New("burns", 0, "way, status, reason, COUNT(*), MIN(since)", func(a *journal.BurnAge) []any {
	return []any{&a.Way, &a.Status, &a.Reason, &a.Burns, (*table.Moment)(&a.Oldest)}
})

// BurnAges implements [journal.Reader].
func (v View) BurnAges(ctx context.Context) ([]journal.BurnAge, error) {
	return burnAges.All(ctx, v.Q, "WHERE next_ask > 0 GROUP BY way, status, reason ORDER BY way, status, reason")
}

// NoncesOf implements [journal.Reader].
func (v View) NoncesOf(ctx context.Context, task int64) ([]journal.Nonce, error) {
	return Nonces.All(ctx, v.Q, "WHERE EXISTS (SELECT 1 FROM links WHERE links.chain = nonces.chain AND links.key = nonces.key AND links.nonce = nonces.nonce AND task = $1) ORDER BY nonce", task)
}
