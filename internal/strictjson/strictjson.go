// Package strictjson reads JSON without losing or guessing anything: the order
// of keys and the text of numbers are kept, and text that two readers could
// understand differently is refused.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// A SyntaxError says why a text is not JSON that is read here.
type SyntaxError string

func (e SyntaxError) Error() string { return string(e) }

const (
	errSyntax  SyntaxError = "it is not one well-formed JSON value"
	errUTF8    SyntaxError = "it has bytes that are not UTF-8, or half of a surrogate pair"
	errTooDeep SyntaxError = "it is nested deeper than 32 levels"
)

// MaxDepth is how many objects and arrays may be open at once.
const MaxDepth = 32

// A RepeatedError names a key that an object has twice.
type RepeatedError struct{ Path string }

func (e *RepeatedError) Error() string { return fmt.Sprintf("the key %q is repeated", e.Path) }

// Parse reads exactly one value. The error is a [SyntaxError], or else a
// [*RepeatedError] for the first key that is repeated: two readers could each
// take a different one of its values. The value comes with that error too.
func Parse(text []byte) (*Value, error) {
	switch {
	case !utf8.Valid(text) || hasLoneSurrogate(text):
		return nil, errUTF8
	case !json.Valid(text):
		return nil, errSyntax
	}
	r := reader{rest: text}
	v := r.value(nil, 0)
	if r.tooDeep {
		return nil, errTooDeep
	}
	if r.repeated != nil {
		return v, r.repeated
	}
	return v, nil
}

// Of returns the value that v is in JSON.
func Of(v any) (*Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// A reader makes values of a text that is known to be well-formed.
type reader struct {
	rest     []byte
	tooDeep  bool
	repeated *RepeatedError
}

// A place is where a value is in another. Its path is made only for an error: texts of
// strangers can have long keys above many values.
type place struct {
	above  *place // nil for the whole text
	key    string
	isItem bool
	index  int
}

func (p *place) path() string {
	switch {
	case p == nil:
		return ""
	case p.isItem:
		return item(p.above.path(), p.index)
	default:
		return Join(p.above.path(), p.key)
	}
}

func (r *reader) value(at *place, depth int) *Value {
	c := r.peek()
	switch {
	case c == '"':
		return &Value{Kind: String, Text: r.string()}
	case c != '{' && c != '[':
		return &Value{Kind: Literal, Text: r.literal()}
	case depth == MaxDepth:
		r.tooDeep = true
		return &Value{}
	case c == '{':
		return r.object(at, depth)
	default:
		return r.array(at, depth)
	}
}

func (r *reader) object(at *place, depth int) *Value {
	v := &Value{Kind: Object}
	seen := map[string]bool{}
	here := &place{above: at}
	for r.more('}') {
		r.peek()
		here.key = r.string()
		if seen[here.key] && r.repeated == nil {
			r.repeated = &RepeatedError{here.path()}
		}
		seen[here.key] = true
		r.peek()
		r.rest = r.rest[len(":"):]
		v.Members = append(v.Members, Member{here.key, r.value(here, depth+1)})
	}
	return v
}

func (r *reader) array(at *place, depth int) *Value {
	v := &Value{Kind: Array}
	here := &place{above: at, isItem: true}
	for r.more(']') {
		v.Items = append(v.Items, r.value(here, depth+1))
		here.index++
	}
	return v
}

// more goes past a bracket that opens, a comma, or the bracket that closes, and
// reports whether another member or item follows.
func (r *reader) more(closing byte) bool {
	if r.tooDeep {
		return false
	}
	c := r.peek()
	r.rest = r.rest[1:]
	if c != closing && c != ',' && r.peek() == closing { // it is empty
		c, r.rest = closing, r.rest[1:]
	}
	return c != closing
}

// peek returns the first byte that is not white space.
func (r *reader) peek() byte {
	r.rest = bytes.TrimLeft(r.rest, " \t\r\n")
	return r.rest[0]
}

func (r *reader) string() (s string) {
	end := 1
	for r.rest[end] != '"' {
		if r.rest[end] == '\\' {
			end++
		}
		end++
	}
	quoted := r.rest[:end+1]
	r.rest = r.rest[end+1:]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:end])
	}
	json.Unmarshal(quoted, &s)
	return s
}

func (r *reader) literal() string {
	end := bytes.IndexAny(r.rest, ",]} \t\r\n")
	if end < 0 {
		end = len(r.rest)
	}
	text := r.rest[:end]
	r.rest = r.rest[end:]
	return string(text)
}

// hasLoneSurrogate reports whether an escape in text is half of a surrogate
// pair, which the standard library replaces without an error.
func hasLoneSurrogate(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		unit, ok := escape(text[i:])
		if !ok {
			i++ // of two characters, such as \\ or \n
			continue
		}
		i += escapeLen - 1
		if unit < 0xd800 || unit > 0xdfff {
			continue
		}
		low, ok := escape(text[i+1:])
		if unit >= 0xdc00 || !ok || low < 0xdc00 || low > 0xdfff {
			return true
		}
		i += escapeLen
	}
	return false
}

const escapeLen = len(`\u0000`)

// escape reads an escape of the form \u0000 at the front of text.
func escape(text []byte) (unit uint16, ok bool) {
	if len(text) < escapeLen || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:escapeLen] {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | uint16(digit) // below 16
	}
	return unit, true
}
