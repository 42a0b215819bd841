package planfiles

import (
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/BurntSushi/toml"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/flags/file"
	"hubquote/swap"
)

// decisions are an operator's, under the names of the flags of hubquote plan.
type decisions struct {
	Admin      swap.Address `toml:"admin"`
	Relayer    swap.Address `toml:"relayer"`
	Standby    swap.Address `toml:"standby"`
	Guardian   swap.Address `toml:"guardian"`
	Treasurer  swap.Address `toml:"treasurer"`
	LastResort swap.Address `toml:"last-resort"`
	AdminDelay duration     `toml:"admin-delay"`
	Lifetime   duration     `toml:"lifetime"`
	FeeBound   uint         `toml:"fee-bound"`
	Caps       string       `toml:"caps"` // a file, beside this one unless its path is absolute
}

// A duration is written as Go writes it.
type duration time.Duration

// UnmarshalText reads a duration such as 48h.
func (d *duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = duration(parsed)
	return err
}

// ReadOperator reads what an operator decided about the deployment of a catalog, to
// compare the chains with. Without a path that is not known.
func ReadOperator(path string, cat *catalog.Catalog) (*operator.Settings, error) {
	if path == "" {
		return nil, nil
	}
	text, err := file.Read(path)
	if err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	var d decisions
	meta, err := toml.Decode(string(text), &d)
	if err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) != 0 {
		return nil, fmt.Errorf("operator: unknown key %s", unknown[0])
	}
	lanes, err := lane.Of(cat)
	if err != nil {
		return nil, err
	}
	s := operator.Settings{
		Roles: operator.Roles{
			Admin: d.Admin, Relayer: d.Relayer, Standby: d.Standby, Guardian: d.Guardian, Treasurer: d.Treasurer, LastResort: d.LastResort,
		},
		AdminDelay: time.Duration(d.AdminDelay), Lifetime: time.Duration(d.Lifetime), FeeBound: swap.Rate(min(d.FeeBound, math.MaxUint32)),
	}
	if s.Caps, err = readCapsBeside(path, d.Caps, lanes); err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	if s, err = s.Complete(lanes); err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	return &s, nil
}

func readCapsBeside(path, name string, lanes []*lane.Lane) (caps.Table, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(path), name)
	}
	return readCaps(name, lanes)
}
