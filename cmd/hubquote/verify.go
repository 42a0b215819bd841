package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"hubquote/client"
	"hubquote/internal/ask"
	"hubquote/internal/command"
	"hubquote/internal/show"
)

const verifyHelp = `hubquote verify [flags] FILE checks a quote that was asked for elsewhere: FILE is
the server's answer, or - to read it from standard input. Say what was asked with
--request, or with the flags of hubquote quote. It needs no network.

  curl -s "http://127.0.0.1:8080/v3/swap/quote?$Q" | hubquote verify --request "$Q" -

It exits with 0 if every field and byte is what the pins make of the request, and
with 1 if not, with the code and the field of the first check that failed. A quote
in which something cannot be checked is unproven: that is printed behind "!", and
exits with 1 too, unless --accept names its code.`

func verify(args []string, s command.Std) error {
	var asked ask.Earlier
	f := s.Flags("verify", verifyHelp)
	asked.Define(f)
	pinned := pinsFlag(f)
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
	r, err := asked.Request(p)
	if err != nil {
		return fmt.Errorf("verify: %w; see hubquote verify --help", err)
	}
	answer, err := readFile(files[0], s)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	q, err := client.Verify(r, answer, p)
	v, err := newVerdict("verify", q, err, *accepted)
	switch {
	case err != nil:
		return err
	case v.refused != nil:
		return v.refuse(s, p)
	}
	return show.Verified(s.Terminal(0), v.Verdict, p)
}

// maxFile is larger than any quote.
const maxFile = 1 << 20

func readFile(name string, s command.Std) ([]byte, error) {
	in := s.In
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
