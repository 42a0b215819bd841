// Package mutations is a table of altered answers, and of honest ones, with the
// verdict that every verifier must give: the Go client, the TypeScript client,
// the command line and the page. The verdicts are written by hand from the rules
// of docs/verify.md, so no verifier is its own judge.
package mutations

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"hubquote/docs"
	"hubquote/swap"
)

//go:embed mutations.json
var table []byte

// A Verdict is the result of verifying an answer.
type Verdict string

const (
	Proved   Verdict = "proved"
	Refused  Verdict = "refused"
	Unproven Verdict = "unproven"
)

// A Mutation is one row: how an answer of docs/vectors.json is altered, and the
// verdict on it.
type Mutation struct {
	Group       string               `json:"group"`
	Name        string               `json:"name"`
	Base        string               `json:"base"`                  // the name of a vector
	Request     map[string]string    `json:"request,omitempty"`     // parameters that replace those of the vector; empty ones are left out
	Include     *string              `json:"include,omitempty"`     // replaces the include of the vector's request
	Integrators map[string]swap.Rate `json:"integrators,omitempty"` // rates to pin, by wallet
	Edits       []Edit               `json:"edits,omitempty"`
	Prefix      string               `json:"prefix,omitempty"`
	Suffix      string               `json:"suffix,omitempty"`
	Pad         int                  `json:"pad,omitempty"`    // spaces behind all of it
	Base64      string               `json:"base64,omitempty"` // the whole body, for bytes that are no UTF-8
	Status      int                  `json:"status,omitempty"` // 200 if it is left out
	Verdict     Verdict              `json:"verdict"`
	Code        string               `json:"code,omitempty"`  // of an unproven answer, that of its first reason
	Field       string               `json:"field,omitempty"` // likewise
}

// An Edit replaces text that occurs once in the vector's answer.
type Edit struct {
	Find string `json:"find"`
	Put  string `json:"put"`
}

// A Case is a row that is ready to be judged.
type Case struct {
	Mutation
	Query string // the request, as a query string
	Body  []byte // the answer
	Pins  []byte // the pins of the vectors, with the row's integrators
}

type vectors struct {
	Pins    json.RawMessage
	Vectors []struct {
		Name    string
		Request map[string]string
		Quote   json.RawMessage
	}
}

// Cases returns every row of the table, altered and ready.
func Cases() ([]Case, error) {
	var t struct{ Mutations []Mutation }
	if err := json.Unmarshal(table, &t); err != nil {
		return nil, fmt.Errorf("mutations.json: %w", err)
	}
	var v vectors
	if err := json.Unmarshal(docs.Vectors, &v); err != nil {
		return nil, fmt.Errorf("docs/vectors.json: %w", err)
	}
	var cases []Case
	for _, m := range t.Mutations {
		c, err := v.make(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", m.Group, m.Name, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func (v *vectors) make(m Mutation) (c Case, err error) {
	if m.Status == 0 {
		m.Status = http.StatusOK
	}
	c.Mutation = m
	for _, base := range v.Vectors {
		if base.Name == m.Base {
			c.Query = m.query(base.Request)
			c.Pins = m.pins(v.Pins)
			c.Body, err = m.body(string(base.Quote))
			return c, err
		}
	}
	return c, fmt.Errorf("there is no vector %s", m.Base)
}

func (m *Mutation) query(request map[string]string) string {
	q := url.Values{}
	for name, value := range request {
		q.Set(name, value)
	}
	for name, value := range m.Request {
		q.Set(name, value)
		if value == "" {
			q.Del(name)
		}
	}
	if m.Include != nil {
		q.Set("include", *m.Include)
		if *m.Include == "" {
			q.Del("include")
		}
	}
	return q.Encode()
}

func (m *Mutation) pins(text []byte) []byte {
	var known []string
	for wallet, rate := range m.Integrators {
		known = append(known, fmt.Sprintf(`{"id":%q,"millionths":%d}`, wallet, rate))
	}
	return []byte(strings.Replace(string(text), `"known":[]`, `"known":[`+strings.Join(known, ",")+`]`, 1))
}

func (m *Mutation) body(text string) ([]byte, error) {
	if m.Base64 != "" {
		return base64.StdEncoding.DecodeString(m.Base64)
	}
	for _, e := range m.Edits {
		if n := strings.Count(text, e.Find); n != 1 {
			return nil, fmt.Errorf("%q occurs %d times in the answer, want once", e.Find, n)
		}
		text = strings.Replace(text, e.Find, e.Put, 1)
	}
	return []byte(m.Prefix + text + m.Suffix + strings.Repeat(" ", m.Pad)), nil
}
