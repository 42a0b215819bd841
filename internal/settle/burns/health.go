package burns

import (
	"context"
	"time"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/chain"
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

// Late returns by how much the issuer is later than it usually is with a burn: the
// longest of those that it has not signed.
func (b *Burns) Late(ctx context.Context) (longest time.Duration, err error) {
	now := time.Now()
	unsigned, err := b.opts.Journal.BurnsUnsigned(ctx, now.Add(farAway), mostLate)
	for _, x := range unsigned {
		f := b.rows.Read(x).Facts
		longest = max(longest, now.Sub(f.Mined.Add(f.Usual)))
	}
	return longest, err
}

const (
	farAway  = 1000 * time.Hour // later than any question
	mostLate = 1000             // burns that are looked at
)

// Health returns how burns are found and attested, from memory.
func (b *Burns) Health() Health {
	h := Health{Chains: map[swap.ChainID]ChainHealth{}, Issuer: b.opts.Issuer.Health()}
	for id, c := range b.chains {
		h.Chains[id] = ChainHealth{c.Health(), b.sources[id].Cursor()}
	}
	return h
}
