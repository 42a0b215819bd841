// Package pinfile is the file that quotes are checked against: its format, and
// how a catalog is written in it.
package pinfile

import (
	"encoding/json"
	"fmt"
	"strings"

	"hubquote/internal/strictjson"
	"hubquote/swap"
)

// Format is the only version of the file there is.
const Format = "hubquote-pins/1"

// A File is the file as it is written. A token is named symbol@place throughout,
// so that a reviewer reads a line without looking anything up.
type File struct {
	Format      string                  `json:"format"`
	Deployment  string                  `json:"deployment"`
	Reference   bool                    `json:"reference"` // real on a devnet only
	Catalog     string                  `json:"catalog"`
	Burn        Burn                    `json:"burn"`
	Integrators Integrators             `json:"integrators"`
	Privacy     map[string]swap.ChainID `json:"privacy"` // the network under each virtual ID
	Tokens      []Token                 `json:"tokens"`
	Routers     []Router                `json:"routers"`
	Routes      []Route                 `json:"routes"`
}

// A Burn is what the issuer's messenger must be told, for all burns.
type Burn struct {
	Domain   swap.Domain  `json:"domain"`
	Receiver swap.Address `json:"receiver"`
	Finality uint32       `json:"finality"`
}

// Integrators are the partners: the most that any of them may take, and those
// whose rate is known.
type Integrators struct {
	MaxMillionths swap.Rate    `json:"maxMillionths"`
	Known         []Integrator `json:"known"`
}

// An Integrator is a partner whose rate is known.
type Integrator struct {
	ID         swap.IntegratorID
	Millionths swap.Rate
}

// A Token is a token on its network.
type Token struct {
	Token        swap.Coin    `json:"token"`
	Address      swap.Address `json:"address"`
	Decimals     uint8        `json:"decimals"`
	ApproveReset bool         `json:"approveReset,omitempty"`
}

// A Router is the contract for one source chain and token; the limits are
// in the token's smallest units.
type Router struct {
	From      swap.Coin      `json:"from"`
	Type      swap.RouteKind `json:"type"`
	Router    swap.Address   `json:"router"`
	Min       string         `json:"min"`
	Max       string         `json:"max"`
	IssuerBPS *[2]string     `json:"issuerBps,omitempty"` // from, to; for burns
}

// A Route is a pair that is served, and what it costs.
type Route struct {
	From       swap.Coin    `json:"from"`
	To         swap.Coin    `json:"to"`
	FeeChain   swap.ChainID `json:"feeChain"`
	Millionths swap.Rate    `json:"millionths"`
}

// MarshalJSON writes the ID as an answer does.
func (p Integrator) MarshalJSON() ([]byte, error) {
	return json.Marshal(integratorText{p.ID.String(), p.Millionths})
}

// UnmarshalJSON reads either spelling of an ID.
func (p *Integrator) UnmarshalJSON(text []byte) (err error) {
	var t integratorText
	if err := json.Unmarshal(text, &t); err != nil {
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

// Parse reads what [File.Text] writes. It refuses an unknown, missing or repeated
// key, an address in another spelling than EIP-55, and another format.
func Parse(text []byte) (*File, error) {
	v, err := strictjson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("pins: %w", err)
	}
	if format := v.Find("format"); format == nil || format.Kind != strictjson.String || format.Text != Format {
		return nil, fmt.Errorf("pins: the format is not %s: write the file with hubquote pins of the same version", Format)
	}
	if err := fileShape.check(v); err != nil {
		return nil, fmt.Errorf("pins: %w", err)
	}
	var f File
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("pins: %w", err)
	}
	return &f, nil
}

// Text writes the file with one fact in each line, so that a changed fact is a
// changed line.
func (f *File) Text() []byte {
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
