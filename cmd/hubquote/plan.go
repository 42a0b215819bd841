package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"hubquote/internal/deployment"
	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/generation"
	paylane "hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/flags"
	"hubquote/swap"
)

const planHelp = `hubquote plan lists every contract that a catalog needs, with the address it has
when it is deployed through 0x4e59b44847b379578588920cA78FbF26c0B4956C. It needs
no chain: the addresses follow from the bytecode, the catalog and what you decide.

Without decisions it plans the reference deployment, whose keys are public. For
your own, give all of them: nothing that guards money has a default.

  hubquote plan --print-caps > caps.toml      # then write your own figures
  hubquote plan --catalog mine --json --admin 0x… --relayer 0x… --standby 0x… \
    --guardian 0x… --treasurer 0x… --last-resort 0x… \
    --admin-delay 48h --fee-bound 5000 --caps caps.toml

With --generation and --before it plans a deployment that replaces another.`

// planSettings are the flags of plan.
type planSettings struct {
	dir, before           string
	caps, beforeCaps      string
	feeBound              uint
	json, write, showCaps bool
	options               deployment.Options
	lanes                 []*paylane.Lane
}

func plan(args []string, s std) error {
	var c planSettings
	// It reads no environment: HUBQUOTE_ADMIN is a listening address of serve.
	f := std{out: s.out}.flags("plan", planHelp)
	f.StringVar(&c.dir, "catalog", "", "`directory` of the catalog to plan for instead of the built-in one")
	f.BoolVar(&c.json, "json", false, "print every transaction, ready to be signed, as JSON")
	f.BoolVar(&c.write, "write", false, "put the addresses into the catalog's deployment.toml")
	f.BoolVar(&c.showCaps, "print-caps", false, "print the caps as a file for --caps")
	f.IntVar(&c.options.Generation, "generation", 1, "which `number` the deployment has among those that replace one another")
	f.StringVar(&c.before, "before", "", "`directory` of the catalog of the generation before")
	f.StringVar(&c.beforeCaps, "before-caps", "", "`file` with the caps of the generation before")
	own := c.decisions(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	given, err := allOrNone(f, own)
	if err != nil {
		return err
	}
	if err := c.load(given); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	p, err := deployment.New(c.options)
	if err != nil {
		return err
	}
	return c.show(s, p)
}

// decisions declares a flag for each thing that an operator decides, and returns
// the names of those that have no default.
func (c *planSettings) decisions(f *flags.Set) []string {
	d := &c.options.Settings
	r := &d.Roles
	f.TextVar(&r.Admin, "admin", r.Admin, "`account` that sets routes, rates, caps and roles; a timelock")
	f.TextVar(&r.Relayer, "relayer", r.Relayer, "`account` that pays orders")
	f.TextVar(&r.Standby, "standby", r.Standby, "`account` that pays orders when the relayer cannot")
	f.TextVar(&r.Guardian, "guardian", r.Guardian, "`account` that pauses, closes, lowers, and revokes relayers")
	f.TextVar(&r.Treasurer, "treasurer", r.Treasurer, "`account` that moves free liquidity to listed accounts")
	f.TextVar(&r.LastResort, "last-resort", r.LastResort, "`account` that may claim burns whose sender has no address")
	f.DurationVar(&d.AdminDelay, "admin-delay", 0, "how `long` the admin's timelock makes its calls wait")
	f.UintVar(&c.feeBound, "fee-bound", 0, "largest `share` of an order, in millionths, that a pool bears as the fee of others")
	f.StringVar(&c.caps, "caps", "", "`file` with how much may leave each contract in any 24 hours")
	f.DurationVar(&d.Lifetime, "lifetime", 0, "how `long` an order can be paid; 72 hours unless said")
	return []string{"admin", "relayer", "standby", "guardian", "treasurer", "last-resort", "admin-delay", "fee-bound", "caps"}
}

// allOrNone refuses a deployment of one's own in which a role that was forgotten
// would be an account whose key is public, or a cap a figure of a test. It reports
// whether all were given.
func allOrNone(f *flags.Set, names []string) (bool, error) {
	given := 0
	for _, name := range names {
		if f.Given(name) {
			given++
		}
	}
	if given != 0 && given != len(names) {
		return false, fmt.Errorf("plan: give all of --%s, or none", strings.Join(names, ", --"))
	}
	return given != 0, nil
}

// load reads the catalogs and the caps.
func (c *planSettings) load(own bool) (err error) {
	if c.write && c.dir == "" {
		return errors.New("--write needs --catalog: the built-in catalog cannot be changed")
	}
	o := &c.options
	if o.Catalog, err = loadCatalog(c.dir); err != nil {
		return err
	}
	if c.before != "" {
		if o.Before, err = loadCatalog(c.before); err != nil {
			return err
		}
	}
	if c.lanes, err = paylane.Of(o.Catalog); err != nil {
		return err
	}
	if !own {
		lifetime := o.Settings.Lifetime
		o.Settings = operator.Reference(c.lanes)
		o.Settings.Lifetime = lifetime
		return nil
	}
	o.Settings.FeeBound = swap.Rate(min(c.feeBound, math.MaxUint32))
	o.Settings.Caps, err = readCaps(c.caps, c.lanes)
	return err
}

func readCaps(path string, of []*paylane.Lane) (caps.Table, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return caps.Parse(string(text), of)
}

func (c *planSettings) show(s std, p *deployment.Plan) error {
	switch {
	case c.showCaps:
		return p.Settings.Caps.Write(s.out, c.lanes)
	case c.write:
		return rewrite(p, filepath.Join(c.dir, "deployment.toml"))
	case c.json:
		after, err := c.replaced(p)
		if err != nil {
			return fmt.Errorf("plan: %w", err)
		}
		return printJSON(s, p.Transactions(after...))
	default:
		return showContracts(s.out, p)
	}
}

// replaced returns the calls for the generation before, if there is one.
func (c *planSettings) replaced(p *deployment.Plan) ([]deployment.Call, error) {
	before := c.options.Before
	if before == nil {
		return nil, nil
	}
	old, err := paylane.Of(before)
	if err != nil {
		return nil, err
	}
	table := caps.Reference(old)
	switch {
	case c.beforeCaps != "":
		if table, err = readCaps(c.beforeCaps, old); err != nil {
			return nil, err
		}
	case !before.Reference():
		return nil, errors.New("give --before-caps, the caps of the generation before")
	}
	return generation.Calls(p, before, table)
}

func rewrite(p *deployment.Plan, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if text, err = p.Book.Rewrite(text); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func showContracts(out io.Writer, p *deployment.Plan) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHAIN\tCONTRACT\tNAME\tADDRESS")
	for _, c := range p.Contracts {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", c.Network, c.Code.Name, c.Name, c.Address)
	}
	return w.Flush()
}
