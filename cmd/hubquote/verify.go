package main

import (
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
with 1 if not, naming the first that differs.`

func verify(args []string, s std) error {
	var a asked
	f := s.flags("verify", verifyHelp)
	query := f.String("request", "", "`query` string or address that the answer was asked for with")
	a.define(f)
	pinned := pinsFlag(f)
	trust := f.Bool("accept-unproven", false, "believe the server that an encrypted recipient is yours, when its\nanswer has no proof of it")
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
	r, err := verifyRequest(*query, &a, p)
	if err != nil {
		return fmt.Errorf("verify: %w; see hubquote verify --help", err)
	}
	answer, err := readFile(files[0], s)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	q, err := client.Verify(r, answer, p)
	if *trust && errors.Is(err, client.ErrUnproven) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	return show.Verified(s.terminal(0), q, p)
}

func verifyRequest(query string, a *asked, p *client.Pins) (swap.Request, error) {
	switch {
	case query != "" && !a.isZero():
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
	return a.request(p)
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
