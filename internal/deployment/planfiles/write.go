package planfiles

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// WriteCaps prints the caps as a file that [Options].Caps can name.
func (f *Files) WriteCaps(out io.Writer) error {
	return f.plan.Settings.Caps.Write(out, f.plan.Lanes)
}

// WriteContracts prints a table of the contracts, in the order of deployment.
func (f *Files) WriteContracts(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHAIN\tCONTRACT\tNAME\tADDRESS")
	for _, c := range f.plan.Contracts {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", c.Network, c.Code.Name, c.Name, c.Address)
	}
	return w.Flush()
}

// UpdateCatalog puts the addresses into the catalog's deployment.toml.
func (f *Files) UpdateCatalog() error {
	if f.opts.Catalog == "" {
		return errors.New("plan: --write needs --catalog: the built-in catalog cannot be changed")
	}
	path := filepath.Join(f.opts.Catalog, "deployment.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if text, err = f.plan.Book.Rewrite(text); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
