package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// flags are a command's flags; each can also be set in the environment.
type flags struct {
	*flag.FlagSet
	about string // what the command does, for its help
	std   std
}

func newFlags(name, about string, s std) *flags {
	f := &flags{flag.NewFlagSet(name, flag.ContinueOnError), about, s}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// parse reads the command line, then the environment for what the command line
// left unsaid.
func (f *flags) parse(args []string) error {
	if err := f.Parse(args); err == flag.ErrHelp {
		f.help()
		return err
	} else if err != nil {
		return fmt.Errorf("%s: %w; see hubquote %s --help", f.Name(), err, f.Name())
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s: unexpected argument %q; see hubquote %s --help", f.Name(), f.Arg(0), f.Name())
	}
	return f.parseEnv()
}

func (f *flags) parseEnv() (err error) {
	given := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		value, ok := f.std.env(envName(fl.Name))
		if !ok || given[fl.Name] || err != nil {
			return
		}
		if e := f.Set(fl.Name, value); e != nil {
			err = fmt.Errorf("%s: %s in the environment: %w", f.Name(), envName(fl.Name), e)
		}
	})
	return err
}

// envName is the environment variable of a flag: HUBQUOTE_LOG_LEVEL for
// --log-level.
func envName(flag string) string {
	return "HUBQUOTE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func (f *flags) help() {
	fmt.Fprintf(f.std.out, "%s\n\nFlags, each with the environment variable that stands in for it:\n", f.about)
	f.VisitAll(func(fl *flag.Flag) {
		value, usage := flag.UnquoteUsage(fl)
		fmt.Fprintf(f.std.out, "\n  --%s %s", fl.Name, value)
		fmt.Fprintf(f.std.out, "   (%s", envName(fl.Name))
		if fl.DefValue != "" {
			fmt.Fprintf(f.std.out, ", default %s", fl.DefValue)
		}
		fmt.Fprintf(f.std.out, ")\n      %s\n", strings.ReplaceAll(usage, "\n", "\n      "))
	})
}
