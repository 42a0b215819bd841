package main

import (
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hubquote/test/reference"
)

// The scripts specify the settings of serve. $CATALOG is the catalog's digest, and
// $BUSY an address in use.
func TestServeScripts(t *testing.T) {
	cat := reference.Catalog(t)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = busy.Close() }) // the scripts run on after this function has returned
	testscript.Run(t, testscript.Params{
		Dir: "testdata/serve",
		Setup: func(e *testscript.Env) error {
			e.Setenv("CATALOG", cat.Digest())
			e.Setenv("BUSY", busy.Addr().String())
			return nil
		},
	})
}

func TestServeLogsJSON(t *testing.T) {
	t.Parallel()
	p := launch(t)
	log := p.output()
	for line := range strings.Lines(log) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil || fields["msg"] == "" {
			t.Errorf("line of the log = %s, want JSON with a msg", line)
		}
	}
	for _, want := range []string{"catalog loaded", "REFERENCE DEPLOYMENT", "listening"} {
		if !strings.Contains(log, want) {
			t.Errorf("log =\n%s\nwant %q in it", log, want)
		}
	}
}

func TestMetricsAndProfilesAreOnTheAdminPort(t *testing.T) {
	t.Parallel()
	p := launch(t)
	for path, want := range map[string]int{
		"/metrics":                        200,
		"/debug/pprof/":                   200,
		"/debug/pprof/heap":               200,
		"/debug/pprof/trace?seconds=0.01": 200,
		"/debug/pprof/cmdline":            404, // flags may hold keys
		"/v3/swap/quote":                  404,
	} {
		if a := p.fetch(p.admin+path, ""); a.status != want {
			t.Errorf("status of admin %s = %d, want %d", path, a.status, want)
		}
	}
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap"} {
		if a := p.get(path); a.status != 404 {
			t.Errorf("status of public %s = %d, want 404", path, a.status)
		}
	}
}

func TestServeWithoutAdmin(t *testing.T) {
	t.Parallel()
	p := launch(t, "--admin=")
	p.quotesDirect()
	if log := p.output(); strings.Contains(log, `"server":"admin"`) {
		t.Errorf("log =\n%s\nwant no admin server", log)
	}
}
