package judge

import (
	"hubquote/internal/abi"
	"hubquote/internal/calldata"
	"hubquote/internal/deposit"
	"hubquote/internal/fee"
	"hubquote/internal/strictjson"
	"hubquote/swap"
)

// claims are the parts of an answer that cannot be derived. They are read from
// where an honest answer has them, and are zero where it has none: the quote
// that is derived from them will then not compare equal.
type claims struct {
	partner *swap.Integrator // nil when none was asked for
	maxFee  swap.Amount
	note    []byte
	proof   *swap.Proof // nil unless one must be there
}

// The fields that are claimed.
const (
	idField     = "fee.integrator.id"
	rateField   = "fee.integrator.percentage"
	maxFeeField = "methodParameters.calldata.maxFee"
	noteField   = "methodParameters.calldata.recipient"
)

func (p *Plan) claims(answer *strictjson.Value) *claims {
	call, _ := hexOf(answer.Find("methodParameters", "calldata"))
	pool := calldata.PoolCall{RefundTo: p.request.RefundTo}
	c := &claims{note: slice(call, pool.Func().TailOffset(), swap.NoteLen)}
	c.maxFee.SetBytes32(slice(call, calldata.Burn.Offset("maxFee"), abi.WordSize))
	if id := p.request.Integrator; !id.IsZero() {
		rate, _ := rateOf(answer)
		c.partner = &swap.Integrator{ID: id, Wallet: swap.Address(id[12:]), Rate: rate}
	}
	if p.route.Shields() && p.request.Include.Proof {
		random, _ := hexOf(answer.Find("proof", "random"))
		seed, _ := hexOf(answer.Find("proof", "shieldPrivateKey"))
		c.proof = &swap.Proof{Random: [16]byte(slice(random, 0, 16)), ShieldSeed: [32]byte(slice(seed, 0, 32))}
	}
	return c
}

// slice returns n bytes of b from offset on, or as many zeros.
func slice(b []byte, offset, n int) []byte {
	if len(b) < offset+n {
		return make([]byte, n)
	}
	return b[offset : offset+n]
}

// rateOf reads an integrator's rate, if it is a number in its one spelling.
func rateOf(answer *strictjson.Value) (swap.Rate, bool) {
	v := answer.Find("fee", "integrator", "percentage")
	if v == nil || v.Kind != strictjson.Literal {
		return 0, false
	}
	rate, err := swap.ParsePercent(v.Text)
	return rate, err == nil && rate.Percent() == v.Text
}

// derive makes the quote by the same rules as the server.
func (p *Plan) derive(c *claims) (q *swap.Quote, err error) {
	r, route := &p.request, &p.route.Route
	q = &swap.Quote{Route: route, Amount: r.Amount, Proof: c.proof}
	if q.Received, q.Fees, err = fee.Split(route, &r.Amount, c.partner); err != nil {
		return nil, err
	}
	d := deposit.Deposit{
		Route: route, Amount: r.Amount, Recipient: calldata.ToAddress(r.Recipient.Address()),
		Integrator: r.Integrator, RefundTo: r.RefundTo, MaxFee: c.maxFee,
	}
	if route.Shields() {
		d.Recipient = calldata.ToNote(c.note)
	}
	q.Payload = d.Payload()
	q.Payload.Call, err = d.Check(&q.Payload)
	return q, err
}
