// Package term formats the output of commands. It uses colours on a terminal, and
// writes the same text without them to a file or a pipe.
package term

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// A Terminal writes lines, in colour when its output is a terminal and NO_COLOR
// is unset.
type Terminal struct {
	Labels int // width of the names of rows

	w       io.Writer
	colours bool
}

// New returns a terminal. Env looks up an environment variable.
func New(w io.Writer, env func(string) (string, bool)) *Terminal {
	noColour, _ := env("NO_COLOR")
	kind, _ := env("TERM")
	return &Terminal{w: w, colours: isTerminal(w) && noColour == "" && kind != "dumb"}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (t *Terminal) style(code, s string) string {
	if !t.colours {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold and the others return s in that style.
func (t *Terminal) Bold(s string) string   { return t.style("1", s) }
func (t *Terminal) Dim(s string) string    { return t.style("2", s) }
func (t *Terminal) Red(s string) string    { return t.style("31", s) }
func (t *Terminal) Green(s string) string  { return t.style("32", s) }
func (t *Terminal) Yellow(s string) string { return t.style("33", s) }
func (t *Terminal) Cyan(s string) string   { return t.style("36", s) }

// Line prints the parts as one line.
func (t *Terminal) Line(parts ...string) { fmt.Fprintln(t.w, strings.Join(parts, "")) }

// Row prints a name and its value, aligned with the other rows.
func (t *Terminal) Row(name, value string, notes ...string) {
	line := "  " + t.Dim(Pad(name, t.Labels)) + value
	if len(notes) > 0 {
		line += "  " + t.Dim(strings.Join(notes, "  "))
	}
	t.Line(strings.TrimRight(line, " "))
}

// Good prints a line that passed a check, Careful a warning.
func (t *Terminal) Good(s string)    { t.Line("  ", t.Green("✓ "), s) }
func (t *Terminal) Careful(s string) { t.Line("  ", t.Yellow("! "), s) }

// Table prints rows of cells below their headings.
func (t *Terminal) Table(head []string, rows ...[]string) {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	// It pads before it styles: a colour has no width.
	t.Line(t.Dim(columns(head, widths)))
	for _, row := range rows {
		t.Line(columns(row, widths))
	}
}

func columns(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		b.WriteString("  " + Pad(cell, widths[i]))
	}
	return strings.TrimRight(b.String(), " ")
}

// Pad adds spaces until s has that width.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// Short returns a hash or an address without its middle.
func Short(hex string) string {
	if len(hex) < 14 {
		return hex
	}
	return hex[:6] + "…" + hex[len(hex)-4:]
}
