package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A document is one that a newcomer follows: its blocks, in order.
type document struct {
	name   string
	blocks []block
}

type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

func read(t *testing.T, clone, name string) document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(clone, name))
	if err != nil {
		t.Fatal(err)
	}
	d := document{name: name}
	for _, found := range fence.FindAllStringSubmatch(string(text), -1) {
		d.blocks = append(d.blocks, block{found[1], found[2]})
	}
	return d
}

// find returns the first block of a language that contains some words.
func (d document) find(t *testing.T, language, words string) block {
	t.Helper()
	for _, b := range d.blocks {
		if b.language == language && strings.Contains(b.text, words) {
			return b
		}
	}
	t.Fatalf("%s has no block of %s with %q, want one", d.name, language, words)
	return block{}
}

// commands are the lines behind a prompt, and output is the others.
func (b block) commands() string { return b.lines(true) }

func (b block) output() string { return b.lines(false) }

func (b block) lines(typed bool) string {
	var out strings.Builder
	for line := range strings.Lines(b.text) {
		if command, prompt := strings.CutPrefix(line, "$ "); prompt == typed {
			out.WriteString(command)
		}
	}
	return out.String()
}

// looksLike reports whether a text is what a document shows, in which … stands for
// what is left out.
func looksLike(shown, text string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(shown)), "…", ".*?")
	return regexp.MustCompile("(?s)^" + pattern + "$").MatchString(strings.TrimSpace(text))
}
