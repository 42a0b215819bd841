package planfiles_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/internal/deployment/planfiles"
)

// The caps of a deployment that is replaced must be given, unless it is the reference
// deployment.
func TestCapsOfTheGenerationBeforeAreRequired(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../catalog/data")); err != nil {
		t.Fatal(err)
	}
	opts := planfiles.Options{Generation: 2, Before: dir}
	if err := transactions(t, opts); err != nil {
		t.Errorf("after the reference deployment, without its caps: %v, want no error", err)
	}
	edit(t, filepath.Join(dir, "deployment.toml"), "reference = true", "reference = false")
	if err := transactions(t, opts); err == nil || !strings.Contains(err.Error(), "--before-caps") {
		t.Errorf("after another deployment, without its caps: %v, want an error that names --before-caps", err)
	}
	opts.BeforeCaps = filepath.Join(t.TempDir(), "caps.toml")
	writeCaps(t, opts.BeforeCaps)
	if err := transactions(t, opts); err != nil {
		t.Errorf("after another deployment, with its caps: %v, want no error", err)
	}
}

func transactions(t *testing.T, opts planfiles.Options) error {
	t.Helper()
	f, err := planfiles.Read(opts)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Transactions()
	return err
}

func edit(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s has no %q", file, from)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(from), []byte(to), 1), 0o600); err != nil {
		t.Fatal(err)
	}
}

func writeCaps(t *testing.T, file string) {
	t.Helper()
	f, err := planfiles.Read(planfiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := f.WriteCaps(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
