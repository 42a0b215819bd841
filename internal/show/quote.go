// Package show prints quotes, calls and routes for people.
//
// The names it prints come from the built-in catalog and prove nothing; what was
// verified is said in the lines that end an answer.
package show

import (
	"fmt"
	"strings"

	"hubquote/client"
	"hubquote/internal/term"
	"hubquote/internal/wire"
	"hubquote/swap"
)

// Quote prints a quote that was verified: its terms, its calls and the verdict.
func Quote(t *term.Terminal, q *swap.Quote, r swap.Request, p *client.Pins) error {
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
	showVerdict(t, q, p)
	t.Line()
	return nil
}

// Verified prints the swap and the verdict of a quote that was verified.
func Verified(t *term.Terminal, q *swap.Quote, p *client.Pins) error {
	n, err := newNames()
	if err != nil {
		return err
	}
	showSwap(t, q, n)
	showVerdict(t, q, p)
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
	if r.Private != "" {
		return r.Private[:16] + "…" + r.Private[len(r.Private)-12:]
	}
	return r.Address.String()
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
	function, _, _ := strings.Cut(callName(q), "(")
	why := "no value"
	if !p.Value.IsZero() {
		why = "value " + coins(&p.Value, q.Route.SrcToken)
	}
	call(function, p.To.String(), why, p.Calldata)
}

func callName(q *swap.Quote) string {
	if q.Route.Kind == swap.CCTPInbound {
		return wire.BurnFunction
	}
	return wire.PoolFunction
}

// showVerdict says what was made sure of, and what cannot be.
func showVerdict(t *term.Terminal, q *swap.Quote, p *client.Pins) {
	t.Good("every field and byte is what the pins make of the request")
	if q.Proof != nil {
		t.Good("the encrypted recipient is the 0zk address that was asked for")
	}
	t.Line("    ", t.Dim("pins of the "+p.Deployment()+" deployment, catalog "+p.Catalog()))
	if q.Route.Shields() && q.Proof == nil {
		t.Careful("nothing proves that the encrypted recipient is yours: ask with include=proof")
	}
	if p.Reference() {
		t.Careful("the reference deployment is real on a local devnet only")
	}
}
