package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// A screen is where a command writes. Colours and lines that change are for
// terminals only; a file or a pipe gets the same words plain.
type screen struct {
	io.Writer
	terminal bool
}

func newScreen(w io.Writer) screen {
	f, ok := w.(*os.File)
	if !ok {
		return screen{w, false}
	}
	info, err := f.Stat()
	return screen{w, err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (s screen) paint(code, text string) string {
	if !s.terminal {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s screen) bold(text string) string  { return s.paint("1", text) }
func (s screen) dim(text string) string   { return s.paint("2", text) }
func (s screen) green(text string) string { return s.paint("32", text) }
func (s screen) red(text string) string   { return s.paint("31", text) }
func (s screen) blue(text string) string  { return s.paint("36", text) }

func (s screen) println(parts ...any) { fmt.Fprintln(s, parts...) }

// A table is rows of cells that are printed one below the other.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print pads before it paints: a colour has no width.
func (t *table) print(s screen) {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	s.println(s.dim(line(t.head, widths)))
	for _, row := range t.rows {
		s.println(line(row, widths))
	}
}

func line(cells []string, widths []int) string {
	var b strings.Builder
	b.WriteString("  ")
	for i, cell := range cells {
		b.WriteString(cell)
		if i < len(cells)-1 {
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
	}
	return b.String()
}

// short is a hash or an address as people compare it.
func short(hex string) string {
	if len(hex) < 14 {
		return hex
	}
	return hex[:6] + "…" + hex[len(hex)-4:]
}
