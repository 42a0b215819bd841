package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"hubquote/internal/deployment"
	"hubquote/internal/flags"
)

const planHelp = `hubquote plan lists every contract that a catalog needs, with the address it has
when it is deployed through 0x4e59b44847b379578588920cA78FbF26c0B4956C. It needs
no chain: the addresses follow from the bytecode, the catalog and the roles.

Without roles it plans the reference deployment, whose keys are public. Give all
four of them for your own.

  hubquote plan --catalog my-catalog --json --admin 0x… --relayer 0x… \
    --pauser 0x… --last-resort 0x…`

func plan(args []string, s std) error {
	opts := deployment.Options{Roles: deployment.Reference()}
	// It reads no environment: HUBQUOTE_ADMIN is a listening address of serve.
	f := std{out: s.out}.flags("plan", planHelp)
	dir := f.String("catalog", "", "`directory` of the catalog to plan for instead of the built-in one")
	roles := roleFlags(f, &opts.Roles)
	f.Uint64Var(&opts.DailyOrders, "daily-orders", 400, "how `many` of the largest orders a pool may pay in 24 hours")
	asJSON := f.Bool("json", false, "print every transaction, ready to be signed, as JSON")
	write := f.Bool("write", false, "put the addresses into the catalog's deployment.toml")
	if err := f.Parse(args); err != nil {
		return err
	}
	if err := allOrNone(f, roles); err != nil {
		return err
	}
	if *write && *dir == "" {
		return errors.New("plan: --write needs --catalog: the built-in catalog cannot be changed")
	}
	cat, err := loadCatalog(*dir)
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	opts.Catalog = cat
	p, err := deployment.New(opts)
	switch {
	case err != nil:
		return err
	case *write:
		return rewrite(p, filepath.Join(*dir, "deployment.toml"))
	case *asJSON:
		return printJSON(s, p.Transactions())
	default:
		return showContracts(s.out, p)
	}
}

// roleFlags declares a flag for each role and returns their names.
func roleFlags(f *flags.Set, r *deployment.Roles) []string {
	f.TextVar(&r.Admin, "admin", r.Admin, "`account` that sets routes and limits and moves liquidity")
	f.TextVar(&r.Relayer, "relayer", r.Relayer, "`account` that pays orders")
	f.TextVar(&r.Pauser, "pauser", r.Pauser, "`account` that can stop everything but claims")
	f.TextVar(&r.LastResort, "last-resort", r.LastResort, "`account` that may claim burns whose sender has no address")
	return []string{"admin", "relayer", "pauser", "last-resort"}
}

// allOrNone refuses a deployment of one's own in which a role that was forgotten
// would be an account whose key is public.
func allOrNone(f *flags.Set, roles []string) error {
	given := 0
	for _, name := range roles {
		if f.Given(name) {
			given++
		}
	}
	if given != 0 && given != len(roles) {
		return fmt.Errorf("plan: give all of --%s, or none", strings.Join(roles, ", --"))
	}
	return nil
}

func rewrite(p *deployment.Plan, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if text, err = p.Rewrite(text); err != nil {
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
