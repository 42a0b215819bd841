package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hubquote/internal/catalog"
	"hubquote/internal/service"
	"hubquote/test/quotes"
	"hubquote/test/reference"
	"hubquote/test/servicetest"
	"hubquote/test/zk"
)

// TestMain makes hubquote a command that tests can run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hubquote": main})
}

// The scripts are the specification of the command line. They have the corpus in
// quotes/, a server at $SERVER, a dishonest one at $LIAR, and the contracts in
// variables such as $USDC_369.
func TestScripts(t *testing.T) {
	cat := reference.Catalog(t)
	honest := newTestServer(t, cat)
	server, liar := httptest.NewServer(honest), httptest.NewServer(lying(honest))
	t.Cleanup(server.Close) // the scripts run on after this function has returned
	t.Cleanup(liar.Close)
	cases, err := quotes.Load("../../test/quotes")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SERVER", server.URL)
			e.Setenv("LIAR", liar.URL)
			e.Setenv("CATALOG", cat.Digest())
			e.Setenv("ALICE", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
			e.Setenv("PRIVATE", zk.Alice)
			for _, r := range cat.Routers() {
				e.Setenv(fmt.Sprintf("%s_%d", r.Token.Symbol, r.Place.ID), r.Address.String())
			}
			return writeCases(e.WorkDir, cases)
		},
	})
}

func newTestServer(t *testing.T, cat *catalog.Catalog) http.Handler {
	t.Helper()
	s, err := service.New(service.Options{Catalog: cat, Limit: servicetest.Generous})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.Handler()
}

// lying answers like h, but replaces the recipient.
func lying(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		w.WriteHeader(rec.Code)
		w.Write(bytes.ReplaceAll(rec.Body.Bytes(),
			[]byte("70997970c51812dc3a010c7d01b50e0d17dc79c8"), []byte("15d34aaf54267db7d7c367839aaf71a00a2c6a65")))
	})
}

// writeCases writes each case's request and answer.
func writeCases(dir string, cases []quotes.Case) error {
	dir = filepath.Join(dir, "quotes")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, c := range cases {
		if err := os.WriteFile(filepath.Join(dir, c.Name+".json"), c.V3, 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, c.Name+".query"), []byte(c.Query.Encode()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
