package burns

import (
	"context"
	"time"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/swap"
)

// Health is how burns are found and attested.
type Health struct {
	Chains map[swap.ChainID]ChainHealth
	Issuer attest.Health
}

// ChainHealth is how burns are found on a network.
type ChainHealth struct {
	chain.Health
	Read uint64 // the last block that was read
}

// Health returns how burns are found and attested, from memory.
func (b *Burns) Health() Health {
	h := Health{Chains: map[swap.ChainID]ChainHealth{}, Issuer: b.opts.Issuer.Health()}
	for id, c := range b.chains {
		h.Chains[id] = ChainHealth{c.Health(), b.sources[id].Cursor()}
	}
	return h
}

// Losses returns how many deliveries were made at a loss since then, by network.
func Losses(ctx context.Context, r journal.Reader, since time.Time) (map[swap.ChainID]int, error) {
	tasks, err := r.TasksMade(ctx, burn.Subsidy, since)
	count := map[swap.ChainID]int{}
	for _, t := range tasks {
		count[t.Chain]++
	}
	return count, err
}

// Unminted reports whether the deposit of an order that was burned back in a
// transaction is still to be minted, or its mint may still be reorganised away.
// A burn that is too small to be carried is its owner's to deliver.
func Unminted(ctx context.Context, r journal.Reader, id order.ID, tx order.Hash) (bool, error) {
	list, err := r.BurnsOf(ctx, id)
	for _, x := range list {
		if x.Tx == tx && x.Way == string(burn.Back) {
			return !x.NextAsk.IsZero(), err
		}
	}
	return true, err
}
