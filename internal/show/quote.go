// Package show prints quotes, calls and routes for people.
//
// The names it prints come from the built-in catalog and prove nothing; what was
// verified is said in the lines that end an answer.
package show

import (
	"fmt"

	"hubquote/client"
	"hubquote/internal/calldata"
	"hubquote/internal/term"
	"hubquote/swap"
)

// A Verdict is a quote that was not refused, and what is unknown about it.
type Verdict struct {
	Quote   *swap.Quote
	Reasons []client.Reason
}

// Quote prints a quote that was verified: its terms, its calls and the verdict.
func Quote(t *term.Terminal, v Verdict, r swap.Request, p *client.Pins) error {
	q := v.Quote
	n, err := newNames()
	if err != nil {
		return err
	}
	t.Line()
	showSwap(t, q, n)
	t.Line()
	showTerms(t, q, r, n)
	showCalls(t, q)
	t.Line()
	showChecks(t, v, p)
	t.Line()
	return nil
}

// Verified prints the swap and the verdict of a quote that was verified.
func Verified(t *term.Terminal, v Verdict, p *client.Pins) error {
	n, err := newNames()
	if err != nil {
		return err
	}
	showSwap(t, v.Quote, n)
	showChecks(t, v, p)
	return nil
}

func showSwap(t *term.Terminal, q *swap.Quote, n *names) {
	t.Line("  ", t.Bold(coins(&q.Amount, q.Route.SrcToken)), t.Dim(" on "), n.place(q.Route.Src.ID),
		t.Dim("  →  "), t.Bold(coins(&q.Received, q.Route.DstToken)), t.Dim(" on "), n.place(q.Route.Dst.ID))
}

func coins(a *swap.Amount, token *swap.Token) string {
	return swap.FormatUnits(a, token.Decimals) + " " + token.Symbol
}

func showTerms(t *term.Terminal, q *swap.Quote, r swap.Request, n *names) {
	fees := &q.Fees
	t.Row("recipient", recipient(r.Recipient))
	if !r.RefundTo.IsZero() {
		t.Row("refund to", r.RefundTo.String())
	}
	t.Row("protocol fee", coins(&fees.Protocol.Amount, q.Route.DstToken), fees.Protocol.Rate.Percent()+" %")
	if fees.Partner != nil {
		t.Row("integrator fee", coins(&fees.Integrator.Amount, q.Route.DstToken),
			fees.Integrator.Rate.Percent()+" %", "to "+fees.Partner.Wallet.String())
	}
	if d := n.duration(q.Route); d != "" {
		t.Row("usually takes", d)
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
func showCalls(t *term.Terminal, q *swap.Quote) {
	t.Line()
	t.Line("  Sign on chain ", fmt.Sprint(q.Route.Src.Network), t.Dim(", in this order; --json has the bytes"))
	p, step := &q.Payload, 0
	call := func(what, to, why string, data []byte) {
		step++
		t.Line()
		t.Line("  ", t.Bold(term.Pad(fmt.Sprintf("%d  %s", step, what), t.Labels)), to)
		t.Row("   "+why, fmt.Sprintf("0x%x…", data[:4]), fmt.Sprintf("%d bytes", len(data)))
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
	if c, ok := q.Payload.Call.(*calldata.PoolCall); ok {
		return c.Func().Name
	}
	return calldata.Burn.Name
}

// showChecks says what was checked, and what cannot be.
func showChecks(t *term.Terminal, v Verdict, p *client.Pins) {
	if len(v.Reasons) == 0 {
		t.Good("every field and byte is what the pins make of the request")
	} else {
		t.Good("every other field and byte is what the pins make of the request")
	}
	if v.Quote.Proof != nil {
		t.Good("the encrypted recipient is the 0zk address that was asked for")
	}
	t.Line("    ", t.Dim("pins of the "+p.Deployment()+" deployment, catalog "+p.Catalog()))
	for _, r := range v.Reasons {
		t.Careful(string(r.Code) + ": " + r.String())
	}
	if p.Reference() {
		t.Careful("the reference deployment is real on a local devnet only")
	}
}
