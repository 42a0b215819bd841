package contracts_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestArtifactsAreWhatTheSourcesCompileTo(t *testing.T) {
	t.Parallel()
	run(t, "npm", "run", "--silent", "check")
}

func TestSolidity(t *testing.T) {
	t.Parallel()
	run(t, "npm", "run", "--silent", "test")
}

// run runs a command of the pinned tools, which it installs first if needed.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	readInputs(t)
	for _, cmd := range []*exec.Cmd{exec.Command("../test/tools/npm.sh", "."), exec.Command(name, args...)} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
}

// readInputs reads every file that the tools will read. The test cache knows
// only what the test itself opens: without this a changed contract would be
// answered by yesterday's result.
func readInputs(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == "node_modules" || path == "cache":
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		_, err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
