package api

import (
	"net/url"
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
	values   []string
	given    []bool
	problems swap.Errors
}

// parseQuery reads a raw query string strictly. The standard library would drop
// what it cannot read and keep the first of two equal names; here both are
// reported, because the caller surely meant something by them. Parameters
// nobody knows are ignored, except those that differ from a known one only in
// letter case.
func parseQuery(raw string, fields []field) *query {
	q := &query{fields: fields, values: make([]string, len(fields)), given: make([]bool, len(fields))}
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair != "" {
			q.add(pair)
		}
	}
	return q
}

func (q *query) add(pair string) {
	rawName, rawValue, _ := strings.Cut(pair, "=")
	name, err1 := unescape(rawName)
	value, err2 := unescape(rawValue)
	if err1 != nil || err2 != nil || strings.Contains(pair, ";") {
		q.refuse(swap.QueryMalformed, "", "the query string is malformed: separate parameters with & and escape other special characters with %")
		return
	}
	for i, f := range q.fields {
		if name == f.name {
			q.set(i, value)
			return
		}
		if strings.EqualFold(name, f.name) {
			q.refuse(swap.ParamMisspelt, f.name, "parameter names are case-sensitive: write "+f.name)
			return
		}
	}
}

func unescape(s string) (string, error) {
	if !strings.ContainsAny(s, "%+") {
		return s, nil
	}
	return url.QueryUnescape(s)
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
		q.refuse(swap.ParamMissing, q.fields[i].name, "this parameter is required")
	}
	return q.values[i], q.values[i] != ""
}

// optional returns the value of a field that may be absent. A parameter that is
// there but empty is given: whoever wrote it meant to say something.
func (q *query) optional(i int) (string, bool) {
	return q.values[i], q.given[i] && !q.refused(q.fields[i].name)
}

func (q *query) refused(param string) bool {
	for _, e := range q.problems {
		if e.Param == param {
			return true
		}
	}
	return false
}

func (q *query) refuse(code swap.Code, param, message string) {
	q.problems.Add(&swap.Error{Code: code, Param: param, Message: message})
}
