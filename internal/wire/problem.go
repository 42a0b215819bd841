package wire

import "hubquote/swap"

// A Problem is an error as RFC 9457 writes it, with what helps a program
// decide: a stable code, the parameter, and whether to try again.
type Problem struct {
	Type      string    `json:"type"`
	Title     string    `json:"title"`
	Status    int       `json:"status"`
	Detail    string    `json:"detail"`
	Instance  string    `json:"instance"`
	Code      swap.Code `json:"code"`
	Param     string    `json:"param,omitempty"`
	Limits    *Limits   `json:"limits,omitempty"`
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

// NewLimits shows the limits of an amount of t; there are none if l is nil.
func NewLimits(l *swap.Limits, t *swap.Token) *Limits {
	if l == nil {
		return nil
	}
	return &Limits{
		t.Symbol, t.Decimals, l.Min.Dec(), l.Max.Dec(),
		swap.FormatUnits(&l.Min, t.Decimals), swap.FormatUnits(&l.Max, t.Decimals),
	}
}
