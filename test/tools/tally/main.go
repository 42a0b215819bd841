// Tally runs go test over every package, those that share state between
// goroutines with the race detector and the others without it, and ends with
// one line that says how many tests ran, how long, and which packages were slow.
//
//	tally [-C DIR] [-timeout 30m] RACED-PACKAGE ...
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

func main() {
	timeout := flag.String("timeout", "30m", "of one package's tests")
	dir := flag.String("C", ".", "the module to test")
	flag.Parse()
	if err := os.Chdir(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	if err := run(*timeout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

func run(timeout string, raced []string) error {
	all, err := list("./...")
	if err != nil {
		return err
	}
	races, err := list(raced...)
	if err != nil {
		return err
	}
	plain := slices.DeleteFunc(all, func(pkg string) bool { return slices.Contains(races, pkg) })
	start, t := time.Now(), newTally(os.Stdout)
	for _, args := range [][]string{
		append([]string{"test", "-json", "-timeout", timeout}, plain...),
		append([]string{"test", "-json", "-race", "-timeout", timeout}, races...),
		{"-C", "test/tools", "test", "-json", "./..."},
	} {
		if err := t.test(args); err != nil {
			return err
		}
	}
	fmt.Println(t.sum(time.Since(start)))
	if t.failed > 0 {
		return fmt.Errorf("%d packages failed", t.failed)
	}
	return nil
}

// list returns the packages that the patterns name.
func list(patterns ...string) ([]string, error) {
	out, err := exec.Command("go", append([]string{"list"}, patterns...)...).Output()
	return strings.Fields(string(out)), err
}

// test runs one go test. Its exit code is that of its packages, which are counted;
// a run that counted no failure must have succeeded.
func (t *tally) test(args []string) error {
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	before := t.failed
	readErr := t.read(out)
	if err := cmd.Wait(); err != nil && t.failed == before {
		return fmt.Errorf("go %s: %w", strings.Join(args[:3], " "), err)
	}
	return readErr
}
