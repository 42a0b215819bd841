// Package flags reads the settings of one command from its flags, from environment
// variables, and from a TOML file, in that order of precedence.
//
// A value that may be a secret is never part of an error. This is why no library
// is used: peterbourgon/ff repeats values in its errors, ignores an empty
// variable, and turns a list, a table or a date into text.
package flags

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Options configure a [Set].
type Options struct {
	Program string // such as "hubquote"
	Command string // such as "serve"
	About   string // first line of the help

	// Out receives the help.
	Out io.Writer

	// Env looks up an environment variable. Nil means that the command reads
	// none.
	Env func(string) (string, bool)
}

// A Set is the flags of one command.
type Set struct {
	*flag.FlagSet
	opts     Options
	given    map[string]bool   // flags that were set, on the command line or in the environment
	env      map[string]string // variables of flags that are read elsewhere
	unfiled  map[string]bool   // flags that are not read from a file
	typed    map[string]bool   // flags that are not read from the environment
	wrong    error             // the first secret that does not parse
	secretly bool              // a misplaced argument may be a secret, and is not repeated
}

// New returns a set without flags.
func New(opts Options) *Set {
	f := &Set{
		FlagSet: flag.NewFlagSet(opts.Command, flag.ContinueOnError), opts: opts,
		given: map[string]bool{}, env: map[string]string{}, unfiled: map[string]bool{},
		typed: map[string]bool{},
	}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// Secret declares a flag whose value must not be printed. The flag package repeats
// an invalid value in its error, so an invalid value is accepted at first and
// refused after parsing, with an error that does not repeat it.
func (f *Set) Secret(v flag.Value, name, usage string) {
	f.secretly = true
	f.Var(&hidden{v, name, f}, name, usage)
}

// ReadsEnv names the variable of a flag that the command looks up itself.
func (f *Set) ReadsEnv(flag, variable string) { f.env[flag] = variable }

// NotInFile marks flags that a file may not set.
func (f *Set) NotInFile(flags ...string) {
	for _, name := range flags {
		f.unfiled[name] = true
	}
}

// NotInEnv marks flags that the environment may not set.
func (f *Set) NotInEnv(flags ...string) {
	for _, name := range flags {
		f.typed[name] = true
	}
}

// Parse reads the command line, which has flags only, then the environment.
func (f *Set) Parse(args []string) error {
	if err := f.FlagSet.Parse(args); err == flag.ErrHelp {
		f.help()
		return err
	} else if err != nil {
		return fmt.Errorf("%s: %s; %s", f.Name(), f.discreet(err), f.seeHelp())
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s: unexpected argument %s; %s", f.Name(), f.argument(args), f.seeHelp())
	}
	return cmp.Or(f.parseEnv(), f.wrong)
}

func (f *Set) seeHelp() string { return fmt.Sprintf("see %s %s --help", f.opts.Program, f.Name()) }

// ParseMixed is [Set.Parse] for a command with other arguments, which may come
// before, between and after the flags. It returns them. A single dash is one.
func (f *Set) ParseMixed(args []string) (rest []string, err error) {
	var options []string
	for i := 0; i < len(args); i++ {
		name := strings.TrimLeft(args[i], "-")
		if name == args[i] || name == "" {
			rest = append(rest, args[i])
			continue
		}
		options = append(options, args[i])
		if fl := f.Lookup(name); fl != nil && !isSwitch(fl) && i+1 < len(args) {
			i++
			options = append(options, args[i])
		}
	}
	return rest, f.Parse(options)
}

// isSwitch reports whether a flag takes no value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// discreet returns err without an argument that may hold a secret, such as
// ---redis=URL, which has one dash too many.
func (f *Set) discreet(err error) string {
	const syntax = "bad flag syntax"
	if f.secretly && strings.HasPrefix(err.Error(), syntax) {
		return syntax
	}
	return err.Error()
}

// argument returns the first argument that is no flag, or its position if it may be
// a secret.
func (f *Set) argument(args []string) string {
	if f.secretly {
		return fmt.Sprintf("in place %d", len(args)-f.NArg()+1)
	}
	return strconv.Quote(f.Arg(0))
}

func (f *Set) parseEnv() (err error) {
	f.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	if f.opts.Env == nil {
		return nil
	}
	f.VisitAll(func(fl *flag.Flag) {
		value, ok := f.opts.Env(f.Variable(fl.Name))
		if !ok || f.given[fl.Name] || f.typed[fl.Name] || f.env[fl.Name] != "" || err != nil {
			return
		}
		f.given[fl.Name] = true
		if e := f.Set(fl.Name, value); e != nil {
			err = fmt.Errorf("%s: %s in the environment: %w", f.Name(), f.Variable(fl.Name), e)
		}
	})
	return err
}

// Given reports whether a flag was set on the command line or in the
// environment.
func (f *Set) Given(name string) bool { return f.given[name] }

// AllOrNone reports whether all of these flags were given. Some of them without
// the others are an error.
func (f *Set) AllOrNone(names ...string) (bool, error) {
	given := 0
	for _, name := range names {
		if f.Given(name) {
			given++
		}
	}
	if given != 0 && given != len(names) {
		return false, fmt.Errorf("%s: give all of --%s, or none", f.Name(), strings.Join(names, ", --"))
	}
	return given != 0, nil
}

// Variable is the environment variable of a flag: HUBQUOTE_LOG_LEVEL for
// --log-level of hubquote.
func (f *Set) Variable(name string) string {
	own := f.opts.Program + "_" + strings.ReplaceAll(name, "-", "_")
	return cmp.Or(f.env[name], strings.ToUpper(own))
}
