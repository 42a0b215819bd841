package main

import (
	"fmt"

	"hubquote/client"
	"hubquote/internal/calldata"
	"hubquote/swap"
)

// showQuote prints a quote that was verified.
func showQuote(t *terminal, q *swap.Quote, r swap.Request, p *client.Pins) error {
	n, err := newNames()
	if err != nil {
		return err
	}
	t.line()
	showSwap(t, q, n)
	t.line()
	showTerms(t, q, r, n)
	showCalls(t, q)
	t.line()
	showVerdict(t, q, p)
	t.line()
	return nil
}

func showSwap(t *terminal, q *swap.Quote, n *names) {
	t.line("  ", t.bold(coins(&q.Amount, q.Route.SrcToken)), t.dim(" on "), n.place(q.Route.Src.ID),
		t.dim("  →  "), t.bold(coins(&q.Received, q.Route.DstToken)), t.dim(" on "), n.place(q.Route.Dst.ID))
}

func coins(a *swap.Amount, token *swap.Token) string {
	return swap.FormatUnits(a, token.Decimals) + " " + token.Symbol
}

func showTerms(t *terminal, q *swap.Quote, r swap.Request, n *names) {
	fees := &q.Fees
	t.row("recipient", recipient(r.Recipient))
	t.row("protocol fee", coins(&fees.Protocol.Amount, q.Route.DstToken), fees.Protocol.Rate.Percent()+" %")
	if fees.Partner != nil {
		t.row("integrator fee", coins(&fees.Integrator.Amount, q.Route.DstToken),
			fees.Integrator.Rate.Percent()+" %", "to "+fees.Partner.Wallet.String())
	}
	if d := n.duration(q.Route); d != "" {
		t.row("usually takes", d)
	}
}

// recipient shortens a 0zk address: it is the start and end that people compare.
func recipient(r swap.Recipient) string {
	s := r.String()
	if r.IsPrivate() {
		return s[:16] + "…" + s[len(s)-12:]
	}
	return s
}

// showCalls prints the transactions in the order they are sent.
func showCalls(t *terminal, q *swap.Quote) {
	t.line()
	t.line("  Sign on chain ", fmt.Sprint(q.Route.Src.Network), t.dim(", in this order; --json has the bytes"))
	p, step := &q.Payload, 0
	call := func(what, to, why string, data []byte) {
		step++
		t.line()
		t.line("  ", t.bold(padded(fmt.Sprintf("%d  %s", step, what), t.labels)), to)
		t.row("   "+why, fmt.Sprintf("0x%x…", data[:4]), fmt.Sprintf("%d bytes", len(data)))
	}
	if a := p.Approval; a != nil {
		if a.Reset != nil {
			call("approve", a.Token.String(), "0 first", a.Reset)
		}
		call("approve", a.Token.String(), coins(&a.Amount, q.Route.SrcToken)+" exactly", a.Calldata)
	}
	why := "no value"
	if !p.Value.IsZero() {
		why = "value " + coins(&p.Value, q.Route.SrcToken)
	}
	call(callName(q), p.To.String(), why, p.Calldata)
}

func callName(q *swap.Quote) string {
	if q.Route.Kind == swap.CCTPInbound {
		return calldata.Burn.Name
	}
	return calldata.Pool.Name
}

// showVerdict says what was made sure of, and what cannot be.
func showVerdict(t *terminal, q *swap.Quote, p *client.Pins) {
	t.good("every field and byte is what the pins make of the request")
	if q.Proof != nil {
		t.good("the encrypted recipient is the 0zk address that was asked for")
	}
	t.line("    ", t.dim("pins of the "+p.Deployment()+" deployment, catalog "+p.Catalog()))
	if q.Route.Shields() && q.Proof == nil {
		t.careful("nothing proves that the encrypted recipient is yours: ask with include=proof")
	}
	if p.Reference() {
		t.careful("the reference deployment is real on a local devnet only")
	}
}
