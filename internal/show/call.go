package show

import (
	"fmt"
	"strings"

	"hubquote/internal/term"
	"hubquote/internal/wire/decoded"
	"hubquote/swap"
)

// Call prints the function and the arguments of a call.
func Call(t *term.Terminal, d *decoded.Call) error {
	n, err := newNames()
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(d.Function, "(")
	switch a := d.Arguments.(type) {
	case decoded.PoolArguments:
		t.Line(t.Bold(name), t.Dim("  a deposit into a pool"))
		showDestination(t, n, a.DstChain, a.DstToken)
		t.Row("amount", a.Amount, "in the deposited token's smallest unit", byteNote(d.Offsets.Amount))
		showRecipient(t, a.Recipient, a.RecipientType, byteNote(d.Offsets.Recipient))
		showIntegrator(t, a.IntegratorID)
		showRefundTo(t, a.RefundTo)
	case decoded.BurnArguments:
		t.Line(t.Bold(name), t.Dim("  a burn through the issuer's messenger"))
		showBurn(t, &a, d.Offsets)
		t.Line()
		t.Line(t.Bold("hookData"), t.Dim("  what happens once it is minted"))
		showDestination(t, n, d.Hook.DstChain, d.Hook.DstToken)
		showRecipient(t, d.Hook.Recipient, d.Hook.RecipientType, byteNote(d.Offsets.Recipient))
		showIntegrator(t, d.Hook.IntegratorID)
	case decoded.ApproveArguments:
		t.Line(t.Bold(name), t.Dim("  an allowance"))
		t.Row("spender", a.Spender)
		t.Row("amount", a.Amount, "in the token's smallest unit")
	}
	return nil
}

func showBurn(t *term.Terminal, a *decoded.BurnArguments, at *decoded.Offsets) {
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

// showRefundTo prints the account for refunds if the call names one.
func showRefundTo(t *term.Terminal, account string) {
	if account != "" {
		t.Row("refundTo", account, "gets the deposit back if the swap cannot be paid")
	}
}

func byteNote(offset int) string { return fmt.Sprintf("at byte %d", offset) }
