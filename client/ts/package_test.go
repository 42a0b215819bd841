package ts_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const bundle = "../../web/static/js/client.js"

// The page runs this client: its copy is what the sources make.
func TestPageBundle(t *testing.T) {
	t.Parallel()
	build(t)
	fresh := filepath.Join(t.TempDir(), "client.js")
	if _, err := run(nil, "node", "scripts/build.mjs", fresh); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes and is not what the sources make, which has %d: run npm run page in client/ts", bundle, len(got), len(want))
	}
}

const uses = `
const pins = { format: 'hubquote-pins/1' } as Pins
const request: Request = { srcChain: '369', srcToken: 'USDC', dstChain: '8453', dstToken: 'USDC', amount: '1', recipient: '0x' }
try {
  const verdict: Verdict = judge(request, '{}', pins)
  if (verdict.verdict === 'unproven') verdict.reasons.map((r) => r.code)
} catch (e) {
  if (!(e instanceof Invalid) || e.code !== 'RECIPIENT_INVALID') throw e
}
`

// The package works in an empty project: imported,
// required, and with every way in which TypeScript finds types.
func TestPackage(t *testing.T) {
	t.Parallel()
	build(t)
	project := t.TempDir()
	write(t, filepath.Join(project, "package.json"), `{"private": true}`)
	runIn(t, project, "npm", "install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", pack(t))
	if installed, _ := os.ReadDir(filepath.Join(project, "node_modules")); len(installed) != 2 { // and npm's own list
		t.Errorf("installing it brings %v, want nothing but the package", installed)
	}

	for _, name := range []string{"LICENSE", "README.md"} {
		text, err := os.ReadFile(filepath.Join(project, "node_modules", "@hubquote", "client", name))
		if err != nil || strings.Contains(string(text), "](..") {
			t.Errorf("%s: %v, want it in the package, without links out of it", name, err)
		}
	}

	use := func(name, code string) string {
		write(t, filepath.Join(project, name), code)
		return name
	}
	plain := strings.NewReplacer(" as Pins", "", ": Request", "", ": Verdict", "").Replace(uses)
	t.Run("import", func(t *testing.T) {
		runIn(t, project, "node", use("a.mjs", "import { Invalid, judge } from '@hubquote/client'\n"+plain))
	})
	t.Run("require", func(t *testing.T) {
		runIn(t, project, "node", "--no-experimental-require-module", use("a.cjs", "const { Invalid, judge } = require('@hubquote/client')\n"+plain))
	})

	const imports = "import { Invalid, judge, type Pins, type Request, type Verdict } from '@hubquote/client'\n"
	for _, tt := range []struct {
		compiler   string // an older one knows ways that the current one has dropped
		resolution string
		module     string
		files      []string
	}{
		{"typescript5", "node10", "commonjs", []string{use("b.ts", imports+uses)}},
		{"typescript5", "node16", "node16", []string{use("b.mts", imports+uses), use("b.cts", imports+uses)}},
		{"typescript", "nodenext", "nodenext", []string{"b.mts", "b.cts"}},
		{"typescript", "bundler", "esnext", []string{"b.ts"}},
	} {
		t.Run(tt.resolution, func(t *testing.T) {
			compiler, err := filepath.Abs(filepath.Join("node_modules", tt.compiler, "bin", "tsc"))
			if err != nil {
				t.Fatal(err)
			}
			args := []string{compiler, "--noEmit", "--strict", "--skipDefaultLibCheck", "--target", "es2022", "--moduleResolution", tt.resolution, "--module", tt.module}
			runIn(t, project, "node", append(args, tt.files...)...)
		})
	}
}

// pack packs what was built. That a bare clone can be packed too, the examples show:
// they start with it.
func pack(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	runIn(t, ".", "npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder)
	packed, err := filepath.Glob(filepath.Join(folder, "hubquote-client-*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatalf("npm pack made %v, %v, want one file", packed, err)
	}
	return packed[0]
}
