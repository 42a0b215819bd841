package page_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/internal/api"
	"hubquote/internal/service"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/servicetest"
)

var screenshots = flag.String("screenshots", "", "`directory` to keep the page's screenshots in")

// What people do with the page is tested in the system's Chromium, against this
// very server. Wallets and local chains are played by the test.
func TestPage(t *testing.T) {
	start(t)
	runNode(t, []string{"load.test.js"}) // alone, for the figures it prints
	out := runNode(t,
		[]string{"mutation.test.js", "verdict.test.js", "odd.test.js", "quote.test.js", "copy.test.js", "stale.test.js", "reference.test.js"},
		[]string{"look.test.js", "form.test.js", "track.test.js", "lock.test.js", "send.test.js", "routes.test.js"})
	runSnippets(t, out)
}

// chromium is the same engine without a window, which starts in half the time.
const chromium = "/usr/bin/chromium-headless-shell"

// start starts the browser that all tests of the page share.
func start(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(chromium); err != nil {
		t.Fatalf("%s is missing: apt-get install chromium-headless-shell", chromium)
	}
	run(t, exec.Command("../tools/npm.sh", "."))
	t.Setenv("CHROMIUM", chromium)
	address := make(chan string, 1)
	p, err := fake.Start(exec.Command("node", "shared.js"), func(line string) {
		select {
		case address <- line:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	select {
	case line := <-address:
		t.Setenv("BROWSER", line)
	case <-p.Exited:
		t.Fatal("the browser ended")
	}
}

// runNode runs tests written for Node, each list in a process of its own, at the same
// time, and returns the directory they leave their screenshots in.
func runNode(t *testing.T, lists ...[]string) string {
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
	env := append(os.Environ(),
		"HUBQUOTE_URL="+serve(t, service.Options{Limit: servicetest.Generous}),
		"HUBQUOTE_LIMITED_URL="+serve(t, service.Options{}),
		"HUBQUOTE_DEVNET_URL="+serve(t, service.Options{Limit: servicetest.Generous, Checks: devnet}),
		"HUBQUOTE_OUT="+dir)
	t.Run("files", func(t *testing.T) {
		for _, files := range lists {
			t.Run(strings.Join(files, " "), func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command("node", append([]string{"--test-reporter=spec", "../tools/together.mjs"}, files...)...)
				cmd.Env = env
				run(t, cmd)
			})
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	return dir
}

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	t.Logf("%s", out)
}

// watch looks at the files that only Node reads, so that the test is run again
// when one of them has changed.
func watch(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"*.js", "package*.json", "../tools/together.mjs", "../../web/src/*.js", "../../client/ts/src/*.ts", "../../docs/vectors.json", "../../docs/openapi.json", "../mutations/mutations.json"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			if _, err := os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// serve starts the service that operators run, and returns its address.
func serve(t *testing.T, opts service.Options) string {
	t.Helper()
	opts.Integrators = partners{}
	return servicetest.Start(t, opts)
}

// devnet says that there are local chains, as README.md describes.
var devnet = []api.Check{{Name: "devnet", Status: api.CheckOK, Detail: "local chains"}}

// partners knows one integrator, which takes 0.25 %, and cannot tell about
// another; so the page is shown each answer the registry can give.
type partners struct{}

var (
	known   = swap.IntegratorIDOf(swap.MustAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"))
	unclear = swap.IntegratorIDOf(swap.MustAddress("0x90F79bf6EB2c4f870365E785982E1f101E93b906"))
)

func (partners) Integrator(ctx context.Context, chain swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	switch id {
	case known:
		return fake.Partners(2_500).Integrator(ctx, chain, id)
	case unclear:
		return swap.Integrator{}, &swap.Error{Code: swap.RegistryUnavailable, Param: "integratorId", Message: "the registry cannot be reached now"}
	default:
		return swap.Integrator{}, &swap.Error{Code: swap.IntegratorUnknown, Param: "integratorId", Message: "no integrator is registered under this ID"}
	}
}
