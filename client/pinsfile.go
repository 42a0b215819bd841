package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

const pinsFormat = "hubquote-pins/1"

// pinsFile is the file as written. A token is named symbol@place throughout, so
// that a reviewer reads a line without looking anything up.
type pinsFile struct {
	Format      string             `json:"format"`
	Deployment  string             `json:"deployment"`
	Reference   bool               `json:"reference"` // real on a devnet only
	Catalog     string             `json:"catalog"`
	Burn        pinnedBurn         `json:"burn"`
	Integrators pinnedIntegrators  `json:"integrators"`
	Privacy     map[string]chainID `json:"privacy"` // the network under each virtual ID
	Tokens      []pinnedToken      `json:"tokens"`
	Routers     []pinnedRouter     `json:"routers"`
	Routes      []pinnedRoute      `json:"routes"`
}

type chainID = swap.ChainID

// pinnedBurn is what the issuer's messenger must be told, for all burns.
type pinnedBurn struct {
	Domain   swap.Domain  `json:"domain"`
	Receiver swap.Address `json:"receiver"`
	Finality uint32       `json:"finality"`
}

type pinnedIntegrators struct {
	MaxMillionths swap.Rate          `json:"maxMillionths"`
	Known         []pinnedIntegrator `json:"known"`
}

type pinnedIntegrator struct {
	ID         swap.IntegratorID
	Millionths swap.Rate
}

type pinnedToken struct {
	Token        swap.Coin    `json:"token"`
	Address      swap.Address `json:"address"`
	Decimals     uint8        `json:"decimals"`
	ApproveReset bool         `json:"approveReset,omitempty"`
}

// pinnedRouter is the contract for one source chain and token; the limits are
// in the token's smallest units.
type pinnedRouter struct {
	From      swap.Coin      `json:"from"`
	Type      swap.RouteKind `json:"type"`
	Router    swap.Address   `json:"router"`
	Min       string         `json:"min"`
	Max       string         `json:"max"`
	IssuerBPS *[2]string     `json:"issuerBps,omitempty"` // from, to; for burns
}

type pinnedRoute struct {
	From       swap.Coin `json:"from"`
	To         swap.Coin `json:"to"`
	FeeChain   chainID   `json:"feeChain"`
	Millionths swap.Rate `json:"millionths"`
}

// MarshalJSON writes the ID as an answer does.
func (p pinnedIntegrator) MarshalJSON() ([]byte, error) {
	return json.Marshal(integratorText{p.ID.String(), p.Millionths})
}

// UnmarshalJSON reads either spelling of an ID.
func (p *pinnedIntegrator) UnmarshalJSON(text []byte) (err error) {
	var t integratorText
	if err := decodeStrict(text, &t); err != nil {
		return err
	}
	p.Millionths = t.Millionths
	p.ID, err = swap.ParseIntegratorID(t.ID)
	return err
}

type integratorText struct {
	ID         string    `json:"id"`
	Millionths swap.Rate `json:"millionths"`
}

func decodeStrict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// ParsePins reads what [Pins.Text] writes. It refuses what it does not
// understand: an unknown or repeated key, a bad checksum, a route without a
// router.
func ParsePins(text []byte) (*Pins, error) {
	if _, err := parseJSON(text); err != nil {
		return nil, fmt.Errorf("pins: %w", err)
	}
	var f pinsFile
	if err := decodeStrict(text, &f); err != nil {
		return nil, fmt.Errorf("pins: %w", err)
	}
	return build(&f)
}

// Text writes the pins with one fact a line, so that a change to them is a
// change of lines.
func (p *Pins) Text() []byte {
	f := &p.file
	var b strings.Builder
	line := func(key string, value any) {
		text, _ := json.Marshal(value) // of plain data: cannot fail
		fmt.Fprintf(&b, "  %q: %s", key, text)
	}
	b.WriteString("{\n")
	for _, head := range []struct {
		key   string
		value any
	}{
		{"format", f.Format}, {"deployment", f.Deployment}, {"reference", f.Reference}, {"catalog", f.Catalog},
		{"burn", f.Burn}, {"integrators", f.Integrators}, {"privacy", f.Privacy},
	} {
		line(head.key, head.value)
		b.WriteString(",\n")
	}
	writeList(&b, "tokens", f.Tokens, ",")
	writeList(&b, "routers", f.Routers, ",")
	writeList(&b, "routes", f.Routes, "")
	b.WriteString("}\n")
	return []byte(b.String())
}

func writeList[T any](b *strings.Builder, key string, list []T, end string) {
	fmt.Fprintf(b, "  %q: [\n", key)
	for i, v := range list {
		text, _ := json.Marshal(v)
		comma := ","
		if i == len(list)-1 {
			comma = ""
		}
		fmt.Fprintf(b, "    %s%s\n", text, comma)
	}
	fmt.Fprintf(b, "  ]%s\n", end)
}

// fileOf writes a catalog down as pins.
func fileOf(c *catalog.Catalog, a Allowances) *pinsFile {
	f := &pinsFile{
		Format: pinsFormat, Deployment: c.Deployment(), Reference: c.Reference(), Catalog: c.Digest(),
		Integrators: pinnedIntegrators{MaxMillionths: swap.MaxRate, Known: []pinnedIntegrator{}},
		Privacy:     map[string]chainID{},
	}
	for _, p := range a.Integrators {
		f.Integrators.Known = append(f.Integrators.Known, pinnedIntegrator{p.ID, p.Rate})
	}
	for _, t := range c.Tokens() {
		f.Tokens = append(f.Tokens, pinnedToken{
			t.At(swap.PlaceID(t.Chain)), t.Address, t.Decimals, t.ApproveReset,
		})
	}
	for _, r := range c.Routes() {
		f.addRoute(r, a.IssuerMax)
	}
	return f
}

func (f *pinsFile) addRoute(r *swap.Route, issuerMax swap.IssuerRate) {
	from, to := r.From(), r.To()
	for _, p := range []swap.Place{r.Src, r.Dst} {
		if p.Private() {
			f.Privacy[p.ID.String()] = p.Network
		}
	}
	if !slices.ContainsFunc(f.Routers, func(have pinnedRouter) bool { return have.From == from }) {
		router := pinnedRouter{From: from, Type: r.Kind, Router: r.Target, Min: r.Limits.Min.Dec(), Max: r.Limits.Max.Dec()}
		if b := r.Burn; b != nil {
			f.Burn = pinnedBurn{b.Gateway, b.Receiver, b.Finality}
			router.IssuerBPS = issuerBPS(b.Published, issuerMax)
		}
		f.Routers = append(f.Routers, router)
	}
	f.Routes = append(f.Routes, pinnedRoute{from, to, r.FeeChain, r.Rate})
}

// issuerBPS is what the issuer may charge: what it publishes, or with an
// allowance anything up to that.
func issuerBPS(published, most swap.IssuerRate) *[2]string {
	if most == 0 {
		return &[2]string{published.String(), published.String()}
	}
	return &[2]string{"0", most.String()}
}
