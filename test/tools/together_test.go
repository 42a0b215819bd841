package tools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Tests that run in one process fail together when one of them fails, or when one ends
// the process of the others.
func TestTogether(t *testing.T) {
	read(t, "together.mjs")
	for _, c := range []struct {
		name, body string
		passes     bool
		says       string
	}{
		{"all pass", "", true, "# pass 2"},
		{"one fails", "throw new Error('wrong')", false, "# fail 1"},
		{"one ends the process", "process.exit(0)", false, "the process ended before its tests"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"--test-reporter=tap", "together.mjs"}
			for name, body := range map[string]string{"a.mjs": c.body, "b.mjs": ""} {
				file := filepath.Join(dir, name)
				if err := os.WriteFile(file, []byte("import { test } from 'node:test'\ntest('"+name+"', () => {"+body+"})\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				args = append(args, file)
			}
			out, err := exec.Command("node", args...).CombinedOutput()
			if (err == nil) != c.passes || !strings.Contains(string(out), c.says) {
				t.Errorf("together = %v, want success %t, and %q in\n%s", err, c.passes, c.says, out)
			}
		})
	}
	if _, err := exec.Command("node", "together.mjs").CombinedOutput(); err == nil {
		t.Error("together without files ends well, want an error")
	}
}
