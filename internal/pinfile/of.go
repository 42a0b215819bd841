package pinfile

import (
	"slices"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

// Allowances widen pins where an honest answer depends on facts that the
// catalog does not have.
type Allowances struct {
	// IssuerMax is the most the issuer may charge for a fast burn. Zero means
	// that it charges exactly what the catalog says it publishes; a server
	// that asks the issuer for its current fee will differ from that some day.
	IssuerMax swap.IssuerRate

	// Integrators are partners whose rate is known. A quote that names any
	// other is unproven.
	Integrators []swap.Integrator
}

// Of writes a catalog down as pins.
func Of(c *catalog.Catalog, a Allowances) *File {
	f := &File{
		Format: Format, Deployment: c.Deployment(), Reference: c.Reference(), Catalog: c.Digest(),
		Integrators: Integrators{MaxMillionths: swap.MaxRate, Known: []Integrator{}},
		Privacy:     map[string]swap.ChainID{},
	}
	for _, p := range a.Integrators {
		f.Integrators.Known = append(f.Integrators.Known, Integrator{p.ID, p.Rate})
	}
	for _, t := range c.Tokens() {
		f.Tokens = append(f.Tokens, Token{
			t.At(swap.PlaceID(t.Chain)), t.Address, t.Decimals, t.ApproveReset,
		})
	}
	for _, r := range c.Routes() {
		f.addRoute(r, a.IssuerMax)
	}
	return f
}

func (f *File) addRoute(r *swap.Route, issuerMax swap.IssuerRate) {
	from, to := r.From(), r.To()
	for _, p := range []swap.Place{r.Src, r.Dst} {
		if p.Private() {
			f.Privacy[p.ID.String()] = p.Network
		}
	}
	if !slices.ContainsFunc(f.Routers, func(have Router) bool { return have.From == from }) {
		router := Router{From: from, Type: r.Kind, Router: r.Target, Min: r.Limits.Min.Dec(), Max: r.Limits.Max.Dec()}
		if b := r.Burn; b != nil {
			f.Burn = Burn{b.Gateway, b.Receiver, b.Finality}
			router.IssuerBPS = issuerBPS(b.Published, issuerMax)
		}
		f.Routers = append(f.Routers, router)
	}
	f.Routes = append(f.Routes, Route{from, to, r.FeeChain, r.Rate})
}

// issuerBPS is the range of what the issuer may charge: what it publishes, or
// with an allowance anything up to that.
func issuerBPS(published, most swap.IssuerRate) *[2]string {
	if most == 0 {
		return &[2]string{published.String(), published.String()}
	}
	return &[2]string{"0", most.String()}
}
