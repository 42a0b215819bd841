package mutations_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hubquote/docs"
	"hubquote/test/mutations"
)

// A text is an answer that is being altered: where each value is in it, and the
// edits so far.
type text struct {
	t     *testing.T
	base  string
	spans map[string]span
	edits []mutations.Edit
}

// A span is where a member of an object is: its key, if it has one, and value.
type span struct{ key, start, end int }

// A change alters an answer.
type change func(*text)

func newText(t *testing.T, base string) *text {
	t.Helper()
	x := &text{t: t, base: base, spans: map[string]span{}}
	x.index(json.NewDecoder(strings.NewReader(base)), "", 0, 0)
	return x
}

// index notes where the values below path are; the next token is the first of
// the value that starts at start.
func (x *text) index(d *json.Decoder, path string, key, start int) {
	token, err := d.Token()
	if err != nil {
		x.t.Fatal(err)
	}
	switch token {
	case json.Delim('{'):
		for d.More() {
			key := x.skip(d)
			name, _ := d.Token()
			x.index(d, strings.TrimPrefix(fmt.Sprintf("%s.%s", path, name), "."), key, x.skip(d))
		}
		d.Token()
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			start := x.skip(d)
			x.index(d, fmt.Sprintf("%s[%d]", path, i), start, start)
		}
		d.Token()
	}
	x.spans[path] = span{key, start, int(d.InputOffset())}
}

// skip returns where the next token starts.
func (x *text) skip(d *json.Decoder) int {
	at := int(d.InputOffset())
	return at + len(x.base[at:]) - len(strings.TrimLeft(x.base[at:], ":,"))
}

func (x *text) at(path string) span {
	x.t.Helper()
	s, ok := x.spans[path]
	if !ok {
		x.t.Fatalf("the answer has no %s", path)
	}
	return s
}

// replace puts text in place of the base's bytes from start to end. The text to
// find is extended to the left, then to the right, until it occurs once.
func (x *text) replace(start, end int, put string) {
	from, to := start, end
	for from == to || strings.Count(x.base, x.base[from:to]) != 1 {
		if from > 0 {
			from--
		} else {
			to++
		}
	}
	x.edits = append(x.edits, mutations.Edit{Find: x.base[from:to], Put: x.base[from:start] + put + x.base[end:to]})
}

// set gives a member another value, written in JSON.
func set(path, value string) change {
	return func(x *text) {
		s := x.at(path)
		x.replace(s.key, s.end, x.base[s.key:s.start]+value)
	}
}

// str is text in JSON.
func str(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// drop removes a member, or an item of an array.
func drop(path string) change {
	return func(x *text) {
		s := x.at(path)
		switch {
		case x.base[s.end] == ',':
			x.replace(s.key, s.end+1, "")
		case x.base[s.key-1] == ',':
			x.replace(s.key-1, s.end, "")
		default: // the only one
			x.replace(s.key, s.end, "")
		}
	}
}

// add puts a member or an item at the end of the object or array at path.
func add(path, member string) change {
	return func(x *text) {
		s := x.at(path)
		x.replace(s.end-1, s.end, ","+member+x.base[s.end-1:s.end])
	}
}

// again repeats a member with another value, behind all others of its object.
func again(path, value string) change {
	return func(x *text) {
		s := x.at(path)
		parent := ""
		if i := strings.LastIndexByte(path, '.'); i >= 0 {
			parent = path[:i]
		}
		add(parent, x.base[s.key:s.start]+value)(x)
	}
}

// bytes overwrites bytes of hexadecimal text with others, from an offset on.
func bytes(path string, offset int, digits string) change {
	return func(x *text) {
		from := x.at(path).start + len(`"0x`) + 2*offset
		if x.base[from:from+len(digits)] == digits {
			x.t.Fatalf("%s at %d is already %s", path, offset, digits)
		}
		x.replace(from, from+len(digits), digits)
	}
}

// cut ends hexadecimal text after some bytes.
func cut(path string, length int) change {
	return func(x *text) {
		s := x.at(path)
		x.replace(s.start+len(`"0x`)+2*length, s.end-1, "")
	}
}

// also makes several changes.
func also(list ...change) change {
	return func(x *text) {
		for _, c := range list {
			c(x)
		}
	}
}

// A vector is a request and its answer in docs/vectors.json.
type vector struct {
	Name  string
	Quote json.RawMessage
}

// published are the vectors of docs/vectors.json.
func published() []vector {
	var v struct{ Vectors []vector }
	if err := json.Unmarshal(docs.Vectors, &v); err != nil {
		panic(err)
	}
	return v.Vectors
}

// lower and upper write a string in other letters.
func lower(path string) change { return respell(path, strings.ToLower) }
func upper(path string) change {
	return respell(path, func(s string) string { return "0x" + strings.ToUpper(strings.TrimPrefix(s, "0x")) })
}

func respell(path string, spell func(string) string) change {
	return func(x *text) {
		s := x.at(path)
		set(path, str(spell(x.base[s.start+1:s.end-1])))(x)
	}
}
