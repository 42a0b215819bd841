package main

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/swap"
)

const planHelp = `devnet plan lists every contract that a catalog needs, with the address it has
when it is deployed through 0x4e59b44847b379578588920cA78FbF26c0B4956C. It needs
no chain: the addresses follow from the bytecode, the catalog and the roles.

Without roles it plans the reference deployment, whose keys are public. Give all
four of them for your own.`

// planSettings are what the planner is asked.
type planSettings struct {
	catalog string
	roles   deployment.Roles
	orders  uint64
	json    bool
	write   bool
}

func printPlan(args []string, s std) error {
	c := planSettings{roles: deployment.Reference()}
	f := newFlags("plan", planHelp, s)
	f.StringVar(&c.catalog, "catalog", "internal/catalog/data", "`directory` of the catalog")
	f.TextVar(&c.roles.Admin, "admin", c.roles.Admin, "`account` that sets routes and limits and moves liquidity")
	f.TextVar(&c.roles.Relayer, "relayer", c.roles.Relayer, "`account` that pays orders")
	f.TextVar(&c.roles.Pauser, "pauser", c.roles.Pauser, "`account` that can stop everything but claims")
	f.TextVar(&c.roles.LastResort, "last-resort", c.roles.LastResort, "`account` that may claim burns whose sender has no address")
	f.Uint64Var(&c.orders, "daily-orders", 400, "how `many` of the largest orders a pool may pay in 24 hours")
	f.BoolVar(&c.json, "json", false, "print every transaction, ready to be signed, as JSON")
	f.BoolVar(&c.write, "write", false, "put the addresses into the catalog's deployment.toml")
	if err := parse(f, args); err != nil {
		return err
	}
	if err := allRolesOrNone(f); err != nil {
		return err
	}
	return c.run(s.out)
}

// allRolesOrNone refuses a deployment of one's own in which a role that was
// forgotten would be an account whose key everybody knows.
func allRolesOrNone(f *flag.FlagSet) error {
	var given int
	f.Visit(func(fl *flag.Flag) {
		if slices.Contains(roleFlags, fl.Name) {
			given++
		}
	})
	if given != 0 && given != len(roleFlags) {
		return fmt.Errorf("plan: give all of --%s, or none", strings.Join(roleFlags, ", --"))
	}
	return nil
}

var roleFlags = []string{"admin", "relayer", "pauser", "last-resort"}

func (c *planSettings) run(out io.Writer) error {
	cat, err := catalog.Load(os.DirFS(c.catalog))
	if err != nil {
		return fmt.Errorf("plan: %s: %w", c.catalog, err)
	}
	p, err := deployment.New(deployment.Options{Catalog: cat, Roles: c.roles, DailyOrders: c.orders})
	switch {
	case err != nil:
		return err
	case c.write:
		return rewrite(p, filepath.Join(c.catalog, "deployment.toml"))
	case c.json:
		return writeTransactions(out, p, c.roles.Admin)
	default:
		return writeContracts(out, p)
	}
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

func writeContracts(out io.Writer, p *deployment.Plan) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHAIN\tCONTRACT\tNAME\tADDRESS")
	for _, c := range p.Contracts {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", c.Network, c.Code.Name, c.Name, c.Address)
	}
	return w.Flush()
}

// A transaction is one step of a deployment, for any wallet to sign.
type transaction struct {
	ChainID swap.ChainID  `json:"chainId"`
	From    *swap.Address `json:"from,omitempty"` // absent when anybody may send it
	To      swap.Address  `json:"to"`
	Data    string        `json:"data"`
	Says    string        `json:"says"`
}

func writeTransactions(out io.Writer, p *deployment.Plan, admin swap.Address) error {
	var list []transaction
	for _, c := range p.Contracts {
		list = append(list, transaction{
			ChainID: c.Network, To: swap.Address(deployment.Deployer), Data: "0x" + hex.EncodeToString(c.Transaction()),
			Says: fmt.Sprintf("deploy %s %s at %s", c.Code.Name, c.Name, c.Address),
		})
	}
	for _, c := range p.Calls {
		list = append(list, transaction{
			ChainID: c.Network, From: &admin, To: c.To, Data: "0x" + hex.EncodeToString(c.Data), Says: c.Says,
		})
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
