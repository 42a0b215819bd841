package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// A terminal is where people read. It has colours only if it is one, and if
// they have not asked for none.
type terminal struct {
	w       io.Writer
	colours bool
	labels  int // how wide the names of rows are
}

func newTerminal(s std, labels int) *terminal {
	noColour, _ := s.env("NO_COLOR")
	term, _ := s.env("TERM")
	return &terminal{s.out, isTerminal(s.out) && noColour == "" && term != "dumb", labels}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (t *terminal) style(code, s string) string {
	if !t.colours {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (t *terminal) bold(s string) string   { return t.style("1", s) }
func (t *terminal) dim(s string) string    { return t.style("2", s) }
func (t *terminal) green(s string) string  { return t.style("32", s) }
func (t *terminal) yellow(s string) string { return t.style("33", s) }

func (t *terminal) line(parts ...string) { fmt.Fprintln(t.w, strings.Join(parts, "")) }

// row prints a name and what it stands for, aligned with the other rows.
func (t *terminal) row(name, value string, notes ...string) {
	line := "  " + t.dim(padded(name, t.labels)) + value
	if len(notes) > 0 {
		line += "  " + t.dim(strings.Join(notes, "  "))
	}
	t.line(strings.TrimRight(line, " "))
}

// good and careful end an answer: what has been made sure of, and what has not.
func (t *terminal) good(s string)    { t.line("  ", t.green("✓ "), s) }
func (t *terminal) careful(s string) { t.line("  ", t.yellow("! "), s) }

func padded(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}
