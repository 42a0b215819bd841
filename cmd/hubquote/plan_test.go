package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hubquote/internal/command"
)

// planFor plans with an operator's own roles and returns the output.
func planFor(t *testing.T, dir string, args ...string) string {
	t.Helper()
	caps := filepath.Join(t.TempDir(), "caps.toml")
	var printed bytes.Buffer
	commands.Run([]string{"plan", "--print-caps"}, command.Std{Out: &printed, Err: &printed, Env: os.LookupEnv})
	if err := os.WriteFile(caps, printed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	own := []string{
		"plan", "--catalog", dir,
		"--admin", "0x1111111111111111111111111111111111111111", "--relayer", "0x2222222222222222222222222222222222222222",
		"--standby", "0x3333333333333333333333333333333333333333", "--guardian", "0x4444444444444444444444444444444444444444",
		"--treasurer", "0x5555555555555555555555555555555555555555", "--last-resort", "0x6666666666666666666666666666666666666666",
		"--admin-delay", "48h", "--fee-bound", "5000", "--caps", caps,
	}
	var out, errs bytes.Buffer
	if code := commands.Run(append(own, args...), command.Std{Out: &out, Err: &errs, Env: os.LookupEnv}); code != 0 {
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

// A second generation has addresses of its own and the registries of the first;
// its plan has the calls to the old contracts, step by step.
func TestPlanOfTheNextGeneration(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := os.CopyFS(dir, os.DirFS("../../internal/catalog/data")); err != nil {
			t.Fatal(err)
		}
	}
	planFor(t, first, "--write")
	next := []string{"--generation", "2", "--before", first}
	planFor(t, second, append(next, "--write")...)
	before, after := textOf(t, filepath.Join(first, "deployment.toml")), textOf(t, filepath.Join(second, "deployment.toml"))
	pools, registries, _ := strings.Cut(before, "[registries]")
	if _, kept, _ := strings.Cut(after, "[registries]"); kept != registries {
		t.Errorf("registries %s, want those of the first generation, %s", kept, registries)
	}
	for _, address := range regexp.MustCompile("0x[0-9a-fA-F]{40}").FindAllString(pools, -1) {
		if strings.Contains(after, address) {
			t.Errorf("%s is in both generations, want it in one", address)
		}
	}
	transactions := planFor(t, second, append(next, "--json")...)
	at := 0
	for _, step := range []string{"deploy", "write", "open", "move", "close", "retire"} {
		found := strings.Index(transactions[at:], `"step": "`+step+`"`)
		if found < 0 {
			t.Fatalf("no step %s after the others, want every step in order", step)
		}
		at += found
	}
}
