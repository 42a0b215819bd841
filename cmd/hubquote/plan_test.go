package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planFor plans with an operator's own roles and returns the output.
func planFor(t *testing.T, dir string, args ...string) string {
	t.Helper()
	own := []string{
		"plan", "--catalog", dir,
		"--admin", "0x1111111111111111111111111111111111111111", "--relayer", "0x2222222222222222222222222222222222222222",
		"--pauser", "0x3333333333333333333333333333333333333333", "--last-resort", "0x4444444444444444444444444444444444444444",
	}
	var out, errs bytes.Buffer
	if code := run(append(own, args...), std{out: &out, err: &errs, env: os.LookupEnv}); code != 0 {
		t.Fatalf("exit code = %d (%s), want 0", code, &errs)
	}
	return out.String()
}

// An operator's own roles give a catalog of its own, which loads.
func TestPlanWritesTheCatalog(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../internal/catalog/data")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "deployment.toml")
	before := textOf(t, file)
	planFor(t, dir, "--write")
	after := textOf(t, file)
	for line := range strings.Lines(planFor(t, dir)) {
		fields := strings.Fields(line)
		if fields[0] == "CHAIN" {
			continue
		}
		if strings.Contains(before, fields[3]) || !strings.Contains(after, fields[3]) {
			t.Errorf("address of %s: before %t, after %t in deployment.toml; want only after",
				fields[2], strings.Contains(before, fields[3]), strings.Contains(after, fields[3]))
		}
	}
}
