package page_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"hubquote/web"
)

// The page stays small, for slow connections.
func TestPageSizeIsBounded(t *testing.T) {
	const most = 85_000 // bytes, compressed
	total := 0
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(web.Files(), name)
		total += compressed(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total >= most {
		t.Errorf("the page's files have %d bytes compressed, want less than %d", total, most)
	}
}

func compressed(body []byte) int {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(body) // to memory, which does not fail
	w.Close()
	return out.Len()
}

// The page shows verdicts and makes none: hashes, curves, encodings and fees are
// the client's alone.
func TestPageMakesNoVerdict(t *testing.T) {
	own := regexp.MustCompile(`(?i)keccak|poseidon|sha-?256|ed25519|bech32|aes-|crypto\.subtle|padStart\(64|1_?000_?000n|/ ?10_?000`)
	for name, text := range sources(t) {
		if found := own.FindString(text); found != "" {
			t.Errorf("%s has %q, want the client to do that", name, found)
		}
	}
}

func sources(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../../web/src/*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// The script that is served is made from its sources, and from nothing else.
func TestScriptIsBuilt(t *testing.T) {
	run(t, exec.Command("../tools/npm.sh", "."))
	made := filepath.Join(t.TempDir(), "page.js")
	run(t, exec.Command("npm", "run", "build", "--", "--outfile="+made))
	want, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(web.Files(), "js/page.js")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("web/static/js/page.js is not what web/src makes: run go generate ./web")
	}
}
