package ask

import (
	"errors"
	"fmt"

	"hubquote/client"
	"hubquote/internal/flags"
	"hubquote/swap"
)

// Earlier is a request that was made elsewhere: a query string, or [Flags].
type Earlier struct {
	flags          Flags
	query, include string
}

// Define declares the flags.
func (e *Earlier) Define(f *flags.Set) {
	f.StringVar(&e.query, "request", "", "`query` string or address that the answer was asked for with")
	e.flags.Define(f)
	f.StringVar(&e.include, "include", "", "`list` that was asked for with include, such as decoded,calls, or none;\nwithout it proof for a privacy pool, as hubquote quote asks")
}

// Request returns the request, with the tokens that the pins know.
func (e *Earlier) Request(p *client.Pins) (swap.Request, error) {
	unset := e.flags == Flags{}
	switch {
	case e.query != "" && (!unset || e.include != ""):
		return swap.Request{}, errors.New("say what was asked either with --request or with the other flags")
	case e.query == "" && unset:
		return swap.Request{}, errors.New("say what was asked: with --request, or with --from, --to, --amount and --recipient")
	case e.query != "":
		r, err := client.ParseRequest(e.query)
		if err != nil {
			return r, fmt.Errorf("--request: %w", err)
		}
		return r, nil
	}
	r, err := e.flags.Request(p)
	if err == nil {
		r.Include, err = e.includes(r)
	}
	return r, err
}

// includes reads what was asked for besides the quote.
func (e *Earlier) includes(r swap.Request) (in swap.Includes, err error) {
	switch e.include {
	case "":
		return swap.Includes{Proof: r.Recipient.IsPrivate()}, nil
	case "none":
		return in, nil
	}
	q := client.QueryOf(r)
	q.Set("include", e.include)
	r, err = client.ParseRequest(q.Encode())
	if err != nil {
		return in, fmt.Errorf("--include: %w", err)
	}
	return r.Include, nil
}
