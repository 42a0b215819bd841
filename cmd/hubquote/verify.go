package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"hubquote/client"
	"hubquote/internal/show"
	"hubquote/swap"
)

const verifyHelp = `hubquote verify [flags] FILE checks a quote that was asked for elsewhere: FILE is
the server's answer, or - to read it from standard input. Say what was asked with
--request, or with the flags of hubquote quote. It needs no network.

  curl -s "http://127.0.0.1:8080/v3/swap/quote?$Q" | hubquote verify --request "$Q" -

It exits with 0 if every field and byte is what the pins make of the request, and
with 1 if not, with the code and the field of the first check that failed. A quote
in which something cannot be checked is unproven: that is printed behind "!", and
exits with 1 too, unless --accept names its code.`

func verify(args []string, s std) error {
	var a asked
	f := s.flags("verify", verifyHelp)
	query := f.String("request", "", "`query` string or address that the answer was asked for with")
	a.define(f)
	pinned := pinsFlag(f)
	include := f.String("include", "", "`list` that was asked for with include, such as decoded,calls, or none;\nwithout it proof for a privacy pool, as hubquote quote asks")
	accepted := acceptFlag(f)
	files, err := f.ParseMixed(args)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return errors.New("verify: name one file with the answer, or - for standard input; see hubquote verify --help")
	}
	p, err := loadPins(*pinned)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	r, err := verifyRequest(*query, *include, &a, p)
	if err != nil {
		return fmt.Errorf("verify: %w; see hubquote verify --help", err)
	}
	answer, err := readFile(files[0], s)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	q, err := client.Verify(r, answer, p)
	v, err := newVerdict(q, err, *accepted)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	if err := v.refusal("verify"); err != nil {
		return cmp.Or(show.Verified(s.toErr().terminal(0), v.Verdict, p), err)
	}
	return show.Verified(s.terminal(0), v.Verdict, p)
}

func verifyRequest(query, include string, a *asked, p *client.Pins) (swap.Request, error) {
	switch {
	case query != "" && (!a.isZero() || include != ""):
		return swap.Request{}, errors.New("say what was asked either with --request or with the other flags")
	case query == "" && a.isZero():
		return swap.Request{}, errors.New("say what was asked: with --request, or with --from, --to, --amount and --recipient")
	case query != "":
		r, err := client.ParseRequest(query)
		if err != nil {
			return r, fmt.Errorf("--request: %w", err)
		}
		return r, nil
	}
	r, err := a.request(p)
	if err == nil {
		r.Include, err = parseIncludes(include, r)
	}
	return r, err
}

// parseIncludes reads the flag that says what was asked for besides the quote.
func parseIncludes(s string, r swap.Request) (in swap.Includes, err error) {
	switch s {
	case "":
		return swap.Includes{Proof: r.Recipient.IsPrivate()}, nil
	case "none":
		return in, nil
	}
	q := client.QueryOf(r)
	q.Set("include", s)
	r, err = client.ParseRequest(q.Encode())
	if err != nil {
		return in, fmt.Errorf("--include: %w", err)
	}
	return r.Include, nil
}

// maxFile is larger than any quote.
const maxFile = 1 << 20

func readFile(name string, s std) ([]byte, error) {
	in := s.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, maxFile))
}
