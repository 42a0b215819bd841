package planfiles_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hubquote/internal/deployment/planfiles"
	"hubquote/swap"
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
	moveContracts(t, filepath.Join(dir, "deployment.toml"))
	if err := transactions(t, opts); err == nil || !strings.Contains(err.Error(), "--before-caps") {
		t.Errorf("after another deployment, without its caps: %v, want an error that names --before-caps", err)
	}
	opts.BeforeCaps = filepath.Join(t.TempDir(), "caps.toml")
	writeCaps(t, opts.BeforeCaps)
	if err := transactions(t, opts); err != nil {
		t.Errorf("after another deployment, with its caps: %v, want no error", err)
	}
}

// moveContracts gives every contract of a file another address: those of the
// reference deployment are refused in any other.
func moveContracts(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`0x[0-9a-fA-F]{40}`).ReplaceAllFunc(text, func(old []byte) []byte {
		a, err := swap.ParseAddress(string(old))
		if err != nil {
			t.Fatal(err)
		}
		a[19] ^= 1
		return []byte(a.String())
	})
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
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
