package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"strings"
)

// flags are a command's flags; each can also be set in the environment.
type flags struct {
	*flag.FlagSet
	about string          // what the command does, for its help
	given map[string]bool // flags that were set, on the command line or in the environment
	std   std
	wrong error // the first secret that does not parse
}

func newFlags(name, about string, s std) *flags {
	f := &flags{flag.NewFlagSet(name, flag.ContinueOnError), about, map[string]bool{}, s, nil}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// secret declares a flag whose value must not be printed. The flag package
// repeats a value it cannot use, so such a value is taken at first and
// complained about later, without it.
func (f *flags) secret(v flag.Value, name, usage string) {
	f.Var(&hidden{v, name, f}, name, usage)
}

type hidden struct {
	flag.Value
	name  string
	flags *flags
}

func (h *hidden) Set(s string) error {
	if err := h.Value.Set(s); err != nil && h.flags.wrong == nil {
		h.flags.wrong = fmt.Errorf("%s: %s: %w", h.flags.Name(), h.name, err)
	}
	return nil
}

// String is called by the flag package on a zero value too.
func (h *hidden) String() string {
	if h.Value == nil {
		return ""
	}
	return h.Value.String()
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
	return cmp.Or(f.parseEnv(), f.wrong)
}

func (f *flags) parseEnv() (err error) {
	f.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		value, ok := f.std.env(envName(fl.Name))
		if !ok || f.given[fl.Name] || err != nil {
			return
		}
		f.given[fl.Name] = true
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
