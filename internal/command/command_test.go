package command_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"hubquote/internal/command"
)

// program has one command for each way to end.
func program(fallback string) command.Program {
	ends := func(err error) func([]string, command.Std) error {
		return func([]string, command.Std) error { return err }
	}
	return command.Program{
		Name: "tool", Intro: "before\n", Outro: "after\n", Default: fallback,
		Commands: []command.Command{
			{Name: "works", Summary: "ends without an error", Run: ends(nil)},
			{Name: "fails", Summary: "ends with an error", Run: ends(errors.New("fails: no file; name one"))},
			{Name: "helps", Summary: "prints its help", Run: ends(fmt.Errorf("helps: %w", flag.ErrHelp))},
			{Name: "tells", Summary: "ends with a code", Run: ends(fmt.Errorf("tells: %w", command.Exit(4)))},
			{Name: "echo", Summary: "prints its arguments", Run: func(args []string, s command.Std) error {
				_, err := fmt.Fprintln(s.Out, s.Program, args)
				return err
			}},
			command.Version("1.2.3", "abc"),
		},
	}
}

const help = `before
  works    ends without an error
  fails    ends with an error
  helps    prints its help
  tells    ends with a code
  echo     prints its arguments
  version  print the version
after
`

func TestRun(t *testing.T) {
	tests := []struct {
		name      string
		args      []string
		fallback  string
		code      int
		out, errs string
	}{
		{"no command prints the help", nil, "", 0, help, ""},
		{"no command runs the default", nil, "echo", 0, "tool []\n", ""},
		{"help", []string{"help"}, "echo", 0, help, ""},
		{"-h", []string{"-h"}, "", 0, help, ""},
		{"--help", []string{"--help"}, "", 0, help, ""},
		{"success is 0", []string{"works"}, "", 0, "", ""},
		{"an error is one line and 1", []string{"fails"}, "", 1, "", "tool: fails: no file; name one\n"},
		{"the help of a command is 0", []string{"helps"}, "", 0, "", ""},
		{"an exit code is returned without a line", []string{"tells"}, "", 4, "", ""},
		{"arguments are handed on", []string{"echo", "a", "--b"}, "", 0, "tool [a --b]\n", ""},
		{"an unknown command", []string{"fly"}, "works", 1, "", "tool: there is no command \"fly\"; tool --help lists those there are\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := program(tt.fallback).Run(tt.args, command.Std{Out: &out, Err: &errs})
			if code != tt.code || out.String() != tt.out || errs.String() != tt.errs {
				t.Errorf("Run(%q) = %d, output %q, errors %q; want %d, %q, %q", tt.args, code, &out, &errs, tt.code, tt.out, tt.errs)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	var out bytes.Buffer
	program("").Run([]string{"version"}, command.Std{Out: &out})
	if want := "tool 1.2.3 (commit abc, go"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("version = %q, want a line that begins with %q", &out, want)
	}
}

func TestStalledReaderDoesNotKeepTheProgram(t *testing.T) {
	r, w := io.Pipe() // a write waits until it is read
	defer r.Close()
	if code := program("").Run([]string{"fails"}, command.Std{Out: io.Discard, Err: w}); code != 1 {
		t.Errorf("exit code = %d, want 1", code)
	}
}

func TestFlagsReadTheEnvironment(t *testing.T) {
	s := command.Std{Program: "tool", Out: io.Discard, Env: os.LookupEnv}
	t.Setenv("TOOL_PLACE", "there")
	f, only := s.Flags("echo", ""), s.FlagsOnly("echo", "")
	got, untouched := f.String("place", "here", ""), only.String("place", "here", "")
	if err := errors.Join(f.Parse(nil), only.Parse(nil)); err != nil {
		t.Fatal(err)
	}
	if *got != "there" || *untouched != "here" {
		t.Errorf("Flags read %q and FlagsOnly %q, want there and here", *got, *untouched)
	}
}
