package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hubquote/client"
	"hubquote/swap"
)

// acceptFlag declares the flag that takes a quote although it is unproven.
func acceptFlag(f *flags) *[]client.Code {
	var codes []client.Code
	known := []client.Code{client.NoteUnproven, client.IntegratorRateUnpinned}
	f.Func("accept", "take a quote that is unproven for the reason with this `code`:\nNOTE_UNPROVEN or INTEGRATOR_RATE_UNPINNED; repeat it for both", func(text string) error {
		for word := range strings.SplitSeq(text, ",") {
			if !slices.Contains(known, client.Code(word)) {
				return errors.New("not a reason: write NOTE_UNPROVEN or INTEGRATOR_RATE_UNPINNED")
			}
			codes = append(codes, client.Code(word))
		}
		return nil
	})
	return &codes
}

// A verdict is a quote that was not refused, and what is unknown about it.
type verdict struct {
	quote    *swap.Quote
	reasons  []client.Reason
	accepted []client.Code
}

// newVerdict takes what the client returned; err is nil unless it refused.
func newVerdict(q *swap.Quote, err error, accepted []client.Code) (*verdict, error) {
	v := &verdict{quote: q, accepted: accepted}
	if u, ok := errors.AsType[*client.Unproven](err); ok {
		v.reasons, err = u.Reasons, nil
	}
	return v, err
}

// toErr writes to standard error: standard output gets only quotes that may be
// signed.
func (s std) toErr() std {
	s.out = s.err
	return s
}

// refusal is an error unless every reason is accepted.
func (v *verdict) refusal(command string) error {
	for _, r := range v.reasons {
		if !slices.Contains(v.accepted, r.Code) {
			return fmt.Errorf("%s: %s: %s: unproven, do not sign; --accept %s takes it nevertheless", command, r.Field, r.Code, r.Code)
		}
	}
	return nil
}

// show prints the swap in one line, and the verdict.
func (v *verdict) show(t *terminal, p *client.Pins) error {
	n, err := newNames()
	if err != nil {
		return err
	}
	showSwap(t, v.quote, n)
	v.showChecks(t, p)
	return nil
}

// showChecks says what was checked, and what cannot be.
func (v *verdict) showChecks(t *terminal, p *client.Pins) {
	if len(v.reasons) == 0 {
		t.good("every field and byte is what the pins make of the request")
	} else {
		t.good("every other field and byte is what the pins make of the request")
	}
	if v.quote.Proof != nil {
		t.good("the encrypted recipient is the 0zk address that was asked for")
	}
	t.line("    ", t.dim("pins of the "+p.Deployment()+" deployment, catalog "+p.Catalog()))
	for _, r := range v.reasons {
		t.careful(string(r.Code) + ": " + r.String())
	}
	if p.Reference() {
		t.careful("the reference deployment is real on a local devnet only")
	}
}
