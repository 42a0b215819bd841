package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// flags are a command's flags; each can also be set in the environment.
type flags struct {
	*flag.FlagSet
	about string          // what the command does, for its help
	given map[string]bool // flags that were set, on the command line or in the environment
	std   std
	wrong error // the first secret that does not parse

	// env names the variables of flags that read the environment themselves.
	env map[string]string

	// secretive is set when a flag holds a secret. A misplaced argument may
	// then be one, and is not repeated.
	secretive bool
}

func newFlags(name, about string, s std) *flags {
	f := &flags{
		FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), about: about, std: s,
		given: map[string]bool{}, env: map[string]string{},
	}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// secret declares a flag whose value must not be printed. The flag package
// repeats a value it cannot use, so such a value is taken at first and
// complained about later, without it.
func (f *flags) secret(v flag.Value, name, usage string) {
	f.secretive = true
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
		return fmt.Errorf("%s: %s; see hubquote %s --help", f.Name(), f.discreet(err), f.Name())
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s: unexpected argument %s; see hubquote %s --help", f.Name(), f.argument(args), f.Name())
	}
	return cmp.Or(f.parseEnv(), f.wrong)
}

// discreet is err without an argument that cannot be told from a secret: one
// with a dash too many, such as ---redis=URL.
func (f *flags) discreet(err error) string {
	const syntax = "bad flag syntax"
	if f.secretive && strings.HasPrefix(err.Error(), syntax) {
		return syntax
	}
	return err.Error()
}

// argument is the first that is no flag, or its place.
func (f *flags) argument(args []string) string {
	if f.secretive {
		return fmt.Sprintf("in place %d", len(args)-f.NArg()+1)
	}
	return strconv.Quote(f.Arg(0))
}

func (f *flags) parseEnv() (err error) {
	f.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		value, ok := f.std.env(envName(fl.Name))
		if !ok || f.given[fl.Name] || f.env[fl.Name] != "" || err != nil {
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
		fmt.Fprintf(f.std.out, "   (%s", cmp.Or(f.env[fl.Name], envName(fl.Name)))
		if fl.DefValue != "" {
			fmt.Fprintf(f.std.out, ", default %s", fl.DefValue)
		}
		fmt.Fprintf(f.std.out, ")\n      %s\n", strings.ReplaceAll(usage, "\n", "\n      "))
	})
}
