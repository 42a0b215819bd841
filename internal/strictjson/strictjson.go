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
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	r := reader{tokens: d}
	v := r.value("", 0)
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

// A reader makes values of tokens, of a text that is known to be well-formed.
type reader struct {
	tokens   *json.Decoder
	tooDeep  bool
	repeated *RepeatedError
}

func (r *reader) value(path string, depth int) *Value {
	token, _ := r.tokens.Token()
	switch t := token.(type) {
	case json.Delim:
		if depth == MaxDepth {
			r.tooDeep = true
			return &Value{}
		}
		if t == '{' {
			return r.object(path, depth)
		}
		return r.array(path, depth)
	case string:
		return &Value{Kind: String, Text: t}
	case json.Number:
		return &Value{Kind: Literal, Text: t.String()}
	case bool:
		return &Value{Kind: Literal, Text: fmt.Sprint(t)}
	default:
		return &Value{Kind: Literal, Text: "null"}
	}
}

func (r *reader) object(path string, depth int) *Value {
	v := &Value{Kind: Object}
	seen := map[string]bool{}
	for r.tokens.More() && !r.tooDeep {
		token, _ := r.tokens.Token()
		key, _ := token.(string)
		at := Join(path, key)
		if seen[key] && r.repeated == nil {
			r.repeated = &RepeatedError{at}
		}
		seen[key] = true
		v.Members = append(v.Members, Member{key, r.value(at, depth+1)})
	}
	r.tokens.Token()
	return v
}

func (r *reader) array(path string, depth int) *Value {
	v := &Value{Kind: Array}
	for r.tokens.More() && !r.tooDeep {
		v.Items = append(v.Items, r.value(item(path, len(v.Items)), depth+1))
	}
	r.tokens.Token()
	return v
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
