package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"slices"
	"strings"
	"testing"

	"hubquote/docs"
	"hubquote/internal/problem"
	"hubquote/web"
)

// The pages that the service shows are those that their sources make.
func TestReferencePages(t *testing.T) {
	pages, err := template.New("").Funcs(template.FuncMap{"prose": prose, "names": names, "indent": indent, "problems": problems}).ParseFS(web.Files(), "layout.html")
	if err != nil {
		t.Fatal(err)
	}
	if pages, err = pages.ParseGlob("testdata/*.html"); err != nil {
		t.Fatal(err)
	}
	api, err := newReference(docs.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"reference.html", "errors.html"} {
		var want bytes.Buffer
		if err := pages.ExecuteTemplate(&want, name, map[string]any{"API": api, "Codes": problem.Rows()}); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(name, want.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want.String() {
			t.Errorf("%s differs from its sources (%v), want it equal: run make update", name, err)
		}
	}
}

// Every code has a remedy, which is for people to read.
func TestEveryCodeHasARemedy(t *testing.T) {
	for _, row := range problem.Rows() {
		if !strings.HasSuffix(row.Remedy, ".") {
			t.Errorf("the remedy of %s is %q, want a sentence", row.Code, row.Remedy)
		}
	}
}

// A reference is the OpenAPI document as its template needs it: in the
// document's own order, with references between its parts resolved.
type reference struct {
	Info struct {
		Title, Version, Summary, Description string
	}
	Tags  []tag
	Paths ordered[struct {
		Get operation
	}]
	Components struct {
		Schemas   ordered[schema]
		Responses map[string]response
		Headers   map[string]header
		Examples  map[string]example
	}
}

type tag struct {
	Name, Description string
	Operations        []operation `json:"-"`
}

type operation struct {
	ID                   string `json:"operationId"`
	Path                 string `json:"-"`
	Summary, Description string
	Tags                 []string
	Deprecated           bool
	Parameters           []parameter
	Responses            ordered[response]
}

type parameter struct {
	Name, Description string
	Required          bool
	Schema            schema
	Example           string
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Headers     ordered[header]
	Content     ordered[content]
}

type content struct {
	Schema   schema
	Examples ordered[example]
}

// An example is a request and its answer.
type example struct {
	Ref     string `json:"$ref"`
	Summary string
	Request string `json:"x-request"`
	Value   json.RawMessage
}

// IsProblem reports whether the answer is an error, which the page of errors shows.
func (e example) IsProblem() bool {
	var p struct{ Code string }
	return json.Unmarshal(e.Value, &p) == nil && p.Code != ""
}

type header struct {
	Ref         string `json:"$ref"`
	Description string
}

type schema struct {
	Ref                        string `json:"$ref"`
	Type, Description, Pattern string
	Format                     string
	Const                      any
	Enum                       []any
	Items                      *schema
	AnyOf, AllOf               []schema
	Properties                 ordered[schema]
	Required                   []string
}

// ordered is a JSON object whose members keep the order they are written in.
type ordered[T any] []member[T]

type member[T any] struct {
	Key   string
	Value T
}

func (o *ordered[T]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		m := member[T]{Key: fmt.Sprint(key)}
		if err := dec.Decode(&m.Value); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}

func newReference(openAPI []byte) (*reference, error) {
	var r reference
	if err := json.Unmarshal(openAPI, &r); err != nil {
		return nil, fmt.Errorf("reading the OpenAPI document: %w", err)
	}
	for _, p := range r.Paths {
		op := p.Value.Get
		op.Path = p.Key
		r.resolve(op.Responses)
		for i := range r.Tags {
			if slices.Contains(op.Tags, r.Tags[i].Name) {
				r.Tags[i].Operations = append(r.Tags[i].Operations, op)
			}
		}
	}
	return &r, nil
}

// resolve replaces references to responses and headers by their targets. Those
// to schemas stay links, as a schema has a section of its own.
func (r *reference) resolve(list ordered[response]) {
	for i := range list {
		v := &list[i].Value
		if v.Ref != "" {
			*v = r.Components.Responses[last(v.Ref)]
		}
		for j := range v.Headers {
			if h := &v.Headers[j].Value; h.Ref != "" {
				*h = r.Components.Headers[last(h.Ref)]
			}
		}
		for _, c := range v.Content {
			r.resolveExamples(c.Value.Examples)
		}
	}
}

func (r *reference) resolveExamples(list ordered[example]) {
	for i := range list {
		if e := &list[i].Value; e.Ref != "" {
			*e = r.Components.Examples[last(e.Ref)]
		}
	}
}

// Example returns the example of an error code.
func (r *reference) Example(code string) (example, error) {
	e, ok := r.Components.Examples[code]
	if !ok {
		return e, fmt.Errorf("no example of %s", code)
	}
	return e, nil
}

// An anchored is a code, and where the page of errors has it.
type anchored struct{ Key, Anchor string }

// problems lists the error codes among examples.
func problems(list ordered[example]) (codes []anchored) {
	for _, row := range problem.Rows() {
		if slices.ContainsFunc(list, func(m member[example]) bool { return m.Key == row.Code }) {
			codes = append(codes, anchored{row.Code, row.Anchor})
		}
	}
	return codes
}

// indent writes JSON for people.
func indent(value json.RawMessage) (string, error) {
	var out bytes.Buffer
	err := json.Indent(&out, value, "", "  ")
	return out.String(), err
}

// Name is the name of the schema that s refers to, if it does.
func (s schema) Name() string { return last(s.Ref) }

// Needs reports whether an object of this schema always has the property.
func (s schema) Needs(property string) bool { return slices.Contains(s.Required, property) }

// Link returns the alternatives that s is made of: itself, in most cases.
func (s schema) Link() []schema {
	if alternatives := append(s.AnyOf, s.AllOf...); len(alternatives) > 0 {
		return alternatives
	}
	return []schema{s}
}

// Is writes the simple type of s.
func (s schema) Is() string {
	if s.Const != nil {
		return fmt.Sprintf("always %v", s.Const)
	}
	return s.Type
}

func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// prose turns the little markup that descriptions have, paragraphs and code,
// into HTML.
func prose(text string) template.HTML {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		fmt.Fprintf(&b, "<p>%s</p>", names(paragraph))
	}
	return template.HTML(b.String()) // escaped below, and from our own document
}

// names marks the names in a text, which are in backquotes.
func names(text string) template.HTML {
	parts := strings.Split(template.HTMLEscapeString(text), "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "<code>" + parts[i] + "</code>"
	}
	return template.HTML(strings.Join(parts, ""))
}
