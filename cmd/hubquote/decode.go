package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"hubquote/internal/term"
	"hubquote/internal/wire"
	"hubquote/swap"
)

const decodeHelp = `hubquote decode CALLDATA tells what a call does: a deposit into a pool, a burn
through the issuer's messenger with its hook, or an approval. CALLDATA is 0x and
hexadecimal digits, or - to read it from standard input.`

func decode(args []string, s std) error {
	f := s.flags("decode", decodeHelp)
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
	d, err := wire.Decode(call)
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	if *asJSON {
		return printJSON(s, d)
	}
	n, err := newNames()
	if err != nil {
		return err
	}
	showDecoded(s.terminal(22), d, n)
	return nil
}

func showDecoded(t *term.Terminal, d *wire.Decoded, n *names) {
	name, _, _ := strings.Cut(d.Function, "(")
	switch a := d.Arguments.(type) {
	case wire.PoolArguments:
		t.Line(t.Bold(name), t.Dim("  a deposit into a pool"))
		showDestination(t, n, a.DstChain, a.DstToken)
		t.Row("amount", a.Amount, "in the deposited token's smallest unit", byteNote(d.Offsets.Amount))
		showRecipient(t, a.Recipient, a.RecipientType, byteNote(d.Offsets.Recipient))
		showIntegrator(t, a.IntegratorID)
	case wire.BurnArguments:
		t.Line(t.Bold(name), t.Dim("  a burn through the issuer's messenger"))
		showBurn(t, &a, d.Offsets)
		t.Line()
		t.Line(t.Bold("hookData"), t.Dim("  what happens once it is minted"))
		showDestination(t, n, d.Hook.DstChain, d.Hook.DstToken)
		showRecipient(t, d.Hook.Recipient, d.Hook.RecipientType, byteNote(d.Offsets.Recipient))
		showIntegrator(t, d.Hook.IntegratorID)
	case wire.ApproveArguments:
		t.Line(t.Bold(name), t.Dim("  an allowance"))
		t.Row("spender", a.Spender)
		t.Row("amount", a.Amount, "in the token's smallest unit")
	}
}

func showBurn(t *term.Terminal, a *wire.BurnArguments, at *wire.Offsets) {
	t.Row("amount", a.Amount, "in the token's smallest unit", byteNote(at.Amount))
	t.Row("destinationDomain", fmt.Sprint(a.DestinationDomain), "the issuer's number, not a chain ID")
	t.Row("mintRecipient", a.MintRecipient)
	t.Row("burnToken", a.BurnToken)
	t.Row("destinationCaller", a.DestinationCaller)
	t.Row("maxFee", a.MaxFee, "the most the issuer may take")
	t.Row("minFinalityThreshold", fmt.Sprint(a.MinFinalityThreshold))
}

func showDestination(t *term.Terminal, n *names, chain, token string) {
	id, err := swap.ParsePlaceID(chain)
	address, err2 := swap.ParseAddress(token)
	if err != nil || err2 != nil {
		t.Row("dstChain", chain)
		t.Row("dstToken", token)
		return
	}
	t.Row("dstChain", chain, n.place(id))
	t.Row("dstToken", token, n.token(id, address))
}

func showRecipient(t *term.Terminal, recipient string, kind swap.RecipientType, at string) {
	what := "an EVM address"
	if kind == swap.ToPrivate {
		what = "an encrypted note"
	}
	if a, err := swap.ParseAddress(recipient); err == nil {
		recipient = a.String()
	}
	t.Row("recipientType", fmt.Sprint(kind), what)
	t.Row("recipient", recipient, at)
}

func showIntegrator(t *term.Terminal, id string) {
	if id == (swap.IntegratorID{}).String() {
		id = "none"
	}
	t.Row("integratorId", id)
}

func byteNote(offset int) string { return fmt.Sprintf("at byte %d", offset) }
