package client

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Mismatch is a field of an answer that is not what the pins and the request
// make of it. The transaction it belongs to must not be signed.
type Mismatch struct {
	// Field is the path of the field in the answer, such as approval.spender.
	// An argument of a call is named behind the call, as in
	// methodParameters.calldata.recipient.
	Field string

	Want, Got string // empty when there should be, or is, no such field
}

func (m *Mismatch) Error() string {
	switch {
	case m.Want == "":
		return fmt.Sprintf("%s is %s, and should not be there: do not sign", m.Field, printable(m.Got))
	case m.Got == "":
		return fmt.Sprintf("%s is missing, and should be %s: do not sign", m.Field, m.Want)
	default:
		return fmt.Sprintf("%s is %s, and should be %s: do not sign", m.Field, printable(m.Got), m.Want)
	}
}

// printable keeps what a server sent from moving the cursor of a terminal.
func printable(s string) string {
	const enough = 200
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// compare returns the first difference between two values, in the order of
// want, or nil. What got has and want has not comes after that.
func compare(field string, want, got *value) *Mismatch {
	if want.kind != got.kind {
		return &Mismatch{field, want.String(), got.String()}
	}
	switch want.kind {
	case object:
		return compareObjects(field, want, got)
	case array:
		return compareArrays(field, want, got)
	}
	if want.text == got.text {
		return nil
	}
	if name, w, g, ok := differingArgument(want.text, got.text); ok {
		return &Mismatch{join(field, name), w, g}
	}
	return &Mismatch{field, want.String(), got.String()}
}

func compareObjects(field string, want, got *value) *Mismatch {
	for _, m := range want.members {
		path := join(field, m.key)
		other := got.member(m.key)
		if other == nil {
			return &Mismatch{path, m.value.String(), ""}
		}
		if d := compare(path, m.value, other); d != nil {
			return d
		}
	}
	for _, m := range got.members {
		if want.member(m.key) == nil {
			return &Mismatch{join(field, m.key), "", m.value.String()}
		}
	}
	return nil
}

func compareArrays(field string, want, got *value) *Mismatch {
	for i, w := range want.items {
		path := fmt.Sprintf("%s[%d]", field, i)
		if i >= len(got.items) {
			return &Mismatch{path, w.String(), ""}
		}
		if d := compare(path, w, got.items[i]); d != nil {
			return d
		}
	}
	if n := len(want.items); len(got.items) > n {
		return &Mismatch{fmt.Sprintf("%s[%d]", field, n), "", got.items[n].String()}
	}
	return nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// A value is a piece of JSON that has forgotten nothing: neither the order of
// keys nor the spelling of numbers.
type value struct {
	kind    kind
	text    string // of a string, or of a literal as it was written
	members []member
	items   []*value
}

type member struct {
	key   string
	value *value
}

type kind int

const (
	object kind = iota
	array
	str
	literal // a number, true, false or null
)

func (v *value) member(key string) *value {
	for _, m := range v.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// find follows keys down from v; it returns nil where there is nothing.
func (v *value) find(keys ...string) *value {
	for _, key := range keys {
		if v == nil {
			return nil
		}
		v = v.member(key)
	}
	return v
}

// String shows v to a person: scalars as they are, the rest as JSON.
func (v *value) String() string {
	if v.kind == str || v.kind == literal {
		return v.text
	}
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *value) write(b *strings.Builder) {
	switch v.kind {
	case object:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Quote(m.key) + ":")
			m.value.write(b)
		}
		b.WriteByte('}')
	case array:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case str:
		b.WriteString(strconv.Quote(v.text))
	default:
		b.WriteString(v.text)
	}
}

// valueOf is what v is on the wire.
func valueOf(v any) (*value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return parseJSON(text)
}
