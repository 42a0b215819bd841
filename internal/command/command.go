// Package command is the frame of a program with several commands: its help, its
// version, its exit codes, and the streams and environment that a command gets.
//
// An error is printed as one line, the problem and the remedy, and only here.
package command

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"hubquote/internal/flags"
	"hubquote/internal/term"
)

// A Program is a list of commands.
type Program struct {
	Name         string
	Intro, Outro string // the help, before and after the list of commands
	Commands     []Command

	// Default is the command to run when none is named, also when the first word
	// is a flag. Empty means the help.
	Default string
}

// A Command is one verb of the command line.
type Command struct {
	Name, Summary string
	Run           func(args []string, s Std) error
}

// An Exit is an error that is no failure: the program ends with that code and
// prints nothing more.
type Exit int

func (e Exit) Error() string { return fmt.Sprint("exit ", int(e)) }

// Run performs a command line and returns the exit code.
func (p Program) Run(args []string, s Std) int {
	s.Program = p.Name
	err := p.dispatch(args, s)
	if code, ok := errors.AsType[Exit](err); ok {
		return int(code)
	}
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	s.complain(err)
	return 1
}

func (p Program) dispatch(args []string, s Std) error {
	if len(args) == 0 {
		args = []string{cmp.Or(p.Default, "help")}
	}
	if slices.Contains([]string{"help", "-h", "--help"}, args[0]) {
		_, err := io.WriteString(s.Out, p.help())
		return err
	}
	for _, c := range p.Commands {
		if c.Name == args[0] {
			return c.Run(args[1:], s)
		}
	}
	if p.Default != "" && strings.HasPrefix(args[0], "-") {
		return p.dispatch(append([]string{p.Default}, args...), s)
	}
	return fmt.Errorf("there is no command %q; %s --help lists those there are", args[0], p.Name)
}

func (p Program) help() string {
	var b strings.Builder
	b.WriteString(p.Intro)
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "  %-8s %s\n", c.Name, c.Summary)
	}
	b.WriteString(p.Outro)
	return b.String()
}

// Version returns the command that prints the version and the commit.
func Version(version, commit string) Command {
	return Command{"version", "print the version", func(_ []string, s Std) error {
		_, err := fmt.Fprintf(s.Out, "%s %s (commit %s, %s)\n", s.Program, version, commit, runtime.Version())
		return err
	}}
}

// Std is the surroundings of a command.
type Std struct {
	Program  string // set by [Program.Run]
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) (string, bool)
}

// Flags returns a set of flags, which the environment may set too.
func (s Std) Flags(command, about string) *flags.Set {
	return flags.New(flags.Options{Program: s.Program, Command: command, About: about, Out: s.Out, Env: s.Env})
}

// FlagsOnly returns a set of flags that the environment does not set.
func (s Std) FlagsOnly(command, about string) *flags.Set {
	s.Env = nil
	return s.Flags(command, about)
}

// Terminal returns a terminal for output, with row names of that width.
func (s Std) Terminal(labels int) *term.Terminal {
	t := term.New(s.Out, s.Env)
	t.Labels = labels
	return t
}

// errorTimeout bounds how long an error may take to print, because a reader that
// has stalled must not keep the program from ending.
const errorTimeout = time.Second

func (s Std) complain(err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fmt.Fprintf(s.Err, "%s: %v\n", s.Program, err)
	}()
	select {
	case <-done:
	case <-time.After(errorTimeout):
	}
}
