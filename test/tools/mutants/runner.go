package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// A result is the result of a package's tests with a mutant.
type result int

const (
	killed result = iota
	lived
	notViable // it does not compile
)

// runAll runs the tests without a mutant, which must pass, and then with each. A
// run may use three times as much processor time as the first.
func runAll(root, pkg string, mutants []*mutant) ([]result, error) {
	sane, took, err := runner{root, pkg, time.Hour}.run(&mutant{})
	if err == nil && sane != lived {
		err = errors.New("the tests fail without a mutant")
	}
	if err != nil {
		return nil, err
	}
	r := runner{root, pkg, 3*took + 5*time.Second}
	results, errs := make([]result, len(mutants)), make([]error, len(mutants))
	free := make(chan struct{}, runtime.NumCPU())
	var wg sync.WaitGroup
	for i, m := range mutants {
		free <- struct{}{}
		fmt.Fprintf(os.Stderr, "\r%s: %d of %d ", pkg, i+1, len(mutants))
		wg.Go(func() {
			results[i], _, errs[i] = r.run(m)
			<-free
		})
	}
	wg.Wait()
	fmt.Fprintln(os.Stderr)
	return results, errors.Join(errs...)
}

// A runner runs the tests of one package. It does not change the package; the
// compiler reads another file in place of one, through an overlay.
type runner struct {
	root, pkg string
	limit     time.Duration // of processor time
}

// run runs the tests with m, and returns the processor time that they used. Tests
// that exceed the limit fail.
func (r runner) run(m *mutant) (result, time.Duration, error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	overlay, err := r.overlay(dir, m)
	if err != nil {
		return 0, 0, err
	}
	tests := filepath.Join(dir, "tests")
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", tests, "./"+r.pkg)
	build.Dir = r.root
	if ok, err := succeeds(build); !ok || err != nil {
		return notViable, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := r.command(ctx, tests)
	passed, err := succeeds(cmd)
	if !passed || err != nil {
		return killed, 0, err
	}
	return lived, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// command runs the tests with limits of time and of memory, eight gigabytes,
// because a mutant may loop for ever.
func (r runner) command(ctx context.Context, tests string) *exec.Cmd {
	const script = `ulimit -t "$1"; ulimit -d 8388608; exec "$0" -test.failfast`
	cmd := exec.CommandContext(ctx, "sh", "-c", script, tests, fmt.Sprint(int(r.limit.Seconds())))
	cmd.Dir = filepath.Join(r.root, r.pkg)
	cmd.Env = append(os.Environ(), "RAPID_NOFAILFILE=1") // or rapid would leave failing examples in the package
	return cmd
}

// succeeds reports whether a command exits with 0. It is an error only if it
// could not be started.
func succeeds(cmd *exec.Cmd) (bool, error) {
	err := cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return false, nil
	}
	return err == nil, err
}

// overlay writes the mutant and the file that tells the compiler what it
// replaces.
func (r runner) overlay(dir string, m *mutant) (string, error) {
	replace := map[string]string{}
	if m.file != "" {
		replace[filepath.Join(r.root, m.file)] = filepath.Join(dir, "mutant.go")
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, errors.Join(os.WriteFile(overlay, text, 0o600), os.WriteFile(filepath.Join(dir, "mutant.go"), m.source, 0o600))
}
