package main

import (
	"math"

	"hubquote/internal/command"
	"hubquote/internal/deployment/planfiles"
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
	files                 planfiles.Options
	feeBound              uint
	json, write, showCaps bool
}

func plan(args []string, s command.Std) error {
	var c planSettings
	// It reads no environment: HUBQUOTE_ADMIN is a listening address of serve.
	f := s.FlagsOnly("plan", planHelp)
	f.StringVar(&c.files.Catalog, "catalog", "", "`directory` of the catalog to plan for instead of the built-in one")
	f.BoolVar(&c.json, "json", false, "print every transaction, ready to be signed, as JSON")
	f.BoolVar(&c.write, "write", false, "put the addresses into the catalog's deployment.toml")
	f.BoolVar(&c.showCaps, "print-caps", false, "print the caps as a file for --caps")
	f.IntVar(&c.files.Generation, "generation", 1, "which `number` the deployment has among those that replace one another")
	f.StringVar(&c.files.Before, "before", "", "`directory` of the catalog of the generation before")
	f.StringVar(&c.files.BeforeCaps, "before-caps", "", "`file` with the caps of the generation before")
	required := c.decisions(f)
	err := f.Parse(args)
	if err != nil {
		return err
	}
	// A role that is not given would be an account whose key is public, and a cap
	// a value for tests.
	if c.files.Own, err = f.AllOrNone(required...); err != nil {
		return err
	}
	c.files.Settings.FeeBound = swap.Rate(min(c.feeBound, math.MaxUint32))
	p, err := planfiles.Read(c.files)
	if err != nil {
		return err
	}
	return c.show(s, p)
}

// decisions declares a flag for each decision of an operator, and returns the names
// of those that have no default.
func (c *planSettings) decisions(f *flags.Set) []string {
	d := &c.files.Settings
	r := &d.Roles
	f.TextVar(&r.Admin, "admin", r.Admin, "`account` that sets routes, rates, caps and roles; a timelock")
	f.TextVar(&r.Relayer, "relayer", r.Relayer, "`account` that pays orders")
	f.TextVar(&r.Standby, "standby", r.Standby, "`account` that pays orders when the relayer cannot")
	f.TextVar(&r.Guardian, "guardian", r.Guardian, "`account` that pauses, closes, lowers, and revokes relayers")
	f.TextVar(&r.Treasurer, "treasurer", r.Treasurer, "`account` that moves free liquidity to listed accounts")
	f.TextVar(&r.LastResort, "last-resort", r.LastResort, "`account` that may claim burns whose sender has no address")
	f.DurationVar(&d.AdminDelay, "admin-delay", 0, "how `long` the admin's timelock makes its calls wait")
	f.UintVar(&c.feeBound, "fee-bound", 0, "largest `share` of an order, in millionths, that a pool bears as the fee of others")
	f.StringVar(&c.files.Caps, "caps", "", "`file` with how much may leave each contract in any 24 hours")
	f.DurationVar(&d.Lifetime, "lifetime", 0, "how `long` an order can be paid; 72 hours unless said")
	return []string{"admin", "relayer", "standby", "guardian", "treasurer", "last-resort", "admin-delay", "fee-bound", "caps"}
}

func (c *planSettings) show(s command.Std, p *planfiles.Files) error {
	switch {
	case c.showCaps:
		return p.WriteCaps(s.Out)
	case c.write:
		return p.UpdateCatalog()
	case c.json:
		list, err := p.Transactions()
		if err != nil {
			return err
		}
		return printJSON(s, list)
	default:
		return p.WriteContracts(s.Out)
	}
}
