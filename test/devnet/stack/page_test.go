package stack_test

import (
	"os"
	"os/exec"
	"testing"
)

const (
	browserTests = "../../page"
	chromium     = "/usr/bin/chromium"
)

// A swap in the page, in the system's browser, is paid, and the page shows it.
func (w *trial) pageSwaps(t *testing.T) {
	if _, err := os.Stat(chromium); err != nil {
		t.Fatalf("%s is missing: apt-get install chromium", chromium)
	}
	for _, command := range [][]string{
		{"./install.sh"},
		{"node", "--test", "--test-concurrency=1", "--test-reporter=spec", "landing.test.js"},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = browserTests
		cmd.Env = append(os.Environ(), "HUBQUOTE_DEVNET_URL="+w.URL, "CHROMIUM="+chromium, "HUBQUOTE_OUT="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	// The script is read here too, so that a change to it runs the test again.
	if _, err := os.ReadFile(browserTests + "/landing.test.js"); err != nil {
		t.Fatal(err)
	}
}
