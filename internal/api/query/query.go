// Package query reads query strings strictly: it reports everything that it does
// not understand, at most one problem for each parameter.
package query

import (
	"net/url"
	"slices"
	"strings"

	"hubquote/swap"
)

// A Field is one query parameter that an endpoint knows.
type Field struct {
	Name string
	Max  int // the longest value that is looked at
}

// A Query holds the values of an endpoint's fields, by their index.
type Query struct {
	Problems swap.Errors
	fields   []Field
	values   [maxFields]string
	given    [maxFields]bool
}

// maxFields is how many parameters the endpoint with the most has.
const maxFields = 11

// Parse reads a raw query string. The standard library would drop the parts it
// cannot read and keep the first of two equal names; here both are reported.
// Unknown parameters are ignored, except those that differ from a known one only
// in letter case.
func (q *Query) Parse(raw string, fields []Field) {
	*q = Query{fields: fields}
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair != "" {
			q.add(pair)
		}
	}
}

func (q *Query) add(pair string) {
	name, value, malformed := split(pair)
	i := q.find(name)
	switch {
	case malformed:
		param := ""
		if i >= 0 {
			param = q.fields[i].Name
		}
		q.Refuse(swap.QueryMalformed, param, "this part of the query string is malformed: escape special characters with a percent sign")
	case i < 0:
	case name != q.fields[i].Name:
		q.Refuse(swap.ParamMisspelt, q.fields[i].Name, "parameter names are case-sensitive: write "+q.fields[i].Name)
	default:
		q.set(i, value)
	}
}

// find returns the field of that name, or one that differs in letter case only,
// or -1.
func (q *Query) find(name string) int {
	for i := range q.fields {
		if q.fields[i].Name == name {
			return i
		}
	}
	return slices.IndexFunc(q.fields, func(f Field) bool { return strings.EqualFold(f.Name, name) })
}

func split(pair string) (name, value string, malformed bool) {
	name, value, _ = strings.Cut(pair, "=")
	name, err1 := url.QueryUnescape(name)
	value, err2 := url.QueryUnescape(value)
	return name, value, err1 != nil || err2 != nil || strings.IndexByte(pair, ';') >= 0
}

func (q *Query) set(i int, value string) {
	f := q.fields[i]
	switch {
	case q.given[i]:
		q.Refuse(swap.ParamRepeated, f.Name, "this parameter is given more than once")
	case len(value) > f.Max:
		q.Refuse(swap.ParamTooLong, f.Name, "this value is longer than any valid one")
	default:
		q.values[i] = value
	}
	q.given[i] = true
}

// required returns the value of a field that must be there. The second result
// is false when there is nothing to parse, because the field is missing or has
// been refused already.
func (q *Query) required(i int) (string, bool) {
	if q.values[i] == "" && !q.Refused(q.fields[i].Name) {
		q.Problems.Add(swap.Missing(q.fields[i].Name))
	}
	return q.values[i], q.values[i] != ""
}

// Optional returns the value of a field that may be absent. An empty value counts
// as given.
func (q *Query) Optional(i int) (string, bool) {
	return q.values[i], q.given[i] && !q.Refused(q.fields[i].Name)
}

// Refused reports whether the parameter has a problem already.
func (q *Query) Refused(param string) bool {
	return slices.ContainsFunc(q.Problems, func(e *swap.Error) bool { return e.Param == param })
}

// Refuse adds a problem unless the parameter has one already.
func (q *Query) Refuse(code swap.Code, param, message string) {
	q.Problems.Add(&swap.Error{Code: code, Param: param, Message: message})
}

// Read reads a required field with its parser. A value that the parser refuses is
// reported, with that code unless the parser has one of its own, and left zero.
func Read[T any](q *Query, i int, code swap.Code, parse func(string) (T, error)) (v T) {
	if s, ok := q.required(i); ok {
		return convert(q, i, code, s, parse)
	}
	return v
}

// ReadOptional is [Read] for a field that may be absent.
func ReadOptional[T any](q *Query, i int, code swap.Code, parse func(string) (T, error)) (v T) {
	if s, given := q.Optional(i); given {
		return convert(q, i, code, s, parse)
	}
	return v
}

func convert[T any](q *Query, i int, code swap.Code, s string, parse func(string) (T, error)) T {
	v, err := parse(s)
	if err != nil {
		q.Problems.Add(swap.Refuse(q.fields[i].Name, code, err))
	}
	return v
}
