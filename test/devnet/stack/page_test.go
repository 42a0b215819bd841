package stack_test

import (
	"flag"
	"os"
	"os/exec"
	"testing"
)

var screenshots = flag.String("screenshots", "", "absolute path of a `directory` to keep the page's screenshots in")

const (
	browserTests = "../../page"
	chromium     = "/usr/bin/chromium-headless-shell"
)

// A swap in the page, in the system's browser, is paid, and the page shows it.
func (w *trial) pageSwaps(t *testing.T) { runPage(t, w.URL, "landing.test.js") }

// runPage runs a test of the page in the system's browser.
func runPage(t *testing.T, devnet, file string, env ...string) {
	t.Helper()
	if _, err := os.Stat(chromium); err != nil {
		t.Fatalf("%s is missing: apt-get install chromium-headless-shell", chromium)
	}
	out := *screenshots
	if out == "" {
		out = t.TempDir()
	}
	for _, command := range [][]string{
		{"../tools/npm.sh", "."},
		{"node", "--test", "--test-concurrency=1", "--test-reporter=spec", file},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = browserTests
		cmd.Env = append(os.Environ(), append(env, "HUBQUOTE_DEVNET_URL="+devnet, "CHROMIUM="+chromium, "HUBQUOTE_OUT="+out)...)
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", command, err, said)
		}
		t.Logf("%s", said)
	}
	// The script is read here too, so that a change to it runs the test again.
	if _, err := os.ReadFile(browserTests + "/" + file); err != nil {
		t.Fatal(err)
	}
}
