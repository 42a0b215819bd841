package flags

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// CheckEnv refuses a variable of environ, which is as [os.Environ] returns it, that
// begins with the program's name and is no setting of the command: the setting that
// it was meant for would silently keep its default. The error names the variable,
// never its value.
func (f *Set) CheckEnv(environ []string) error {
	known := f.variables()
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, strings.ToUpper(f.opts.Program)+"_") || isKnown(name, known) {
			continue
		}
		return fmt.Errorf("%s: %s in the environment is no setting; the nearest is %s; %s", f.Name(), name, nearest(name, known), f.seeHelp())
	}
	return nil
}

// variables are those of all flags. One that ends in <name> stands for many.
func (f *Set) variables() (list []string) {
	f.VisitAll(func(fl *flag.Flag) {
		if !f.typed[fl.Name] {
			list = append(list, f.Variable(fl.Name))
		}
	})
	return list
}

// isKnown leaves it to the command to judge what stands for <name>.
func isKnown(name string, known []string) bool {
	return slices.ContainsFunc(known, func(variable string) bool {
		stem, _, many := strings.Cut(variable, "_<")
		return name == variable || many && (name == stem || strings.HasPrefix(name, stem+"_"))
	})
}

// nearest returns the variable that takes the fewest edits to get to.
func nearest(name string, known []string) string {
	return slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// distance is how many letters must be inserted, removed or replaced to make b of
// a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
