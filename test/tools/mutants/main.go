// Mutants changes the code of a package in one place at a time and counts how often
// its tests fail. Gremlins lists the changes. All its mutants are run, also those
// that it reports as not covered, because the coverage profile has no block for the
// conditions of a switch and the values of package variables.
//
// Run it from its module, with packages as they are called from the root:
//
//	go -C test/tools run ./mutants internal/fee client
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"text/tabwriter"
)

const enough = 90 // percent of a package's mutants that its tests must kill

func main() {
	log.SetFlags(0)
	flag.Parse()
	root, err := filepath.Abs("../..")
	if err != nil {
		log.Fatal(err)
	}
	ok, err := report(root, flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	if !ok {
		os.Exit(1)
	}
}

// report prints the results of every package, and reports whether enough mutants
// are killed.
func report(root string, packages []string) (bool, error) {
	known, err := readSurvivors(filepath.Join(root, "test/tools/mutants/survivors.txt"))
	if err != nil {
		return false, err
	}
	ok := true
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "package\tmutants\tkilled\tlived\tnot viable\tshare killed\t")
	for _, pkg := range packages {
		c, err := testPackage(root, pkg, known)
		if err != nil {
			return false, fmt.Errorf("%s: %w", pkg, err)
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.1f %%\t\n", pkg, c.total(), c[killed], c[lived], c[notViable], c.share())
		ok = ok && c.share() >= enough
	}
	return ok, table.Flush()
}

// testPackage runs the mutants of a package, and prints the survivors.
func testPackage(root, pkg string, known survivors) (c count, err error) {
	mutants, err := find(root, pkg)
	if err != nil {
		return c, err
	}
	results, err := runAll(root, pkg, mutants)
	if err != nil {
		return c, err
	}
	var alive []*mutant
	for i, m := range mutants {
		c[results[i]]++
		if results[i] == lived {
			alive = append(alive, m)
		}
	}
	known.print(os.Stdout, pkg, alive)
	return c, nil
}

// A count is the number of mutants by result.
type count [3]int

func (c count) total() int { return c[killed] + c[lived] + c[notViable] }

// share is the percentage that is killed of those that compile.
func (c count) share() float64 {
	return 100 * float64(c[killed]) / float64(max(1, c[killed]+c[lived]))
}
