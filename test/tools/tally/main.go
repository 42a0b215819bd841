// Tally runs go test over every package, those that share state between
// goroutines with the race detector and the others without it, both at once, and
// ends with one line that says how many tests ran, how long, and which packages were slow.
// It does not vet: make lint has done that.
//
//	tally [-C DIR] [-timeout 30m] [-first 'PACKAGE ...'] [-waiting 'PACKAGE ...'] RACED-PACKAGE ...
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
	waiting := flag.String("waiting", "", "`packages` that mostly wait, one at a time beside the others")
	flag.Parse()
	if err := os.Chdir(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	if err := run(*timeout, strings.Fields(*first), strings.Fields(*waiting), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

// racing leaves SQLite out, C translated to Go: it is not ours, it locks its own
// memory, and watching each of its steps takes longer than all the rest. With the tag
// gofuzz go-ethereum signs in Go, as it does in what is shipped; the race detector needs
// C, and where there is C it would sign in C.
var racing = []string{"-race", "-tags=gofuzz", "-gcflags=modernc.org/sqlite/lib=-race=false", "-gcflags=modernc.org/libc=-race=false"}

func run(timeout string, first, waiting, raced []string) error {
	plain, races, err := split(first, raced)
	if err != nil {
		return err
	}
	waits, err := list(waiting...)
	if err != nil {
		return err
	}
	test := []string{"test", "-json", "-vet=off", "-ldflags=-s -w", "-timeout", timeout}
	// Those with the race detector end last: they are many, and use both cores.
	beside := [][]string{{"-C", "test/tools", "test", "-json", "-vet=off", "./..."}, slices.Concat(test, racing, races)}
	if len(waits) > 0 {
		beside = slices.Insert(beside, 0, slices.Concat(test, []string{"-p", "1"}, waits))
	}
	start, t := time.Now(), newTally(os.Stdout)
	if err := t.together([][]string{slices.Concat(test, without(plain, waits))}, beside); err != nil {
		return err
	}
	fmt.Println(t.sum(time.Since(start)))
	if t.failed > 0 {
		return fmt.Errorf("%d packages failed", t.failed)
	}
	return nil
}

// together runs lists of go test at the same time, each list in its order.
func (t *tally) together(lists ...[][]string) error {
	errs := make([]error, len(lists))
	var running sync.WaitGroup
	for i, list := range lists {
		running.Go(func() {
			for _, args := range list {
				errs[i] = errors.Join(errs[i], t.test(args))
			}
		})
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
	return slices.Concat(first, without(all, first))
}

func without(all, some []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(pkg string) bool { return slices.Contains(some, pkg) })
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
