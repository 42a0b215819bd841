package burns

import (
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

// Health returns how burns are found and attested, from memory.
func (b *Burns) Health() Health {
	h := Health{Chains: map[swap.ChainID]ChainHealth{}, Issuer: b.opts.Issuer.Health()}
	for id, c := range b.chains {
		h.Chains[id] = ChainHealth{c.Health(), b.sources[id].Cursor()}
	}
	return h
}
