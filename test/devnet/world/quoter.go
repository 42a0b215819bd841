package world

import (
	"context"
	"fmt"
	"time"

	"hubquote/internal/integrator"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

func (w *World) newQuoter(ctx context.Context) (*quoter.Quoter, error) {
	partners, err := w.integrators()
	if err != nil {
		return nil, err
	}
	fees, err := w.issuerFees(ctx)
	if err != nil {
		return nil, err
	}
	return quoter.New(quoter.Options{Catalog: w.Catalog, Integrators: partners, IssuerFees: fees})
}

// integrators asks the registries on the local chains, which make a block only
// when there is a transaction and so may be of any age.
func (w *World) integrators() (*integrator.Registries, error) {
	var chains []integrator.Chain
	for _, id := range w.Catalog.RegistryChains() {
		url, err := upstream.Parse(w.Chains[id].URL)
		if err != nil {
			return nil, err
		}
		at, _ := w.Catalog.Registry(id)
		chains = append(chains, integrator.Chain{ID: id, Registry: at, Endpoints: []upstream.URL{url}, MaxBlockAge: -1})
	}
	partners, err := integrator.New(integrator.Options{Chains: chains})
	if err == nil {
		w.onClose(partners.Close)
	}
	return partners, err
}

// issuerFees asks the attester, and returns when all its fees are known.
func (w *World) issuerFees(ctx context.Context) (*issuer.Live, error) {
	url, err := upstream.Parse(w.Issuer)
	if err != nil {
		return nil, err
	}
	var burns []*swap.Burn
	for _, r := range w.Catalog.Routes() {
		if r.Burn != nil {
			burns = append(burns, r.Burn)
		}
	}
	live, err := issuer.NewLive(issuer.Options{URL: url, Burns: burns})
	if err != nil {
		return nil, err
	}
	live.Start(context.Background())
	w.onClose(live.Close)
	return live, known(ctx, live, burns)
}

const (
	feesPoll = 50 * time.Millisecond
	feesWait = 30 * time.Second
)

func known(ctx context.Context, live *issuer.Live, burns []*swap.Burn) error {
	ctx, cancel := context.WithTimeout(ctx, feesWait)
	defer cancel()
	for _, b := range burns {
		for {
			_, err := live.IssuerRate(b)
			if err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("waiting for the issuer's fees: %w", err)
			case <-time.After(feesPoll):
			}
		}
	}
	return nil
}
