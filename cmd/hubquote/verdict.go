package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hubquote/client"
	"hubquote/internal/flags"
	"hubquote/internal/show"
	"hubquote/swap"
)

// acceptFlag declares the flag that takes a quote although it is unproven.
func acceptFlag(f *flags.Set) *[]client.Code {
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
	f.NotInEnv("accept") // a variable that was set once would accept every later quote
	return &codes
}

// A verdict is a quote that was not refused, and the reasons that the caller
// accepts.
type verdict struct {
	show.Verdict
	accepted []client.Code
}

// newVerdict takes what the client returned; err is nil unless it refused.
func newVerdict(q *swap.Quote, err error, accepted []client.Code) (*verdict, error) {
	v := &verdict{show.Verdict{Quote: q}, accepted}
	if u, ok := errors.AsType[*client.Unproven](err); ok {
		v.Reasons, err = u.Reasons, nil
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
	for _, r := range v.Reasons {
		if !slices.Contains(v.accepted, r.Code) {
			return fmt.Errorf("%s: %s: %s: unproven, do not sign; --accept %s takes it nevertheless", command, r.Field, r.Code, r.Code)
		}
	}
	return nil
}
