package web_test

import (
	"context"
	"flag"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/swap"
	"hubquote/web"
)

var screenshots = flag.String("screenshots", "", "`directory` to keep the page's screenshots in")

// The page stays light: whoever checks a payment on a train must not wait for
// it.
func TestWeight(t *testing.T) {
	const most = 150_000
	total := 0
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(web.Files(), name)
		total += len(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total >= most {
		t.Errorf("the page's files have %d bytes, want less than %d", total, most)
	}
}

// What the page computes is tested without a browser, on the published cases.
func TestScripts(t *testing.T) {
	runNode(t, "unit.test.js", "verify.test.js")
}

// What people do with the page is tested in the system's Chromium, against this
// very server. Wallets and local chains are played by the test.
func TestPage(t *testing.T) {
	if _, err := os.Stat(chromium); err != nil {
		t.Fatalf("%s is missing: apt-get install chromium", chromium)
	}
	run(t, "../test/page", exec.Command("./install.sh"))
	out := runNode(t, "quote.test.js", "form.test.js", "send.test.js", "look.test.js")

	// The program that the page hands out compiles, runs, and is told by the
	// client that the quote is sound.
	run(t, ".", exec.Command("go", "run", filepath.Join(out, "snippet.go")))
}

const chromium = "/usr/bin/chromium"

// runNode runs tests written for Node, and returns the directory they leave
// their screenshots in.
func runNode(t *testing.T, files ...string) string {
	t.Helper()
	watch(t)
	dir := *screenshots
	if dir == "" {
		dir = t.TempDir()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--test", "--test-concurrency=1", "--test-reporter=spec"}, files...)
	cmd := exec.Command("node", args...)
	cmd.Env = append(os.Environ(),
		"HUBQUOTE_URL="+serve(t, api.Options{}),
		"HUBQUOTE_LIMITED_URL="+serve(t, api.Options{Limiter: limiter(t)}),
		"HUBQUOTE_DEVNET_URL="+serve(t, api.Options{Checks: devnet}),
		"HUBQUOTE_OUT="+dir, "CHROMIUM="+chromium)
	run(t, "../test/page", cmd)
	return dir
}

func run(t *testing.T, dir string, cmd *exec.Cmd) {
	t.Helper()
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	t.Logf("%s", out)
}

// watch looks at the scripts, which only Node reads, so that the test is run
// again when one of them has changed.
func watch(t *testing.T) {
	t.Helper()
	names, err := filepath.Glob("../test/page/*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range names {
		if _, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
}

// serve starts the service on a port of its own and returns its address.
func serve(t *testing.T, opts api.Options) string {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	q, err := quoter.New(quoter.Options{Catalog: c, Integrators: partners{}, IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	opts.Catalog, opts.Quoter, opts.Version = c, q, "test"
	s, err := api.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func limiter(t *testing.T) ratelimit.Limiter {
	t.Helper()
	l, err := memory.New(ratelimit.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// devnet says that there are local chains, as README.md describes.
func devnet() []api.Check {
	return []api.Check{{Name: "devnet", Status: api.CheckOK, Detail: "local chains"}}
}

// partners knows one integrator, which takes 0.25 %, and cannot tell about
// another; so the page is shown each answer the registry can give.
type partners struct{}

var (
	known   = swap.IntegratorIDOf(swap.MustAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"))
	unclear = swap.IntegratorIDOf(swap.MustAddress("0x90F79bf6EB2c4f870365E785982E1f101E93b906"))
)

func (partners) Integrator(_ context.Context, _ swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	switch id {
	case known:
		return swap.Integrator{ID: id, Wallet: swap.Address(id[12:]), Rate: 2_500}, nil
	case unclear:
		return swap.Integrator{}, &swap.Error{Code: swap.RegistryUnavailable, Param: "integratorId", Message: "the registry cannot be reached now"}
	default:
		return swap.Integrator{}, &swap.Error{Code: swap.IntegratorUnknown, Param: "integratorId", Message: "nobody is registered under this ID"}
	}
}
