package client

import (
	"fmt"

	"hubquote/internal/abi"
	"hubquote/internal/calldata"
	"hubquote/internal/fee"
	"hubquote/internal/wire"
	"hubquote/swap"
)

// claims are what an answer says about things that cannot be derived. They are
// read from where an honest answer has them. An answer that is not honest gives
// nonsense here, which does no harm: the quote that is made with it will not
// compare equal.
type claims struct {
	partner  *swap.Integrator
	maxFee   swap.Amount
	note     []byte
	proof    *swap.Proof
	includes wire.Includes
}

func claimsOf(answer *value) *claims {
	call, _ := parseHex(text(answer, "methodParameters", "calldata"))
	c := &claims{
		note: slice(call, calldata.Pool.TailOffset(), swap.NoteLen),
		includes: wire.Includes{
			Decoded: answer.find("decoded") != nil,
			Calls:   answer.find("calls") != nil,
			Proof:   answer.find("proof") != nil,
		},
	}
	c.maxFee.SetBytes32(slice(call, calldata.Burn.Offset("maxFee"), abi.WordSize))
	if c.includes.Proof {
		c.proof = proofOf(answer)
	}
	if percent := text(answer, "fee", "integrator", "percentage"); answer.find("fee", "integrator", "id") != nil {
		rate, _ := swap.ParsePercent(percent)
		c.partner = &swap.Integrator{Rate: rate}
	}
	return c
}

// text returns the string or literal behind keys, or nothing.
func text(v *value, keys ...string) string {
	if v = v.find(keys...); v == nil {
		return ""
	}
	return v.text
}

// slice returns n bytes of b from offset on, or as many zeros.
func slice(b []byte, offset, n int) []byte {
	if len(b) < offset+n {
		return make([]byte, n)
	}
	return b[offset : offset+n]
}

func proofOf(answer *value) *swap.Proof {
	var p swap.Proof
	random, _ := parseHex(text(answer, "proof", "random"))
	seed, _ := parseHex(text(answer, "proof", "shieldPrivateKey"))
	copy(p.Random[:], random)
	copy(p.ShieldSeed[:], seed)
	return &p
}

// checkIntegrator makes sure that the partner is the one asked for, and takes
// no more than it may. Its wallet is its ID: the registry knows no other.
func (c *claims) checkIntegrator(id swap.IntegratorID, pins *Pins) error {
	if id.IsZero() {
		c.partner = nil
		return nil
	}
	if c.partner == nil {
		return &Mismatch{"fee.integrator.id", id.String(), ""}
	}
	c.partner.ID, c.partner.Wallet = id, swap.Address(id[12:])
	limit, exact := pins.integrator(id)
	const field = "fee.integrator.percentage"
	switch {
	case exact && c.partner.Rate != limit:
		return &Mismatch{field, limit.Percent(), c.partner.Rate.Percent()}
	case c.partner.Rate > limit:
		return &Mismatch{field, "at most " + limit.Percent(), c.partner.Rate.Percent()}
	}
	return nil
}

// checkMaxFee makes sure that a burn offers the issuer what its rate and the
// margin come to, for some rate that the pins allow.
func (c *claims) checkMaxFee(r *route, amount *swap.Amount) error {
	if r.Burn == nil {
		return nil
	}
	low, err := fee.MaxBurnFee(amount, r.issuer.Min)
	if err != nil {
		return err
	}
	high, err := fee.MaxBurnFee(amount, r.issuer.Max)
	if err != nil {
		return err
	}
	if !c.maxFee.Lt(&low) && !c.maxFee.Gt(&high) {
		return nil
	}
	want := low.Dec()
	if low != high {
		want = fmt.Sprintf("between %s and %s", low.Dec(), high.Dec())
	}
	return &Mismatch{"methodParameters.calldata.maxFee", want, c.maxFee.Dec()}
}
