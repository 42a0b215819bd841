// Package problem shows errors as RFC 9457 problem documents. It repeats nothing
// that a client sent, and shows nothing of an internal error.
package problem

import (
	"time"

	"hubquote/swap"
)

// A Document is an error as RFC 9457 writes it, with fields for programs: a
// stable code, the parameter, and whether a retry may help.
type Document struct {
	Type      string    `json:"type"`
	Title     string    `json:"title"`
	Status    int       `json:"status"`
	Detail    string    `json:"detail"`
	Instance  string    `json:"instance"`
	Code      swap.Code `json:"code"`
	Param     string    `json:"param,omitempty"`
	Limits    *Limits   `json:"limits,omitempty"`
	Available string    `json:"available,omitempty"` // what one swap could be paid now, in the destination's smallest units
	RetryAt   string    `json:"retryAt,omitempty"`   // when the amount fits again, as RFC 3339
	Retryable bool      `json:"retryable"`
	RequestID string    `json:"requestId"`
	Error     string    `json:"error"` // the same as Detail; older clients read it
	Errors    []Fault   `json:"errors,omitempty"`
}

// A Fault is one of several problems of a request.
type Fault struct {
	Code   swap.Code `json:"code"`
	Param  string    `json:"param,omitempty"`
	Detail string    `json:"detail"`
	Limits *Limits   `json:"limits,omitempty"`

	available, retryAt string
}

// Limits are the amounts that would be accepted.
type Limits struct {
	Token    string `json:"token"`
	Decimals uint8  `json:"decimals"`
	Min      string `json:"min"`
	Max      string `json:"max"`
	MinHuman string `json:"minHuman"`
	MaxHuman string `json:"maxHuman"`
}

// NewLimits shows l, counted in t; nil for nil.
func NewLimits(l *swap.Limits, t *swap.Token) *Limits {
	if l == nil {
		return nil
	}
	return &Limits{
		t.Symbol, t.Decimals, l.Min.Dec(), l.Max.Dec(),
		swap.FormatUnits(&l.Min, t.Decimals), swap.FormatUnits(&l.Max, t.Decimals),
	}
}

// faultsOf lists the part of err that a client may see. An error that is not of the
// vocabulary is a fault of the service, and no more is shown of it.
func faultsOf(err error) []Fault {
	var list swap.Errors
	if list.Join(err) != nil || len(list) == 0 {
		list = swap.Errors{{Code: swap.Internal, Message: "the fault is ours; tell us the request ID if it persists"}}
	}
	var out []Fault
	for _, e := range list {
		f := Fault{Code: e.Code, Param: e.Param, Detail: e.Message, Limits: NewLimits(e.Limits, e.Token)}
		if e.Available != nil {
			f.available = e.Available.Dec()
		}
		if !e.After.IsZero() {
			f.retryAt = e.After.UTC().Format(time.RFC3339)
		}
		out = append(out, f)
	}
	return out
}

// New shows err. The instance is the path of the request.
func New(err error, instance, requestID string) *Document {
	faults := faultsOf(err)
	first := faults[0]
	k := kinds[first.Code]
	d := &Document{
		Type: "/errors#" + anchor(first.Code), Title: k.title, Status: k.status,
		Detail: first.Detail, Instance: instance,
		Code: first.Code, Param: first.Param, Limits: first.Limits, Available: first.available, RetryAt: first.retryAt,
		Retryable: k.retryable, RequestID: requestID, Error: first.Detail,
	}
	if len(faults) > 1 {
		d.Errors = faults
	}
	return d
}
