package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hubquote/client"
	"hubquote/internal/command"
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

// A verdict is a quote that passed every check that could be made.
type verdict struct {
	show.Verdict
	refused error // set when a check could not be made and the caller does not accept that
}

// newVerdict takes the results of the client, which are an error if a check failed.
func newVerdict(command string, q *swap.Quote, err error, accepted []client.Code) (v verdict, _ error) {
	v.Quote = q
	if u, ok := errors.AsType[*client.Unproven](err); ok {
		v.Reasons, err = u.Reasons, nil
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", command, err)
	}
	for _, r := range v.Reasons {
		if !slices.Contains(accepted, r.Code) {
			v.refused = fmt.Errorf("%s: %s: %s: unproven, do not sign; --accept %s takes it nevertheless", command, r.Field, r.Code, r.Code)
			break
		}
	}
	return v, nil
}

// refuse prints the verdict to standard error: standard output gets only quotes
// that may be signed.
func (v verdict) refuse(s command.Std, p *client.Pins) error {
	s.Out = s.Err
	return cmp.Or(show.Verified(s.Terminal(0), v.Verdict, p), v.refused)
}
