package issuer

import (
	"bytes"
	"encoding/json"
	"strings"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Finality thresholds name the issuer's tiers.
const (
	fast     = 1000 // attested once confirmed
	standard = 2000 // attested once final
)

// The faults of the issuer besides those of any upstream.
const (
	NoTier   upstream.Fault = "no_tier"   // it does not list the fast tier
	BadRate  upstream.Fault = "bad_rate"  // not a decimal number from 0 to 100 bps
	TwoRates upstream.Fault = "two_rates" // it lists a tier twice, with different rates
)

// A tier is one row of the issuer's answer.
type tier struct {
	Threshold uint32          `json:"finalityThreshold"`
	Fee       json.RawMessage `json:"minimumFee"` // in basis points: a number, or a string of one
}

// parseAnswer reads the rows, which come as an array or as an object with the
// array in its field data.
func parseAnswer(answer []byte) (rows []tier, err error) {
	if bytes.HasPrefix(bytes.TrimLeft(answer, " \t\r\n"), []byte("{")) {
		var wrapped struct {
			Data []tier `json:"data"`
		}
		err = json.Unmarshal(answer, &wrapped)
		rows = wrapped.Data
	} else {
		err = json.Unmarshal(answer, &rows)
	}
	if err != nil {
		return nil, upstream.Malformed
	}
	return rows, nil
}

// rateOf returns the rate of the tier with that threshold.
func rateOf(rows []tier, threshold uint32) (rate swap.IssuerRate, err error) {
	err = NoTier
	for _, row := range rows {
		if row.Threshold != threshold {
			continue
		}
		r, bad := row.rate()
		if bad != nil {
			return 0, bad
		}
		if err == nil && r != rate {
			return 0, TwoRates
		}
		rate, err = r, nil
	}
	return rate, err
}

func (t tier) rate() (swap.IssuerRate, error) {
	bps := string(t.Fee)
	if strings.HasPrefix(bps, `"`) {
		// A digit needs no escaping in a string.
		bps = strings.Trim(bps, `"`)
	}
	rate, err := swap.ParseIssuerRate(bps)
	if err != nil {
		return 0, BadRate
	}
	return rate, nil
}

// burnRate returns what a burn from b's source must offer, which it asks for as a
// fast one: the higher of the rates of the two tiers. A messenger refuses a burn
// that offers less than the standard tier costs. If the catalog has no fast tier
// for b, a missing fast row is allowed only when the standard rate is zero.
func burnRate(rows []tier, b *swap.Burn) (swap.IssuerRate, error) {
	quick, err := rateOf(rows, fast)
	if err != nil && (err != NoTier || b.Published != 0) {
		return 0, err
	}
	slow, missing := rateOf(rows, standard)
	switch {
	case err == nil && missing == NoTier:
		return quick, nil
	case missing != nil:
		return 0, missing
	case err == NoTier && slow != 0:
		return 0, NoTier
	}
	return max(quick, slow), nil
}
