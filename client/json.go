package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

var (
	errJSON = errors.New("not one well-formed piece of JSON")
	errDeep = errors.New("nested deeper than any answer")
)

const maxDepth = 16

// parseJSON reads exactly one value. A key that is there twice is refused: two
// readers could each believe a different one.
func parseJSON(text []byte) (*value, error) {
	if !json.Valid(text) {
		return nil, errJSON
	}
	s := &scanner{text: text}
	return s.value(0)
}

// A scanner takes values off the front of JSON that is known to be well formed.
// The standard decoder would do, but forgets the order of keys, or allocates
// for every byte of it.
type scanner struct{ text []byte }

func (s *scanner) value(depth int) (*value, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch s.peek() {
	case '{':
		return s.object(depth)
	case '[':
		return s.array(depth)
	case '"':
		return &value{kind: str, text: s.string()}, nil
	default:
		end := bytes.IndexAny(s.text, ",]} \t\r\n")
		if end < 0 {
			end = len(s.text)
		}
		return &value{kind: literal, text: string(s.take(end))}, nil
	}
}

func (s *scanner) object(depth int) (*value, error) {
	v := &value{kind: object}
	for s.open('}') {
		key := s.string()
		s.peek()
		s.take(1) // the colon
		if v.member(key) != nil {
			return nil, fmt.Errorf("the key %s is there twice", printable(key))
		}
		item, err := s.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.members = append(v.members, member{key, item})
	}
	return v, nil
}

func (s *scanner) array(depth int) (*value, error) {
	v := &value{kind: array}
	for s.open(']') {
		item, err := s.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
	}
	return v, nil
}

// open drops the bracket or comma before the next element of a list, and
// reports whether there is one. If not, it has dropped the closing bracket.
func (s *scanner) open(closing byte) bool {
	if s.peek() == closing {
		s.take(1)
		return false
	}
	s.take(1)
	if s.peek() == closing { // of an empty list
		s.take(1)
		return false
	}
	return true
}

// string reads a string; what has an escape in it is left to the standard
// library.
func (s *scanner) string() (out string) {
	end := 1
	for s.text[end] != '"' {
		if s.text[end] == '\\' {
			end++
		}
		end++
	}
	quoted := s.take(end + 1)
	if bytes.IndexByte(quoted, '\\') < 0 {
		return strings.ToValidUTF8(string(quoted[1:end]), "�")
	}
	json.Unmarshal(quoted, &out)
	return out
}

// peek skips white space and returns the byte behind it.
func (s *scanner) peek() byte {
	s.text = bytes.TrimLeft(s.text, " \t\r\n")
	return s.text[0]
}

func (s *scanner) take(n int) []byte {
	head := s.text[:n]
	s.text = s.text[n:]
	return head
}
