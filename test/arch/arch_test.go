package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed is the table of imports between our packages. Imports go down, never
// sideways, never up; a package that is not listed here may not exist.
var allowed = map[string][]string{
	// The vocabulary, and packages of files only.
	"swap":      {"internal/point"},
	"docs":      {},
	"web":       {},
	"contracts": {},

	// Facts and computations, without a network.
	"internal/catalog/tables": {"swap"},
	"internal/catalog/places": {"internal/catalog/tables", "swap"},
	"internal/catalog":        {"internal/catalog/places", "internal/catalog/tables", "swap"},
	"internal/fee":            {"swap"},
	"internal/point":          {},
	"internal/shield":         {"internal/point", "swap"},
	"internal/abi":            {"swap"},
	"internal/calldata":       {"internal/abi", "swap"},
	"internal/deposit":        {"internal/calldata", "swap"},
	"internal/upstream":       {},
	"internal/metrics":        {},

	"internal/strictjson": {},
	"internal/pinfile":    {"internal/catalog", "internal/strictjson", "swap"},
	"internal/pinned":     {"internal/pinfile", "swap"},

	// Packages that use them.
	"internal/quoter":          {"internal/calldata", "internal/catalog", "internal/deposit", "internal/fee", "internal/shield", "swap"},
	"internal/wire/decoded":    {"internal/calldata", "swap"},
	"internal/wire":            {"internal/wire/decoded", "swap"},
	"internal/wire/printer":    {"internal/wire", "swap"},
	"internal/wire/tracking":   {"internal/strictjson", "swap"},
	"internal/spans":           {"internal/abi", "internal/calldata", "swap"},
	"internal/quorum/node":     {"internal/upstream", "swap"},
	"internal/quorum/heads":    {},
	"internal/quorum/endpoint": {"internal/quorum/node", "internal/upstream", "swap"},
	"internal/quorum/poll":     {"internal/quorum/endpoint", "internal/quorum/heads", "internal/quorum/node", "internal/upstream"},
	"internal/quorum":          {"internal/quorum/endpoint", "internal/quorum/node", "internal/quorum/poll", "internal/upstream", "swap"},
	"internal/integrator":      {"internal/abi", "internal/quorum", "internal/quorum/node", "internal/upstream", "swap"},
	"internal/issuer":          {"internal/upstream", "swap"},
	"internal/pools/atlas": {
		"internal/catalog", "internal/contract", "internal/deployment/addresses", "internal/deployment/caps", "internal/deployment/lane",
		"internal/deployment/operator", "internal/deployment/third", "internal/fee", "swap",
	},
	"internal/pools/lens":      {"internal/contract", "internal/pools/atlas", "internal/quorum", "internal/quorum/node", "internal/upstream"},
	"internal/pools/messenger": {"internal/abi", "internal/quorum", "internal/quorum/node", "internal/upstream", "swap"},
	"internal/pools/drift":     {"internal/contract", "internal/pools/atlas", "internal/pools/lens", "swap"},
	"internal/pools/proxy":     {"internal/abi", "internal/pools/atlas", "internal/quorum", "internal/quorum/node", "internal/upstream", "swap"},
	"internal/pools/backlog":   {"internal/upstream", "swap"},
	"internal/pools/level":     {"swap"},
	"internal/pools/purse":     {"internal/contract", "internal/fee", "internal/pools/atlas", "swap"},
	"internal/pools/verdict": {
		"internal/contract", "internal/fee", "internal/pools/atlas", "internal/pools/drift", "internal/pools/lens", "internal/pools/purse", "swap",
	},
	"internal/pools": {
		"internal/catalog", "internal/contract", "internal/deployment/operator", "internal/fee", "internal/pools/atlas", "internal/pools/backlog",
		"internal/pools/drift", "internal/pools/lens", "internal/pools/level", "internal/pools/messenger", "internal/pools/proxy",
		"internal/pools/verdict", "internal/quorum", "internal/upstream", "swap",
	},
	"internal/source":             {},
	"internal/ratelimit/breakers": {"internal/upstream"},
	"internal/ratelimit":          {"internal/ratelimit/breakers", "internal/upstream"},
	"internal/ratelimit/batch":    {},
	"internal/ratelimit/budget":   {"internal/flags/file", "internal/ratelimit"},
	"internal/ratelimit/memory":   {"internal/ratelimit"},
	"internal/ratelimit/redis":    {"internal/ratelimit", "internal/ratelimit/batch", "internal/upstream"},

	// The server's side, and the client's.
	"internal/problem":       {"swap"},
	"internal/api/document":  {},
	"internal/api/query":     {"swap"},
	"internal/api/handler":   {"internal/api/document", "internal/metrics", "internal/problem", "swap"},
	"internal/api/symbols":   {"internal/api/document", "internal/api/handler", "internal/catalog"},
	"internal/api/lists":     {"internal/api/document", "internal/api/query", "internal/api/symbols", "internal/catalog", "internal/problem", "internal/wire", "swap"},
	"internal/api/discovery": {"docs", "internal/api/document", "internal/api/handler", "web"},
	"internal/api/pages":     {"docs", "internal/api/document", "internal/api/handler", "internal/catalog", "swap", "web"},
	"internal/api/dialect": {
		"internal/api/document", "internal/api/query", "internal/catalog", "internal/metrics", "internal/wire", "internal/wire/printer", "swap",
	},
	"internal/api": {
		"docs", "internal/api/dialect", "internal/api/discovery", "internal/api/document", "internal/api/handler", "internal/api/lists",
		"internal/api/pages", "internal/api/status", "internal/api/symbols", "internal/catalog", "internal/metrics", "internal/ratelimit", "internal/source", "swap",
	},
	"internal/api/status": {"internal/api/document", "internal/api/query", "internal/catalog", "internal/ratelimit", "internal/wire/tracking", "swap"},
	"internal/judge": {
		"internal/abi", "internal/calldata", "internal/deposit", "internal/fee", "internal/pinned", "internal/shield", "internal/spans",
		"internal/strictjson", "internal/wire", "swap",
	},
	"client": {
		"internal/catalog", "internal/judge", "internal/pinfile", "internal/pinned", "internal/problem", "internal/prove",
		"internal/wire/tracking", "swap",
	},

	// The service put together.
	"internal/listen": {"internal/conn"},
	"internal/health": {
		"internal/api", "internal/catalog", "internal/integrator", "internal/issuer", "internal/metrics", "internal/pools", "internal/pools/drift",
		"internal/pools/proxy", "internal/quorum", "internal/ratelimit", "internal/tracker", "internal/upstream", "swap",
	},
	"internal/service": {
		"internal/api", "internal/catalog", "internal/deployment/lane", "internal/deployment/operator", "internal/health", "internal/integrator",
		"internal/issuer", "internal/listen", "internal/metrics", "internal/pinfile", "internal/pools", "internal/pools/backlog",
		"internal/pools/drift", "internal/quorum", "internal/quoter", "internal/ratelimit", "internal/ratelimit/budget",
		"internal/ratelimit/memory", "internal/ratelimit/redis", "internal/tracker", "internal/upstream", "swap",
	},

	// The command line.
	"internal/flags":      {"internal/flags/file"},
	"internal/flags/file": {},
	"internal/endpoints":  {"internal/flags", "internal/upstream", "swap"},
	"internal/term":       {},
	"internal/ask":        {"client", "internal/catalog", "internal/flags", "internal/issuer", "internal/quoter", "internal/wire", "swap"},
	"internal/agent": {
		"client", "internal/ask", "internal/catalog", "internal/show", "internal/spans", "internal/wire", "internal/wire/decoded", "swap",
	},
	"internal/show": {"client", "internal/calldata", "internal/catalog", "internal/term", "internal/wire/decoded", "swap"},
	"cmd/hubquote": {
		"client", "internal/agent", "internal/api", "internal/ask", "internal/catalog", "internal/command", "internal/deployment/planfiles",
		"internal/endpoints", "internal/flags", "internal/follow", "internal/listen", "internal/logqueue", "internal/pinfile", "internal/pools/drift", "internal/process",
		"internal/quorum", "internal/ratelimit", "internal/ratelimit/budget", "internal/service", "internal/show", "internal/spans",
		"internal/upstream", "internal/wire", "internal/wire/decoded", "swap",
	},

	// What is deployed, and where.
	"internal/contract":             {"contracts"},
	"internal/deployment/third":     {"internal/catalog", "swap"},
	"internal/deployment/lane":      {"internal/catalog", "internal/deployment/third", "swap"},
	"internal/deployment/addresses": {"internal/catalog", "internal/deployment/lane", "swap"},
	"internal/deployment/caps":      {"internal/deployment/lane", "swap"},
	"internal/deployment/operator":  {"internal/deployment/caps", "internal/deployment/lane", "swap"},
	"internal/deployment/creation": {
		"internal/catalog", "internal/contract", "internal/deployment/addresses", "internal/deployment/lane", "internal/deployment/operator",
		"internal/deployment/third", "swap",
	},
	"internal/deployment": {
		"internal/catalog", "internal/contract", "internal/deployment/addresses", "internal/deployment/creation", "internal/deployment/lane",
		"internal/deployment/operator", "internal/deployment/third", "swap",
	},
	"internal/deployment/generation": {
		"internal/catalog", "internal/contract", "internal/deployment", "internal/deployment/addresses", "internal/deployment/caps",
		"internal/deployment/lane", "internal/deployment/third", "swap",
	},
	"internal/deployment/planfiles": {
		"internal/catalog", "internal/deployment", "internal/deployment/caps", "internal/deployment/generation", "internal/deployment/lane",
		"internal/deployment/operator", "internal/flags/file", "swap",
	},

	// The settlement backend; the quote service imports none of it.
	"internal/settle/order":          {"swap"},
	"internal/settle/world":          {"internal/settle/order", "swap"},
	"internal/settle/policy/rules":   {"internal/settle/order", "swap"},
	"internal/settle/policy/step":    {"internal/settle/order", "internal/settle/world", "swap"},
	"internal/settle/policy/payment": {"internal/settle/order", "internal/settle/policy/rules", "internal/settle/policy/step", "internal/settle/world"},
	"internal/settle/policy/lane":    {"internal/settle/order", "internal/settle/policy/step", "internal/settle/world", "swap"},
	"internal/settle/policy/burn":    {"internal/settle/order", "internal/settle/world"},
	"internal/settle/journal":        {"internal/settle/order", "swap"},
	"internal/settle/journal/table":  {"swap"},
	"internal/settle/journal/view":   {"internal/settle/journal", "internal/settle/journal/table", "internal/settle/order", "swap"},
	"internal/settle/journal/book": {
		"internal/settle/journal", "internal/settle/journal/table", "internal/settle/journal/view", "internal/settle/order", "swap",
	},
	"internal/settle/journal/sqlite": {
		"internal/settle/journal", "internal/settle/journal/book", "internal/settle/journal/table", "internal/settle/journal/view",
	},
	"internal/settle/journal/postgres": {
		"internal/settle/journal", "internal/settle/journal/book", "internal/settle/journal/table", "internal/settle/journal/view",
	},
	"internal/settle/sign":          {"internal/settle/order", "swap"},
	"internal/settle/sign/keystore": {"internal/settle/sign", "swap"},
	"internal/settle/sign/remote":   {"internal/settle/sign", "swap"},
	"internal/settle/pace":          {},
	"internal/settle/send/peers":    {"internal/quorum/node", "internal/settle/order", "internal/upstream", "swap"},
	"internal/settle/send/purse":    {"internal/settle/pace", "internal/settle/policy/lane", "internal/settle/send/peers", "swap"},
	"internal/settle/send/outbox":   {"internal/settle/journal", "internal/settle/send/peers", "internal/settle/sign", "swap"},
	"internal/settle/send/nonces":   {"internal/settle/journal", "internal/settle/order", "internal/settle/send/peers", "swap"},
	"internal/settle/send": {
		"internal/quorum/node", "internal/settle/journal", "internal/settle/order", "internal/settle/pace", "internal/settle/policy/lane", "internal/settle/send/nonces",
		"internal/settle/send/outbox", "internal/settle/send/peers", "internal/settle/send/purse", "internal/settle/sign", "swap",
	},
	"internal/settle/roster": {
		"internal/contract", "internal/deployment", "internal/deployment/creation", "internal/deployment/lane", "internal/settle/order", "swap",
	},
	"internal/settle/watch/peer": {"internal/quorum/node", "internal/settle/order", "internal/upstream"},
	"internal/settle/watch/vote": {"internal/settle/order", "internal/settle/watch/peer"},
	"internal/settle/watch/event": {
		"internal/contract", "internal/fee", "internal/settle/journal", "internal/settle/order", "internal/settle/roster", "swap",
	},
	"internal/settle/watch/record": {"internal/settle/journal", "internal/settle/order", "internal/settle/watch/event"},
	"internal/settle/watch/state": {
		"internal/contract", "internal/quorum", "internal/quorum/node", "internal/settle/journal", "internal/settle/order",
		"internal/settle/roster", "internal/settle/world", "internal/upstream", "swap",
	},
	"internal/settle/watch/scan": {
		"internal/quorum/node", "internal/settle/journal", "internal/settle/order", "internal/settle/watch/event", "internal/settle/watch/peer",
		"internal/settle/watch/record", "internal/upstream",
	},
	"internal/settle/watch/judge": {
		"internal/settle/journal", "internal/settle/order", "internal/settle/watch/event", "internal/settle/watch/peer",
		"internal/settle/watch/record", "internal/settle/watch/vote",
	},
	"internal/settle/watch/census": {
		"internal/quorum", "internal/quorum/node", "internal/settle/journal", "internal/settle/order", "internal/settle/roster",
		"internal/settle/watch/record", "internal/settle/watch/state",
	},
	"internal/settle/watch/head": {
		"internal/settle/journal", "internal/settle/order", "internal/settle/watch/peer", "internal/settle/watch/scan",
		"internal/settle/watch/vote", "swap",
	},
	"internal/settle/watch/final": {
		"internal/settle/journal", "internal/settle/order", "internal/settle/policy/step", "internal/settle/watch/head",
		"internal/settle/watch/judge", "internal/settle/watch/peer", "internal/settle/watch/record", "internal/settle/watch/scan",
		"internal/settle/watch/vote", "swap",
	},
	"internal/settle/watch/follow": {
		"internal/quorum", "internal/settle/journal", "internal/settle/order", "internal/settle/roster", "internal/settle/watch/census",
		"internal/settle/watch/event", "internal/settle/watch/final", "internal/settle/watch/head", "internal/settle/watch/judge",
		"internal/settle/watch/peer", "internal/settle/watch/record", "internal/settle/watch/scan", "internal/settle/watch/vote", "swap",
	},
	"internal/settle/watch": {
		"internal/quorum", "internal/quorum/node", "internal/settle/journal", "internal/settle/order", "internal/settle/pace", "internal/settle/roster",
		"internal/settle/watch/follow", "internal/settle/watch/peer", "internal/settle/watch/state", "internal/settle/world", "swap",
	},
	"internal/settle/policy": {
		"internal/settle/order", "internal/settle/policy/payment", "internal/settle/policy/rules", "internal/settle/policy/step",
		"internal/settle/world",
	},
	"internal/settle/alert":  {"internal/settle/order", "internal/settle/policy/step", "swap"},
	"internal/settle/attest": {"internal/settle/message", "internal/settle/order", "internal/upstream", "swap"},
	"internal/settle/budget": {"internal/settle/journal", "internal/settle/order", "internal/settle/world", "swap"},
	"internal/settle/burns": {
		"internal/quorum/node", "internal/settle/attest", "internal/settle/burns/ask", "internal/settle/burns/chain",
		"internal/settle/burns/deliver", "internal/settle/burns/row", "internal/settle/burns/source", "internal/settle/burns/terms",
		"internal/settle/journal", "internal/settle/order", "internal/settle/pace", "internal/settle/policy/burn", "internal/settle/world", "swap",
	},
	"internal/settle/burns/ask": {
		"internal/settle/attest", "internal/settle/burns/row", "internal/settle/journal", "internal/settle/order", "internal/settle/policy/burn",
		"internal/settle/world", "swap",
	},
	"internal/settle/burns/chain": {"internal/quorum/node", "internal/settle/order", "internal/upstream", "swap"},
	"internal/settle/burns/deliver": {
		"internal/contract", "internal/settle/burns/chain", "internal/settle/burns/mint", "internal/settle/burns/row", "internal/settle/journal",
		"internal/settle/order", "internal/settle/policy/burn", "internal/settle/world", "swap",
	},
	"internal/settle/burns/mint": {
		"internal/contract", "internal/settle/burns/chain", "internal/settle/burns/terms", "internal/settle/message", "internal/settle/order",
		"swap",
	},
	"internal/settle/burns/row": {
		"internal/settle/burns/terms", "internal/settle/journal", "internal/settle/message", "internal/settle/order",
		"internal/settle/policy/burn", "swap",
	},
	"internal/settle/burns/scan": {
		"internal/contract", "internal/settle/burns/chain", "internal/settle/burns/terms", "internal/settle/journal", "internal/settle/message",
		"internal/settle/order", "internal/settle/policy/burn", "swap",
	},
	"internal/settle/burns/source": {
		"internal/quorum/node", "internal/settle/burns/chain", "internal/settle/burns/row", "internal/settle/burns/scan",
		"internal/settle/burns/terms", "internal/settle/journal", "internal/settle/order", "internal/settle/pace", "internal/upstream",
	},
	"internal/settle/burns/terms": {
		"internal/calldata", "internal/deployment", "internal/deployment/lane", "internal/deployment/third", "internal/fee",
		"internal/settle/message", "internal/settle/order", "internal/settle/policy/burn", "swap",
	},
	"internal/settle/call": {
		"internal/contract", "internal/deployment/third", "internal/settle/order", "internal/settle/policy/lane", "internal/settle/roster",
		"internal/settle/sign", "swap",
	},
	"internal/settle/dispatch": {
		"internal/settle/journal", "internal/settle/order", "internal/settle/policy/lane", "internal/settle/send", "internal/settle/world", "swap",
	},
	"internal/settle/evidence": {"internal/settle/journal", "internal/settle/order", "internal/settle/policy/burn"},
	"internal/settle/finish":   {"internal/settle/journal", "internal/settle/order", "internal/settle/watch", "swap"},
	"internal/settle/message":  {"swap"},
	"internal/settle/track": {
		"internal/catalog", "internal/deployment/third", "internal/settle/journal", "internal/settle/order", "internal/settle/track/status",
		"internal/wire/tracking", "swap",
	},
	"internal/settle/track/look": {"internal/quorum/node", "internal/record", "swap"},
	"internal/settle/track/status": {
		"internal/record", "internal/settle/journal", "internal/settle/message", "internal/settle/order", "internal/settle/policy/burn", "swap",
	},
	"internal/settle/wish": {"internal/settle/order", "internal/settle/policy/step", "swap"},
	"internal/settle/writer": {
		"internal/contract", "internal/settle/alert", "internal/settle/budget", "internal/settle/call", "internal/settle/dispatch",
		"internal/settle/evidence", "internal/settle/finish", "internal/settle/journal", "internal/settle/order", "internal/settle/policy",
		"internal/settle/policy/lane", "internal/settle/policy/rules", "internal/settle/policy/step", "internal/settle/roster",
		"internal/settle/send", "internal/settle/watch", "internal/settle/watch/event", "internal/settle/wish", "internal/settle/world", "swap",
	},
	"internal/record": {"internal/abi", "swap"},
	"cmd/settler": {
		"internal/catalog", "internal/command", "internal/endpoints", "internal/flags", "internal/logqueue", "internal/process", "internal/settle/burns",
		"internal/settle/journal", "internal/settle/order", "internal/settle/sign", "internal/settle/sign/keystore", "internal/settle/sign/remote",
		"internal/settle/wish", "internal/settler", "internal/upstream", "swap",
	},
	"internal/settler": {
		"internal/catalog", "internal/deployment", "internal/listen", "internal/metrics", "internal/quorum/node", "internal/settle/alert",
		"internal/settle/attest", "internal/settle/budget", "internal/settle/burns", "internal/settle/call", "internal/settle/journal",
		"internal/settle/journal/postgres", "internal/settle/journal/sqlite", "internal/settle/policy/rules", "internal/settle/roster",
		"internal/settle/sign", "internal/settle/track", "internal/settle/track/look", "internal/settler/gauge", "internal/settler/network",
		"internal/settler/probe", "internal/settler/term", "internal/upstream", "swap",
	},
	"internal/settler/network": {"internal/quorum", "internal/quorum/node", "internal/settle/pace", "internal/upstream", "swap"},
	"internal/settler/term": {
		"internal/contract", "internal/deployment", "internal/settle/alert", "internal/settle/attest", "internal/settle/budget",
		"internal/settle/burns", "internal/settle/burns/terms", "internal/settle/call", "internal/settle/dispatch", "internal/settle/journal",
		"internal/settle/order", "internal/settle/pace", "internal/settle/policy/burn", "internal/settle/policy/lane", "internal/settle/policy/rules",
		"internal/settle/roster", "internal/settle/send", "internal/settle/sign", "internal/settle/watch", "internal/settle/world",
		"internal/settle/writer", "internal/settler/network", "swap",
	},
	"internal/settler/gauge": {
		"internal/metrics", "internal/settle/alert", "internal/settle/journal", "internal/settle/order", "internal/settle/policy/burn",
		"internal/settle/policy/step", "internal/settle/watch", "internal/settler/term", "swap",
	},
	"internal/settler/probe": {
		"internal/contract", "internal/quorum/node", "internal/settle/order", "internal/settle/roster", "internal/settler/network",
		"internal/upstream", "swap",
	},
	"examples/go":       {"client", "swap"},
	"internal/tracker":  {"internal/upstream", "internal/wire/tracking", "swap"},
	"internal/prove":    {"internal/deployment/third", "internal/record", "internal/settle/message", "swap"},
	"internal/follow":   {"client", "internal/command", "internal/endpoints", "internal/quorum/node", "swap"},
	"internal/conn":     {},
	"internal/logqueue": {},
	"internal/process":  {},
	"internal/command":  {"internal/flags", "internal/term"},
}

// proves is the folder of tests and tools that never ship. Its packages may import
// all others; no package outside may import them.
const proves = "test"

func ships(pkg string) bool { return pkg != proves && !strings.HasPrefix(pkg, proves+"/") }

// owners lists the packages that may import an outside dependency, so that
// replacing one is a change to few folders.
var owners = map[string][]string{
	"github.com/BurntSushi/toml": {
		"internal/catalog", "internal/flags", "internal/deployment/caps", "internal/deployment/planfiles", "internal/ratelimit/budget",
	},
	"filippo.io/edwards25519": {"swap", "internal/point", "internal/shield"},
	"github.com/iden3/":       {"internal/shield"},
	"github.com/redis/":       {"internal/ratelimit/redis"},
	"github.com/prometheus/":  {"internal/metrics"},
	"github.com/ethereum/go-ethereum": {
		"internal/quorum/node", "internal/contract", "internal/deployment", "internal/pools", "internal/settle/sign", "internal/settle/watch",
		"internal/settle/burns", "examples/go",
	},
	"github.com/modelcontextprotocol/": {"internal/agent"},
	"golang.org/x/sync":                {"internal/integrator", "internal/settle/burns"},
	"github.com/holiman/uint256": {
		"swap", "internal/fee", "internal/settle/world", "internal/settle/policy/lane", "internal/settle/watch", "internal/settle/burns/terms",
	},
	"golang.org/x/crypto":     {"swap", "internal/abi", "internal/record", "internal/process"},
	"github.com/jackc/pgx/v5": {"internal/settle/journal/postgres"},
	"modernc.org/sqlite":      {"internal/settle/journal/sqlite"},
}

// The test reads the files itself: with go list, the test cache would keep it
// green while the rule is broken.
func TestImports(t *testing.T) {
	for pkg, imports := range packages(t) {
		if !ships(pkg) {
			continue
		}
		rule, listed := allowed[pkg]
		if !listed {
			t.Errorf("%s is not in the table, want it listed with its imports", pkg)
			continue
		}
		for _, imp := range imports {
			own, ours := strings.CutPrefix(imp, "hubquote/")
			if ours && !ships(own) {
				t.Errorf("%s ships and imports %s, want nothing of %s in it", pkg, own, proves)
			}
			if ours && !slices.Contains(rule, own) {
				t.Errorf("%s imports %s, want only imports of the table", pkg, own)
			}
			if !ours && !mayImport(pkg, imp) {
				t.Errorf("%s imports %s, want only dependencies that it owns", pkg, imp)
			}
		}
	}
}

// An unused permission must be removed, so that the table is the import graph.
func TestEveryPermissionIsUsed(t *testing.T) {
	imports := packages(t)
	for pkg, rule := range allowed {
		for _, own := range rule {
			if !slices.Contains(imports[pkg], "hubquote/"+own) {
				t.Errorf("%s may import %s and does not, want it removed from the table", pkg, own)
			}
		}
	}
	for dependency, rooms := range owners {
		for _, room := range rooms {
			if !uses(imports, room, dependency) {
				t.Errorf("%s may import %s and does not, want it removed from the owners", room, dependency)
			}
		}
	}
}

// uses reports whether a room or a package in it imports a dependency.
func uses(imports map[string][]string, room, dependency string) bool {
	for pkg, list := range imports {
		inside := pkg == room || strings.HasPrefix(pkg, room+"/")
		if inside && slices.ContainsFunc(list, func(imp string) bool { return strings.HasPrefix(imp, dependency) }) {
			return true
		}
	}
	return false
}

// mayImport reports whether pkg may import an outside package. Every package may
// import the standard library; only its owners may import a dependency.
func mayImport(pkg, imp string) bool {
	if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
		return true
	}
	for prefix, rooms := range owners {
		if strings.HasPrefix(imp, prefix) {
			return slices.ContainsFunc(rooms, func(room string) bool { return pkg == room || strings.HasPrefix(pkg, room+"/") })
		}
	}
	return false
}

func TestEveryPackageHasOneDoc(t *testing.T) {
	docs := map[string]int{}
	walk(t, func(pkg, file string) {
		docs[pkg] += 0
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			docs[pkg]++
		}
	})
	for pkg, n := range docs {
		if n != 1 {
			t.Errorf("%s has %d package docs, want 1", pkg, n)
		}
	}
}

// packages returns the imports of every package's code, without its tests.
func packages(t *testing.T) map[string][]string {
	set := map[string]map[string]bool{}
	walk(t, func(pkg, file string) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		if set[pkg] == nil {
			set[pkg] = map[string]bool{}
		}
		for _, imp := range f.Imports {
			set[pkg][importPath(t, imp)] = true
		}
	})
	out := map[string][]string{}
	for pkg, imports := range set {
		out[pkg] = slices.Sorted(maps.Keys(imports))
	}
	return out
}

// importPath returns the path of an import, in either kind of quotes.
func importPath(t *testing.T, imp *ast.ImportSpec) string {
	t.Helper()
	at, err := strconv.Unquote(imp.Path.Value)
	if err != nil {
		t.Fatalf("import %s: %v", imp.Path.Value, err)
	}
	return at
}

func walk(t *testing.T, visit func(pkg, file string)) {
	t.Helper()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go"):
			visit(path.Dir(p), filepath.Join("../..", p))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
