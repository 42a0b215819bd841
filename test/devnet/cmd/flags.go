package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// newFlags returns the flags of one command, whose help begins with about.
func newFlags(name, about string, s std) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() { help(f, about, s.out) }
	return f
}

// parse reads a command line that has flags and nothing else.
func parse(f *flag.FlagSet, args []string) error {
	err := f.Parse(args)
	switch {
	case err == flag.ErrHelp:
		return err
	case err != nil:
		return fmt.Errorf("%s: %w; see devnet %s --help", f.Name(), err, f.Name())
	case f.NArg() > 0:
		return fmt.Errorf("%s: unexpected argument %q; see devnet %s --help", f.Name(), f.Arg(0), f.Name())
	}
	return nil
}

func help(f *flag.FlagSet, about string, w io.Writer) {
	fmt.Fprintf(w, "%s\n\nFlags:\n", about)
	f.VisitAll(func(fl *flag.Flag) {
		value, usage := flag.UnquoteUsage(fl)
		fmt.Fprintf(w, "\n  --%s %s", fl.Name, value)
		if fl.DefValue != "" && fl.DefValue != "false" {
			fmt.Fprintf(w, "   (default %s)", fl.DefValue)
		}
		fmt.Fprintf(w, "\n      %s\n", strings.ReplaceAll(usage, "\n", "\n      "))
	})
}
