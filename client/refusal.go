package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"hubquote/swap"
)

// A Refusal is a server's answer that it has no quote to give. Behind it is a
// [swap.Errors] with what the server said, so that [swap.CodeOf] and
// errors.As find the codes and limits.
type Refusal struct {
	Status     int
	RetryAfter time.Duration // zero if the server did not say
	RequestID  string        // what to name when asking whoever runs the server
	Err        error
}

func (r *Refusal) Error() string { return fmt.Sprintf("the server answers %d: %v", r.Status, r.Err) }

func (r *Refusal) Unwrap() error { return r.Err }

// A problem is what is read of a problem document (RFC 9457).
type problem struct {
	fault
	RequestID string  `json:"requestId"`
	Errors    []fault `json:"errors"`
}

type fault struct {
	Code   swap.Code `json:"code"`
	Param  string    `json:"param"`
	Detail string    `json:"detail"`
	Limits *limits   `json:"limits"`
}

type limits struct {
	Token    string `json:"token"`
	Decimals uint8  `json:"decimals"`
	Min      string `json:"min"`
	Max      string `json:"max"`
}

func newRefusal(resp *http.Response, body []byte) *Refusal {
	r := &Refusal{Status: resp.StatusCode, RetryAfter: retryAfter(resp), RequestID: printable(resp.Header.Get("X-Request-Id"))}
	var p problem
	if err := json.Unmarshal(body, &p); err != nil || p.Code == "" {
		r.Err = errors.New("and gives no reason: is there a hubquote at this address?")
		return r
	}
	if p.Errors == nil {
		p.Errors = []fault{p.fault}
	}
	var errs swap.Errors
	for _, f := range p.Errors {
		errs = append(errs, f.error())
	}
	r.Err = errs
	return r
}

func (f *fault) error() *swap.Error {
	e := &swap.Error{Code: swap.Code(printable(string(f.Code))), Param: printable(f.Param), Message: printable(f.Detail)}
	if l := f.Limits; l != nil {
		low, err1 := swap.ParseAmount(l.Min)
		high, err2 := swap.ParseAmount(l.Max)
		if err1 == nil && err2 == nil {
			e.Limits = &swap.Limits{Min: low, Max: high}
			e.Token = &swap.Token{Symbol: printable(l.Token), Decimals: l.Decimals}
		}
	}
	return e
}
