package api

import (
	"net/url"
	"slices"
	"strings"

	"hubquote/swap"
)

// A field is one query parameter an endpoint knows.
type field struct {
	name string
	max  int // the longest value that is looked at
}

// query is what a query string said about the fields of one endpoint.
type query struct {
	fields   []field
	values   [maxFields]string
	given    [maxFields]bool
	problems swap.Errors
}

// maxFields is how many parameters the endpoint with the most has.
const maxFields = 10

// parseQuery reads a raw query string strictly. The standard library would drop
// what it cannot read and keep the first of two equal names; here both are
// reported, because the caller surely meant something by them. Parameters
// nobody knows are ignored, except those that differ from a known one only in
// letter case.
func parseQuery(raw string, fields []field) *query {
	q := new(query)
	q.parse(raw, fields)
	return q
}

func (q *query) parse(raw string, fields []field) {
	*q = query{fields: fields}
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair != "" {
			q.add(pair)
		}
	}
}

func (q *query) add(pair string) {
	name, value, malformed := split(pair)
	i := q.find(name)
	switch {
	case malformed:
		param := ""
		if i >= 0 {
			param = q.fields[i].name
		}
		q.refuse(swap.QueryMalformed, param, "this part of the query string is malformed: escape special characters with a percent sign")
	case i < 0:
	case name != q.fields[i].name:
		q.refuse(swap.ParamMisspelt, q.fields[i].name, "parameter names are case-sensitive: write "+q.fields[i].name)
	default:
		q.set(i, value)
	}
}

// find returns the field of that name, or one that differs in letter case only,
// or -1.
func (q *query) find(name string) int {
	for i := range q.fields {
		if q.fields[i].name == name {
			return i
		}
	}
	return slices.IndexFunc(q.fields, func(f field) bool { return strings.EqualFold(f.name, name) })
}

func split(pair string) (name, value string, malformed bool) {
	name, value, _ = strings.Cut(pair, "=")
	name, err1 := url.QueryUnescape(name)
	value, err2 := url.QueryUnescape(value)
	return name, value, err1 != nil || err2 != nil || strings.IndexByte(pair, ';') >= 0
}

func (q *query) set(i int, value string) {
	f := q.fields[i]
	switch {
	case q.given[i]:
		q.refuse(swap.ParamRepeated, f.name, "this parameter is given more than once")
	case len(value) > f.max:
		q.refuse(swap.ParamTooLong, f.name, "this value is longer than any valid one")
	default:
		q.values[i] = value
	}
	q.given[i] = true
}

// required returns the value of a field that must be there. The second result
// is false when there is nothing to parse, because the field is missing or has
// been refused already.
func (q *query) required(i int) (string, bool) {
	if q.values[i] == "" && !q.refused(q.fields[i].name) {
		q.problems.Add(swap.Missing(q.fields[i].name))
	}
	return q.values[i], q.values[i] != ""
}

// optional returns the value of a field that may be absent. A parameter that is
// there but empty is given: whoever wrote it meant to say something.
func (q *query) optional(i int) (string, bool) {
	return q.values[i], q.given[i] && !q.refused(q.fields[i].name)
}

func (q *query) refused(param string) bool {
	return slices.ContainsFunc(q.problems, func(e *swap.Error) bool { return e.Param == param })
}

func (q *query) refuse(code swap.Code, param, message string) {
	q.problems.Add(&swap.Error{Code: code, Param: param, Message: message})
}
