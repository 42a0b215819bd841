package arch_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed is who may import whom, of our own. Imports go down, never sideways,
// never up; a package that is not listed here may not exist.
var allowed = map[string][]string{
	// The vocabulary, and rooms that are only files.
	"swap":      {},
	"docs":      {},
	"web":       {},
	"contracts": {},

	// What is known and computed, without a network.
	"internal/catalog":  {"swap"},
	"internal/fee":      {"swap"},
	"internal/calldata": {"swap"},
	"internal/shield":   {"swap"},
	"internal/upstream": {},
	"internal/metrics":  {},

	"internal/strictjson": {},
	"internal/pinfile":    {"swap", "internal/catalog", "internal/strictjson"},
	"internal/pinned":     {"swap", "internal/pinfile"},

	// What uses it.
	"internal/quoter":     {"swap", "internal/catalog", "internal/fee", "internal/calldata", "internal/shield"},
	"internal/wire":       {"swap", "internal/fee", "internal/calldata"},
	"internal/spans":      {"swap", "internal/calldata", "internal/wire"},
	"internal/integrator": {"swap", "internal/upstream"},
	"internal/issuer":     {"swap", "internal/upstream"},
	"internal/ratelimit":  {},

	// The two faces.
	"internal/api": {"swap", "docs", "web", "internal/catalog", "internal/metrics", "internal/ratelimit", "internal/wire"},
	"client": {
		"swap", "internal/catalog", "internal/wire", "internal/calldata", "internal/fee", "internal/shield",
		"internal/pinfile", "internal/pinned", "internal/spans", "internal/strictjson",
	},

	// The service put together.
	"internal/listen": {},
	"internal/health": {
		"swap", "internal/api", "internal/catalog", "internal/integrator", "internal/issuer", "internal/metrics", "internal/ratelimit",
	},
	"internal/service": {
		"swap", "internal/api", "internal/catalog", "internal/health", "internal/integrator", "internal/issuer",
		"internal/listen", "internal/metrics", "internal/pinfile", "internal/quoter", "internal/ratelimit", "internal/upstream",
	},

	// The command line.
	"internal/flags":     {},
	"internal/endpoints": {"swap", "internal/flags", "internal/upstream"},
	"internal/term":      {},
	"internal/show":      {"swap", "client", "internal/catalog", "internal/term", "internal/wire"},
	"cmd/hubquote": {
		"swap", "client", "internal/api", "internal/catalog", "internal/deployment", "internal/deployment/caps", "internal/deployment/generation", "internal/deployment/lane", "internal/deployment/operator", "internal/endpoints", "internal/flags", "internal/issuer",
		"internal/pinfile", "internal/quoter", "internal/service", "internal/show", "internal/spans", "internal/term", "internal/upstream", "internal/wire",
	},

	// What is deployed, and where.
	"internal/contract":             {"contracts"},
	"internal/deployment/third":     {"swap", "internal/catalog"},
	"internal/deployment/lane":      {"swap", "internal/catalog", "internal/deployment/third"},
	"internal/deployment/addresses": {"swap", "internal/catalog", "internal/deployment/lane"},
	"internal/deployment/caps":      {"swap", "internal/deployment/lane"},
	"internal/deployment/operator":  {"swap", "internal/deployment/caps", "internal/deployment/lane"},
	"internal/deployment/creation": {
		"swap", "internal/catalog", "internal/contract", "internal/deployment/addresses", "internal/deployment/lane",
		"internal/deployment/operator", "internal/deployment/third",
	},
	"internal/deployment": {
		"swap", "internal/catalog", "internal/contract", "internal/deployment/addresses", "internal/deployment/creation", "internal/deployment/lane",
		"internal/deployment/operator", "internal/deployment/third",
	},
	"internal/deployment/generation": {
		"swap", "internal/catalog", "internal/contract", "internal/deployment", "internal/deployment/addresses",
		"internal/deployment/caps", "internal/deployment/lane", "internal/deployment/third",
	},
}

// proves is the folder of everything that never ships. It may import anything;
// only it may import itself.
const proves = "test"

func ships(pkg string) bool { return pkg != proves && !strings.HasPrefix(pkg, proves+"/") }

// owners is which room may import an outside dependency, so that replacing one
// is a change to one folder.
var owners = map[string][]string{
	"github.com/BurntSushi/toml":      {"internal/catalog", "internal/flags", "internal/deployment/caps"},
	"filippo.io/edwards25519":         {"internal/shield"},
	"github.com/iden3/":               {"internal/shield"},
	"github.com/redis/":               {"internal/ratelimit"},
	"github.com/prometheus/":          {"internal/metrics"},
	"github.com/ethereum/go-ethereum": {"internal/integrator", "internal/contract", "internal/deployment"},
	"github.com/holiman/uint256":      {"swap", "internal/fee"},
	"golang.org/x/crypto":             {"swap"},
}

// The test reads the files itself: one that asked the go command would be
// answered from the test cache and stay green while the rule is broken.
func TestImports(t *testing.T) {
	for pkg, imports := range packages(t) {
		if !ships(pkg) {
			continue
		}
		rule, listed := allowed[pkg]
		if !listed {
			t.Errorf("%s is not in the table: say what it may import", pkg)
			continue
		}
		for _, own := range rule {
			if !slices.Contains(imports, "hubquote/"+own) {
				t.Errorf("%s may import %s, and does not: take it out of the table", pkg, own)
			}
		}
		for _, imp := range imports {
			own, ours := strings.CutPrefix(imp, "hubquote/")
			if ours && !slices.Contains(rule, own) {
				t.Errorf("%s imports %s, which it may not", pkg, own)
			}
			if !ours && !mayImport(pkg, imp) {
				t.Errorf("%s imports %s, which it does not own", pkg, imp)
			}
		}
	}
}

// mayImport reports whether pkg may import an outside package: anyone the
// standard library, the owner a dependency.
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
			set[pkg][strings.Trim(imp.Path.Value, `"`)] = true
		}
	})
	out := map[string][]string{}
	for pkg, imports := range set {
		out[pkg] = slices.Sorted(maps.Keys(imports))
	}
	return out
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
