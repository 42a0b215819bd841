package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"hubquote/internal/command"
	"hubquote/internal/show"
	"hubquote/internal/spans"
	"hubquote/internal/wire/decoded"
)

const decodeHelp = `hubquote decode CALLDATA tells what a call does: a deposit into a pool, a burn
through the issuer's messenger with its hook, or an approval. CALLDATA is 0x and
hexadecimal digits, or - to read it from standard input.`

func decode(args []string, s command.Std) error {
	f := s.Flags("decode", decodeHelp)
	asJSON := f.Bool("json", false, "print what include=decoded adds to a quote")
	calls, err := f.ParseMixed(args)
	if err != nil {
		return err
	}
	if len(calls) != 1 {
		return errors.New("decode: give one call as 0x and hexadecimal digits, or - for standard input")
	}
	text := calls[0]
	if text == "-" {
		in, err := readFile(text, s)
		if err != nil {
			return fmt.Errorf("decode: %w", err)
		}
		text = strings.TrimSpace(string(in))
	}
	digits, ok := strings.CutPrefix(text, "0x")
	call, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return errors.New("decode: not calldata: write 0x and an even number of hexadecimal digits")
	}
	d, err := decoded.Parse(call)
	if err != nil {
		return fmt.Errorf("decode: not a call of a quote in its one valid encoding: %s", spans.Fault(call))
	}
	if *asJSON {
		return printJSON(s, d)
	}
	return show.Call(s.Terminal(22), d)
}
