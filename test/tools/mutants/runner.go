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

// A fate is what becomes of a mutant.
type fate int

const (
	killed fate = iota
	lived
	notViable // it does not compile
)

// judge finds the fate of each mutant, once the tests are seen to pass without
// any. Broken ones may compute three times as long.
func judge(root, pkg string, mutants []*mutant) ([]fate, error) {
	sane, took, err := lab{root, pkg, time.Hour}.judge(&mutant{})
	if err == nil && sane != lived {
		err = errors.New("the tests fail before anything is broken")
	}
	if err != nil {
		return nil, err
	}
	l := lab{root, pkg, 3*took + 5*time.Second}
	fates, errs := make([]fate, len(mutants)), make([]error, len(mutants))
	free := make(chan struct{}, runtime.NumCPU())
	var wg sync.WaitGroup
	for i, m := range mutants {
		free <- struct{}{}
		fmt.Fprintf(os.Stderr, "\r%s: %d of %d ", pkg, i+1, len(mutants))
		wg.Go(func() {
			fates[i], _, errs[i] = l.judge(m)
			<-free
		})
	}
	wg.Wait()
	fmt.Fprintln(os.Stderr)
	return fates, errors.Join(errs...)
}

// A lab runs the tests of one package. It never touches the package: the
// compiler is told to read another file in place of one.
type lab struct {
	root, pkg string
	patience  time.Duration // for computing; waiting is not counted
}

// judge runs the tests with m in place, and says how long they computed. Those
// that do not end do not pass.
func (l lab) judge(m *mutant) (fate, time.Duration, error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	overlay, err := l.overlay(dir, m)
	if err != nil {
		return 0, 0, err
	}
	tests := filepath.Join(dir, "tests")
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", tests, "./"+l.pkg)
	build.Dir = l.root
	if ok, err := succeeds(build); !ok || err != nil {
		return notViable, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	run := l.command(ctx, tests)
	passed, err := succeeds(run)
	if !passed || err != nil {
		return killed, 0, err
	}
	return lived, run.ProcessState.UserTime() + run.ProcessState.SystemTime(), nil
}

// command runs the tests with limits, because a loop without end can take all
// the time and memory there is: eight gigabytes must do.
func (l lab) command(ctx context.Context, tests string) *exec.Cmd {
	const script = `ulimit -t "$1"; ulimit -d 8388608; exec "$0" -test.failfast`
	cmd := exec.CommandContext(ctx, "sh", "-c", script, tests, fmt.Sprint(int(l.patience.Seconds())))
	cmd.Dir = filepath.Join(l.root, l.pkg)
	cmd.Env = append(os.Environ(), "RAPID_NOFAILFILE=1") // or examples of what failed would stay in the package
	return cmd
}

// succeeds reports whether a command ends well. It is an error only if it could
// not be started.
func succeeds(cmd *exec.Cmd) (bool, error) {
	err := cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return false, nil
	}
	return err == nil, err
}

// overlay writes the mutant down, and which file the compiler reads it for.
func (l lab) overlay(dir string, m *mutant) (string, error) {
	replace := map[string]string{}
	if m.file != "" {
		replace[filepath.Join(l.root, m.file)] = filepath.Join(dir, "mutant.go")
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, errors.Join(os.WriteFile(overlay, text, 0o600), os.WriteFile(filepath.Join(dir, "mutant.go"), m.source, 0o600))
}
