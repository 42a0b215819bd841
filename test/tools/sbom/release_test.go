package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// The newest version of the changelog can be released: the programs say which
// version they are, the bill names what is in them, and every file has a checksum.
func TestRelease(t *testing.T) {
	root, out := "../../..", t.TempDir()
	changes, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`).FindSubmatch(changes)
	if found == nil {
		t.Fatal("CHANGELOG.md has no version, want one as ## 1.2.3")
	}
	version, platform := string(found[1]), runtime.GOOS+"/"+runtime.GOARCH
	run(t, filepath.Join(root, "test/tools/release.sh"), version, out, platform)

	program := filepath.Join(out, strings.Join([]string{"hubquote", version, runtime.GOOS, runtime.GOARCH}, "-"))
	if said := run(t, program, "version"); !strings.HasPrefix(said, "hubquote "+version+" (commit ") {
		t.Errorf("version prints %q, want hubquote %s", said, version)
	}
	for _, name := range []string{"CHANGES.md", "hubquote-contracts-" + version + ".tar.gz", "hubquote-" + version + ".cdx.json"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if packed, _ := filepath.Glob(filepath.Join(out, "hubquote-client-*.tgz")); len(packed) != 1 {
		t.Errorf("npm packages = %v, want one", packed)
	}
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = out
	if said, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	checkBill(t, filepath.Join(out, "hubquote-"+version+".cdx.json"), version)
}

func checkBill(t *testing.T, path, version string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var bill cdx.BOM
	if err := cdx.NewBOMDecoder(f, cdx.BOMFileFormatJSON).Decode(&bill); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range *bill.Components {
		names[c.Name] = true
	}
	if bill.Metadata.Component.Version != version || !names["std"] || !names["github.com/holiman/uint256"] {
		text, _ := json.Marshal(bill)
		t.Errorf("bill = %s, want version %s with std and uint256", text, version)
	}
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}
