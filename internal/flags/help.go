package flags

import (
	"flag"
	"fmt"
	"strings"
)

func (f *Set) help() {
	title := "Flags:"
	if f.opts.Env != nil {
		title = "Flags, each with the environment variable that stands in for it:"
	}
	fmt.Fprintf(f.opts.Out, "%s\n\n%s\n", f.opts.About, title)
	f.VisitAll(func(fl *flag.Flag) {
		value, usage := flag.UnquoteUsage(fl)
		fmt.Fprintf(f.opts.Out, "\n  --%s %s%s\n      %s\n", fl.Name, value, f.notes(fl), strings.ReplaceAll(usage, "\n", "\n      "))
	})
}

// notes are the variable and the default of a flag.
func (f *Set) notes(fl *flag.Flag) string {
	var notes []string
	if f.opts.Env != nil && !f.typed[fl.Name] {
		notes = append(notes, f.Variable(fl.Name))
	}
	if fl.DefValue != "" {
		notes = append(notes, "default "+fl.DefValue)
	}
	if notes == nil {
		return ""
	}
	return "   (" + strings.Join(notes, ", ") + ")"
}
