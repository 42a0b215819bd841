package ts_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"hubquote/client"
	"hubquote/internal/pinfile"
	"hubquote/internal/service"
	"hubquote/test/reference"
	"hubquote/test/servicetest"
)

// build compiles the client, once for all tests.
func build(t *testing.T) {
	t.Helper()
	if err := compile(); err != nil {
		t.Fatal(err)
	}
}

// compile installs what the lock file pins, and compiles.
var compile = sync.OnceValue(func() error {
	if _, err := run(nil, "../../test/tools/npm.sh", "."); err != nil {
		return err
	}
	if out, err := run(nil, "npm", "run", "--silent", "build"); err != nil {
		return fmt.Errorf("%w\n%s", err, out) // the compiler writes errors to its standard output
	}
	return nil
})

// run runs a command and returns its output, or an error with its standard error. Reading the sources tells go test to run again when one of
// them changes.
func run(in io.Reader, name string, args ...string) ([]byte, error) {
	for _, pattern := range []string{"src/*.ts", "test/*.ts", "examples/*", "scripts/*", "*.json"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			os.ReadFile(f)
		}
	}
	var complaints bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stderr = in, &complaints
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s: %w\n%s", cmd, err, &complaints)
	}
	return out, nil
}

// serve starts the service and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	return servicetest.Start(t, service.Options{Limit: servicetest.Generous})
}

func newPins(t *testing.T, a pinfile.Allowances) *client.Pins {
	t.Helper()
	p, err := client.ParsePins(pinfile.Of(reference.Catalog(t), a).Text())
	if err != nil {
		t.Fatal(err)
	}
	return p
}
