package witness_test

import (
	"context"

	"hubquote/swap"
)

// ports stand in for the registry and the issuer. They answer as the current request
// says and record what they were asked, because the witness checks that too.
type ports struct {
	request request
	asked   questions
}

type questions struct {
	Registry *registryQuestion `json:"registry,omitempty"`
	Issuer   *issuerQuestion   `json:"issuer,omitempty"`
}

type registryQuestion struct {
	Chain  swap.ChainID `json:"chain"`
	ID     string       `json:"id"`
	Wallet swap.Address `json:"wallet"` // the answer
	Rate   swap.Rate    `json:"rate"`   // the answer
}

type issuerQuestion struct {
	Source  swap.Domain `json:"source"`
	Gateway swap.Domain `json:"gateway"`
	BPS     string      `json:"bps"` // the answer
}

func (p *ports) Integrator(_ context.Context, registry swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	p.asked.Registry = &registryQuestion{registry, id.String(), p.request.wallet, p.request.rate}
	return swap.Integrator{ID: id, Wallet: p.request.wallet, Rate: p.request.rate}, nil
}

func (p *ports) IssuerRate(b *swap.Burn) (swap.IssuerRate, error) {
	p.asked.Issuer = &issuerQuestion{b.Source, b.Gateway, p.request.bps}
	return swap.ParseIssuerRate(p.request.bps)
}
