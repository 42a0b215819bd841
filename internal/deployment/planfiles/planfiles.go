// Package planfiles makes a plan from the files that an operator keeps, a catalog
// and a file of caps, and writes the plan back to them or to a reader.
package planfiles

import (
	"errors"
	"fmt"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/generation"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/flags/file"
)

// Options name the files. The zero value plans the reference deployment from the
// built-in catalog.
type Options struct {
	// Catalog is a directory. Empty means the built-in catalog.
	Catalog string

	// Before is the directory of the catalog of the generation before. Empty
	// means that there is none.
	Before string

	// Generation counts the deployments that replace one another. Zero means
	// the first.
	Generation int

	// Own is set for the operator's settings and caps. Otherwise they are those
	// of the reference deployment, except for the lifetime.
	Own      bool
	Settings operator.Settings
	Caps     string

	// BeforeCaps is a file. It is required for the transactions that replace a
	// deployment other than the reference deployment.
	BeforeCaps string
}

// Files are a plan with the files that it was made from.
type Files struct {
	opts   Options
	before *catalog.Catalog
	plan   *deployment.Plan
}

// Read reads the files and makes the plan.
func Read(opts Options) (*Files, error) {
	f := &Files{opts: opts}
	cat, err := catalog.Open(opts.Catalog)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	if opts.Before != "" {
		if f.before, err = catalog.Open(opts.Before); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
	}
	settings, err := opts.settings(cat)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	f.plan, err = deployment.New(deployment.Options{
		Catalog: cat, Settings: settings, Generation: opts.Generation, Before: f.before,
	})
	return f, err
}

func (o *Options) settings(cat *catalog.Catalog) (operator.Settings, error) {
	lanes, err := lane.Of(cat)
	if err != nil {
		return operator.Settings{}, err
	}
	s := o.Settings
	if !o.Own {
		s = operator.Reference(lanes)
		s.Lifetime = o.Settings.Lifetime
		return s, nil
	}
	s.Caps, err = readCaps(o.Caps, lanes)
	return s, err
}

func readCaps(path string, lanes []*lane.Lane) (caps.Table, error) {
	text, err := file.Read(path)
	if err != nil {
		return nil, err
	}
	return caps.Parse(string(text), lanes)
}

// Transactions returns everything to sign, in order: the deployment, and the calls
// that replace the generation before.
func (f *Files) Transactions() ([]deployment.Transaction, error) {
	if f.before == nil {
		return f.plan.Transactions(), nil
	}
	old, err := f.oldCaps()
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	after, err := generation.Calls(f.plan, f.before, old)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	return f.plan.Transactions(after...), nil
}

func (f *Files) oldCaps() (caps.Table, error) {
	lanes, err := lane.Of(f.before)
	switch {
	case err != nil:
		return nil, err
	case f.opts.BeforeCaps != "":
		return readCaps(f.opts.BeforeCaps, lanes)
	case !f.before.Reference():
		return nil, errors.New("give --before-caps, the caps of the generation before")
	}
	return caps.Reference(lanes), nil
}
