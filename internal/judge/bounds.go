package judge

import (
	"fmt"

	"hubquote/internal/fee"
	"hubquote/internal/shield"
	"hubquote/internal/strictjson"
)

// checkIntegrator makes sure that the partner asked for is in the answer, and
// takes no more than it may. Its wallet is its ID: the registry has no other.
func (p *Plan) checkIntegrator(answer *strictjson.Value) error {
	id := p.request.Integrator
	if id.IsZero() {
		return nil
	}
	if answer.Find("fee", "integrator", "id") == nil {
		return &Finding{FieldMissing, idField, id.String(), ""}
	}
	want := p.rate.Percent()
	if !p.known {
		want = "at most " + want
	}
	if rate, ok := rateOf(answer); !ok || rate > p.rate || p.known && rate != p.rate {
		got := ""
		if v := answer.Find("fee", "integrator", "percentage"); v != nil {
			got = v.String()
		}
		return &Finding{IntegratorRateDiffers, rateField, want, got}
	}
	return nil
}

// checkMaxFee makes sure that a burn offers the issuer what its rate and the
// margin come to, for some rate that the pins allow.
func (p *Plan) checkMaxFee(c *claims) error {
	if p.route.Burn == nil {
		return nil
	}
	low, err := fee.MaxBurnFee(&p.request.Amount, p.route.Issuer.Min)
	if err != nil {
		return err
	}
	high, err := fee.MaxBurnFee(&p.request.Amount, p.route.Issuer.Max)
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
	return &Finding{MaxFeeDiffers, maxFeeField, want, c.maxFee.Dec()}
}

// checkNote makes sure that the proof makes the encrypted recipient. It is the
// last check, because it costs more than all the others.
func (p *Plan) checkNote(c *claims) error {
	if c.proof == nil || shield.Verify(c.note, p.request.Recipient.Private(), *c.proof) == nil {
		return nil
	}
	return &Finding{NoteDiffers, noteField, "the note that the proof makes for your 0zk address", fmt.Sprintf("0x%x", c.note)}
}
