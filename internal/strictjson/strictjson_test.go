package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"hubquote/internal/strictjson"
)

func TestParseKeepsOrderAndNumbers(t *testing.T) {
	const text = `{"b":1.50,"a":[true,null,-0,1e2,"x\u0041"],"":{"c":{}}}`
	v, err := strictjson.Parse([]byte(" " + text + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.String(), strings.Replace(text, `x\u0041`, "xA", 1); got != want {
		t.Errorf("Parse(%s) = %s, want %s", text, got, want)
	}
	if got := v.Find("", "c"); got == nil || got.Kind != strictjson.Object {
		t.Errorf("Find = %v, want an object", got)
	}
	if got := v.Find("b", "c", "d"); got != nil {
		t.Errorf("Find = %v, want nil", got)
	}
}

func TestParseRefuses(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct{ name, text, want string }{
		{"nothing", "", "well-formed"},
		{"two values", "{}{}", "well-formed"},
		{"a byte order mark", "\ufeff{}", "well-formed"},
		{"a comma too many", "[1,]", "well-formed"},
		{"a byte that is no UTF-8", "\"\xff\"", "UTF-8"},
		{"half of a surrogate pair", `"\ud800"`, "UTF-8"},
		{"the other half", `"\uDFFF"`, "UTF-8"},
		{"half of a surrogate pair, then another escape", `"\ud800\u0041"`, "UTF-8"},
		{"half of a surrogate pair, then an escaped backslash", `"\ud800\\udc00"`, "UTF-8"},
		{"half of a surrogate pair at the end of the text", `"\ud800`, "UTF-8"},
		{"half of a surrogate pair behind another escape", `"\n\ud800"`, "UTF-8"},
		{"half of a surrogate pair behind an escaped letter", `"\u0041\ud800"`, "UTF-8"},
		{"half of a surrogate pair behind a whole one", `"\ud800\udc00\ud800"`, "UTF-8"},
		{"the second half twice", `"\udc00\udc00"`, "UTF-8"},
		{"the first half twice", `"\udbff\udbff"`, "UTF-8"},
		{"a second half without its backslash", `"\ud800audc00"`, "UTF-8"},
		{"a second half without its u", `"\ud800\xdc00"`, "UTF-8"},
		{"33 levels", deep(33), "nested deeper"},
		{"10001 levels", deep(10001), "well-formed"}, // the standard library gives up
		{"a key twice", `{"a":{"b":1,"b":1}}`, `"a.b" is repeated`},
		{"a key twice, once escaped", `[0,{"a":1,"\u0061":1}]`, `"[1].a" is repeated`},
		{"a key twice before a text that is too deep", `{"a":1,"a":` + deep(33) + `}`, "nested deeper"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v, err := strictjson.Parse([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse = %v, %v; want an error that says %q", v, err, tt.want)
			}
		})
	}
}

func TestParseTakes(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 32) + strings.Repeat("]", 32), `"\ud83d\ude00"`, `"\ud800\udc00"`, `"\udbff\udfff"`, `"\ud7ff\ue000"`, `"\\ud800"`, `"\\\\ud800"`, `{"a":{"a":1}}`, `[{"a":1},{"a":1}]`, `{"a":1,"A":1}`,
	} {
		if _, err := strictjson.Parse([]byte(text)); err != nil {
			t.Errorf("Parse(%s): %v, want no error", text, err)
		}
	}
}

func TestOf(t *testing.T) {
	v, err := strictjson.Of(map[string]any{"a": 1.5, "b": "x"})
	if err != nil || v.String() != `{"a":1.5,"b":"x"}` || v.Find("a").String() != "1.5" || v.Find("b").String() != "x" {
		t.Errorf("Of = %v, %v; want an object", v, err)
	}
	if v, err := strictjson.Of(func() {}); err == nil {
		t.Errorf("Of(a function) = %v, want an error", v)
	}
}

func TestCompare(t *testing.T) {
	tests := []struct{ name, want, got, path string }{
		{"the same in another order", `{"a":1,"b":{"c":[1]}}`, `{"b":{"c":[1]},"a":1}`, "-"},
		{"another value", `{"a":1,"b":2}`, `{"a":1,"b":3}`, "b"},
		{"another spelling of a number", `{"a":1}`, `{"a":1.0}`, "a"},
		{"another kind", `{"a":"1"}`, `{"a":1}`, "a"},
		{"null for an object", `{"a":{}}`, `{"a":null}`, "a"},
		{"an empty string for null", `{"a":null}`, `{"a":""}`, "a"},
		{"a member missing", `{"a":{"b":1}}`, `{"a":{}}`, "a.b"},
		{"a member too many", `{"a":{}}`, `{"a":{"b":1}}`, "a.b"},
		{"an item missing", `[1,2]`, `[1]`, "[1]"},
		{"an item too many", `[1]`, `[1,2]`, "[1]"},
		{"the first difference in the order of want", `{"a":1,"b":1}`, `{"b":2,"a":2}`, "a"},
		{"a difference before a member too many", `{"a":1,"b":1}`, `{"x":1,"a":1,"b":2}`, "b"},
		{"a member too many of an earlier object", `{"a":{},"b":1}`, `{"a":{"x":1},"b":2}`, "a.x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := "-"
			if d := strictjson.Compare(value(t, tt.want), value(t, tt.got)); d != nil {
				path = d.Path
			}
			if path != tt.path {
				t.Errorf("Compare(%s, %s) at %q, want %q", tt.want, tt.got, path, tt.path)
			}
		})
	}
}

func value(t *testing.T, text string) *strictjson.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Text that is taken is JSON, and is the value that the standard library reads.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"\ud83d\ude00",null]}`, `"\ud800"`, `{"a":1,"a":2}`, "\"\xff\"", "[[[[", `{"":-0.0e+1}`, "1E999", "[ ]", "{ }", " { \"a\" : [ 1 , { } , [ ] , \"\\\"\\\\\" ] , \"b\" : true } "} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := strictjson.Parse(text)
		_, repeated := errors.AsType[*strictjson.RepeatedError](err)
		_, syntax := errors.AsType[strictjson.SyntaxError](err)
		if err != nil && !repeated && !syntax {
			t.Fatalf("Parse(%q): %v, want an error of the package", text, err)
		}
		if err != nil {
			return
		}
		if !json.Valid(text) { // a number is text, so one beyond float64 is taken
			t.Fatalf("Parse(%q) = nil, want an error as from the standard library", text)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil || !reflect.DeepEqual(plain(v), want) {
			t.Errorf("Parse(%q) = %v, want %v, %v", text, v, want, err)
		}
		if d := strictjson.Compare(v, v); d != nil {
			t.Errorf("Compare of %q with itself = a difference at %s, want none", text, d.Path)
		}
	})
}

// plain returns a value as the standard library reads it.
func plain(v *strictjson.Value) any {
	switch v.Kind {
	case strictjson.Object:
		object := map[string]any{}
		for _, m := range v.Members {
			object[m.Key] = plain(m.Value)
		}
		return object
	case strictjson.Array:
		list := []any{}
		for _, item := range v.Items {
			list = append(list, plain(item))
		}
		return list
	case strictjson.String:
		return v.Text
	}
	literals := map[string]any{"null": nil, "true": true, "false": false}
	if value, ok := literals[v.Text]; ok {
		return value
	}
	return json.Number(v.Text)
}

// A long key above many values is read as fast as any other text: an answer of a
// stranger must not keep the reader busy.
func TestLongKeyIsReadOnce(t *testing.T) {
	text := []byte(`{"` + strings.Repeat("k", 30_000) + `":[0` + strings.Repeat(",0", 15_000) + `]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := strictjson.Parse(text); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took, most := after.TotalAlloc-before.TotalAlloc, uint64(200*len(text)); took > most {
		t.Errorf("reading %d bytes allocated %d, want at most %d", len(text), took, most)
	}
}
