package client_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"hubquote/client"
)

// No answer but the honest one is accepted: every change of one byte of its
// text, of one byte of its hexadecimal, and of one field, is refused. The table
// of mutations says how; this says that there is no other way.
func TestVerifyRefusesEveryChangedByte(t *testing.T) {
	pins := partnerPins(t)
	list := exchanges(t)
	if testing.Short() {
		list = list[:len(list)/8]
	}
	var mutants atomic.Int64
	t.Run("all", func(t *testing.T) {
		for i, e := range list {
			other := list[(i+1)%len(list)]
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				for _, mutate := range []func(exchange, exchange, func(string, []byte)){mutateText, mutateBytes, mutateFields} {
					mutate(e, other, func(what string, answer []byte) {
						mutants.Add(1)
						q, err := client.Verify(e.request, answer, pins)
						if err == nil || q != nil {
							t.Errorf("%s: Verify = %v, %v; want no quote\n%s", what, q, err, answer)
						}
					})
				}
			})
		}
	})
	if n := mutants.Load(); n < 100_000 && !testing.Short() {
		t.Errorf("mutants = %d, want more", n)
	}
	t.Logf("%d mutants of %d answers", mutants.Load(), len(list))
}

// mutateText changes one byte of the JSON at a time, but for the digits of long
// hexadecimal, which mutateBytes changes.
func mutateText(e, _ exchange, try func(string, []byte)) {
	mutant := bytes.Clone(e.answer)
	long := slices.DeleteFunc(hexSpans(e.answer), func(s [2]int) bool { return s[1]-s[0] <= 64 })
	for i, old := range e.answer {
		if slices.ContainsFunc(long, func(s [2]int) bool { return s[0] <= i && i < s[1] }) {
			continue
		}
		mutant[i] = old ^ 1
		if old >= 'A' && i%2 == 0 {
			mutant[i] = old ^ 0x20 // the other letter case
		}
		try("text", mutant)
		mutant[i] = old
	}
}

// mutateBytes changes one byte at a time in everything that is in hexadecimal.
func mutateBytes(e, _ exchange, try func(string, []byte)) {
	for _, s := range hexSpans(e.answer) {
		for i := s[0]; i < s[1]; i += 2 {
			try("byte", flip(e.answer, i))
		}
	}
}

// hexSpans returns from where to where in the text there are digits behind 0x,
// two for each byte.
func hexSpans(text []byte) (spans [][2]int) {
	for i := 0; ; {
		start := bytes.Index(text[i:], []byte(`"0x`))
		if start < 0 {
			return spans
		}
		i += start + len(`"0x`)
		if end := i + bytes.IndexByte(text[i:], '"'); (end-i)%2 == 0 {
			spans = append(spans, [2]int{i, end})
		}
	}
}

// flip changes the highest bit of the byte that is written at i.
func flip(text []byte, i int) []byte {
	mutant := bytes.Clone(text)
	var b [1]byte
	hex.Decode(b[:], text[i:i+2])
	b[0] ^= 0x80
	hex.Encode(mutant[i:], b[:])
	return mutant
}

// mutateFields drops, replaces, adds and repeats one field at a time.
func mutateFields(e, other exchange, try func(string, []byte)) {
	var root, foreign map[string]any
	decode(e.answer, &root)
	decode(other.answer, &foreign)
	emit := func(what string) {
		mutant, _ := json.Marshal(root)
		try(what, mutant)
	}
	mutateObject("", root, foreign, emit)
	for _, key := range []string{"to", "approval", "methodParameters"} {
		doubled := bytes.Replace(e.answer, []byte("{"), []byte(`{"`+key+`":`+jsonOf(root[key])+`,`), 1)
		try("repeated "+key, doubled)
	}
	try("followed by more", append(bytes.Clone(e.answer), "{}"...))
	try("cut off", e.answer[:len(e.answer)-1])
	try("nothing", nil)
	try("no object", []byte("null"))
}

func mutateObject(path string, o, foreign map[string]any, emit func(string)) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		at, old := path+"."+key, o[key]
		delete(o, key)
		emit("without " + at)
		for _, v := range substitutes(old, foreign[key]) {
			o[key] = v
			emit(at + " = " + jsonOf(v))
		}
		o[key] = old
		if inner, ok := old.(map[string]any); ok {
			theirs, _ := foreign[key].(map[string]any)
			mutateObject(at, inner, theirs, emit)
		}
	}
	o["extra"] = "0x"
	emit("with " + path + ".extra")
	delete(o, "extra")
}

// substitutes are values that a field might have instead: of another type, in
// another spelling, of another amount, and what another answer has there.
func substitutes(old, foreign any) []any {
	list := []any{nil, "", true, []any{}, map[string]any{}, json.Number("1"), "0x"}
	switch v := old.(type) {
	case string:
		list = append(list, v+"0", " "+v, strings.ToUpper(v), strings.TrimPrefix(v, "0x"), []any{v})
	case json.Number:
		list = append(list, json.Number(v+".0"), json.Number(v+"e0"), json.Number("-"+v), string(v))
	case []any:
		list = append(list, append(slices.Clone(v), v[0]), v[1:], v[:len(v)-1])
	}
	if foreign != nil {
		list = append(list, foreign)
	}
	return slices.DeleteFunc(list, func(v any) bool { return jsonOf(v) == jsonOf(old) })
}

func decode(text []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.Decode(into)
}

func jsonOf(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
