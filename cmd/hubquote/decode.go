package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"hubquote/internal/wire/decoded"
	"hubquote/swap"
)

const decodeHelp = `hubquote decode CALLDATA tells what a call does: a deposit into a pool, a burn
through the issuer's messenger with its hook, or an approval. CALLDATA is 0x and
hexadecimal digits, or - to read it from standard input.`

func decode(args []string, s std) error {
	f := newFlags("decode", decodeHelp, s)
	asJSON := f.Bool("json", false, "print what include=decoded adds to a quote")
	calls, err := operands(f, args)
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
		return fmt.Errorf("decode: %w", err)
	}
	if *asJSON {
		return printJSON(s, d)
	}
	n, err := newNames()
	if err != nil {
		return err
	}
	showDecoded(newTerminal(s, 22), d, n)
	return nil
}

func showDecoded(t *terminal, d *decoded.Call, n *names) {
	name, _, _ := strings.Cut(d.Function, "(")
	switch a := d.Arguments.(type) {
	case decoded.PoolArguments:
		t.line(t.bold(name), t.dim("  a deposit into a pool"))
		showDestination(t, n, a.DstChain, a.DstToken)
		t.row("amount", a.Amount, "in the deposited token's smallest unit", byteNote(d.Offsets.Amount))
		showRecipient(t, a.Recipient, a.RecipientType, byteNote(d.Offsets.Recipient))
		showIntegrator(t, a.IntegratorID)
	case decoded.BurnArguments:
		t.line(t.bold(name), t.dim("  a burn through the issuer's messenger"))
		showBurn(t, &a, d.Offsets)
		t.line()
		t.line(t.bold("hookData"), t.dim("  what happens once it is minted"))
		showDestination(t, n, d.Hook.DstChain, d.Hook.DstToken)
		showRecipient(t, d.Hook.Recipient, d.Hook.RecipientType, byteNote(d.Offsets.Recipient))
		showIntegrator(t, d.Hook.IntegratorID)
	case decoded.ApproveArguments:
		t.line(t.bold(name), t.dim("  an allowance"))
		t.row("spender", a.Spender)
		t.row("amount", a.Amount, "in the token's smallest unit")
	}
}

func showBurn(t *terminal, a *decoded.BurnArguments, at *decoded.Offsets) {
	t.row("amount", a.Amount, "in the token's smallest unit", byteNote(at.Amount))
	t.row("destinationDomain", fmt.Sprint(a.DestinationDomain), "the issuer's number, not a chain ID")
	t.row("mintRecipient", a.MintRecipient)
	t.row("burnToken", a.BurnToken)
	t.row("destinationCaller", a.DestinationCaller)
	t.row("maxFee", a.MaxFee, "the most the issuer may take")
	t.row("minFinalityThreshold", fmt.Sprint(a.MinFinalityThreshold))
}

func showDestination(t *terminal, n *names, chain, token string) {
	id, err := swap.ParsePlaceID(chain)
	address, err2 := swap.ParseAddress(token)
	if err != nil || err2 != nil {
		t.row("dstChain", chain)
		t.row("dstToken", token)
		return
	}
	t.row("dstChain", chain, n.place(id))
	t.row("dstToken", token, n.token(id, address))
}

func showRecipient(t *terminal, recipient string, kind swap.RecipientType, at string) {
	what := "an EVM address"
	if kind == swap.ToPrivate {
		what = "an encrypted note"
	}
	if a, err := swap.ParseAddress(recipient); err == nil {
		recipient = a.String()
	}
	t.row("recipientType", fmt.Sprint(kind), what)
	t.row("recipient", recipient, at)
}

func showIntegrator(t *terminal, id string) {
	if id == (swap.IntegratorID{}).String() {
		id = "none"
	}
	t.row("integratorId", id)
}

func byteNote(offset int) string { return fmt.Sprintf("at byte %d", offset) }
