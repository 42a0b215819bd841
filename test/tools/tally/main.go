// Tally runs go test over every package, those that share state between
// goroutines with the race detector and the others without it, both at once, and
// ends with one line that says how many tests ran, how long, and which packages were slow.
// It does not vet: make lint has done that.
//
//	tally [-C DIR] [-timeout 30m] [-first 'PACKAGE ...'] RACED-PACKAGE ...
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	timeout := flag.String("timeout", "30m", "of one package's tests")
	dir := flag.String("C", ".", "the module to test")
	first := flag.String("first", "", "`packages` to start with, such as those that take long")
	flag.Parse()
	if err := os.Chdir(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	if err := run(*timeout, strings.Fields(*first), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

// racing leaves SQLite out, C translated to Go: it is not ours, it locks its own
// memory, and watching each of its steps takes longer than all the rest.
var racing = []string{"-race", "-gcflags=modernc.org/sqlite/lib=-race=false", "-gcflags=modernc.org/libc=-race=false"}

func run(timeout string, first, raced []string) error {
	plain, races, err := split(first, raced)
	if err != nil {
		return err
	}
	test := []string{"test", "-json", "-vet=off", "-ldflags=-w", "-timeout", timeout}
	start, t := time.Now(), newTally(os.Stdout)
	err = together(
		func() error { return t.test(slices.Concat(test, plain)) },
		func() error {
			// One package at a time: beside the others it takes the time in which they wait.
			err := t.test(slices.Concat(test, racing, []string{"-p", "1"}, races))
			return errors.Join(err, t.test([]string{"-C", "test/tools", "test", "-json", "-vet=off", "-p", "1", "./..."}))
		},
	)
	if err != nil {
		return err
	}
	fmt.Println(t.sum(time.Since(start)))
	if t.failed > 0 {
		return fmt.Errorf("%d packages failed", t.failed)
	}
	return nil
}

// together runs functions at the same time.
func together(all ...func() error) error {
	errs := make([]error, len(all))
	var running sync.WaitGroup
	for i, f := range all {
		running.Go(func() { errs[i] = f() })
	}
	running.Wait()
	return errors.Join(errs...)
}

// split returns every package of the module, those without and those with the
// race detector, each in the order of first and then by name.
func split(first, raced []string) (plain, races []string, err error) {
	all, err := list("./...")
	if err != nil {
		return nil, nil, err
	}
	early, err := list(first...)
	if err != nil {
		return nil, nil, err
	}
	with, err := list(raced...)
	if err != nil {
		return nil, nil, err
	}
	for _, pkg := range ordered(early, all) {
		if slices.Contains(with, pkg) {
			races = append(races, pkg)
		} else {
			plain = append(plain, pkg)
		}
	}
	return plain, races, nil
}

// ordered returns all with those of first in front.
func ordered(first, all []string) []string {
	rest := slices.DeleteFunc(slices.Clone(all), func(pkg string) bool { return slices.Contains(first, pkg) })
	return slices.Concat(first, rest)
}

// list returns the packages that the patterns name, in their order.
func list(patterns ...string) ([]string, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	out, err := exec.Command("go", append([]string{"list"}, patterns...)...).Output()
	return strings.Fields(string(out)), err
}

// test runs one go test. Its exit code is that of its packages, which are counted;
// a run that counted no failure must have succeeded.
func (t *tally) test(args []string) error {
	cmd := exec.Command("go", args...)
	if slices.Contains(args, "-race") {
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1") // the race detector is written in C
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	failed, readErr := t.read(out)
	if err := cmd.Wait(); err != nil && failed == 0 {
		return fmt.Errorf("go %s: %w", strings.Join(args[:3], " "), err)
	}
	return readErr
}
