package strictjson

import (
	"fmt"
	"strconv"
	"strings"
)

// A Value is JSON with the order of its keys and the text of its numbers.
type Value struct {
	Kind    Kind
	Text    string // of a string, or of a literal as it was written
	Members []Member
	Items   []*Value
}

// A Member is a key of an object and its value.
type Member struct {
	Key   string
	Value *Value
}

// A Kind tells objects, arrays, strings and literals apart.
type Kind int

const (
	Object Kind = iota
	Array
	String
	Literal // a number, true, false or null
)

// Find follows keys down from v; it returns nil where there is no such member.
func (v *Value) Find(keys ...string) *Value {
	for _, key := range keys {
		if v == nil {
			return nil
		}
		v = v.member(key)
	}
	return v
}

func (v *Value) member(key string) *Value {
	for _, m := range v.Members {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// String shows v to people: strings and literals as they are, the rest as JSON.
func (v *Value) String() string {
	if v.Kind == String || v.Kind == Literal {
		return v.Text
	}
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *Value) write(b *strings.Builder) {
	switch v.Kind {
	case Object:
		b.WriteByte('{')
		for i, m := range v.Members {
			comma(b, i)
			b.WriteString(strconv.Quote(m.Key) + ":")
			m.Value.write(b)
		}
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for i, v := range v.Items {
			comma(b, i)
			v.write(b)
		}
		b.WriteByte(']')
	case String:
		b.WriteString(strconv.Quote(v.Text))
	default:
		b.WriteString(v.Text)
	}
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

// Join returns the path of a member, such as approval.spender.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// item returns the path of an array's item, such as calls[0].
func item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
