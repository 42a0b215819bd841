package issuer_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"hubquote/internal/issuer"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

var (
	arbitrum  = &swap.Burn{Source: 3, Gateway: 6, Published: 1_300_000_000}
	avalanche = &swap.Burn{Source: 1, Gateway: 6} // no fast tier
)

func TestRead(t *testing.T) {
	const bps = 1_000_000_000
	tests := []struct {
		name   string
		burn   *swap.Burn
		answer string
		want   swap.IssuerRate
		fault  error
	}{
		{"a bare array", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1.3},{"finalityThreshold":2000,"minimumFee":0}]`, 1_300_000_000, nil},
		{"an array in an object", arbitrum, ` {"data":[{"finalityThreshold":1000,"minimumFee":1.4}]}`, 1_400_000_000, nil},
		{"in any order", arbitrum, `[{"finalityThreshold":2000,"minimumFee":0},{"finalityThreshold":1000,"minimumFee":11}]`, 11 * bps, nil},
		{"a number in a string", arbitrum, `[{"finalityThreshold":1000,"minimumFee":"1.3"}]`, 1_300_000_000, nil},
		{"fields we do not know", arbitrum, `[{"finalityThreshold":1000,"minimumFee":2,"forwardFee":{"low":1}}]`, 2 * bps, nil},
		{"a zero fee", arbitrum, `[{"finalityThreshold":1000,"minimumFee":0}]`, 0, nil},
		{"nine decimals", arbitrum, `[{"finalityThreshold":1000,"minimumFee":0.000000001}]`, 1, nil},
		{"one per cent", arbitrum, `[{"finalityThreshold":1000,"minimumFee":100}]`, 100 * bps, nil},
		{"the tier twice, with equal rates", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1.3},{"finalityThreshold":1000,"minimumFee":"1.30"}]`, 1_300_000_000, nil},

		{"the tier twice, with different rates", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1.3},{"finalityThreshold":1000,"minimumFee":0}]`, 0, issuer.TwoRates},
		{"ten decimals", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1.3000000000}]`, 0, issuer.BadRate},
		{"more than one per cent", arbitrum, `[{"finalityThreshold":1000,"minimumFee":100.000000001}]`, 0, issuer.BadRate},
		{"far more", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1000000000000000000000000000001}]`, 0, issuer.BadRate},
		{"negative", arbitrum, `[{"finalityThreshold":1000,"minimumFee":-1.3}]`, 0, issuer.BadRate},
		{"negative in a string", arbitrum, `[{"finalityThreshold":1000,"minimumFee":"-1.3"}]`, 0, issuer.BadRate},
		{"minus zero", arbitrum, `[{"finalityThreshold":1000,"minimumFee":-0}]`, 0, issuer.BadRate},
		{"an exponent", arbitrum, `[{"finalityThreshold":1000,"minimumFee":13e-1}]`, 0, issuer.BadRate},
		{"a large exponent", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1e1000000000}]`, 0, issuer.BadRate},
		{"not a number", arbitrum, `[{"finalityThreshold":1000,"minimumFee":"NaN"}]`, 0, issuer.BadRate},
		{"hexadecimal", arbitrum, `[{"finalityThreshold":1000,"minimumFee":"0x1"}]`, 0, issuer.BadRate},
		{"an empty string", arbitrum, `[{"finalityThreshold":1000,"minimumFee":""}]`, 0, issuer.BadRate},
		{"a space", arbitrum, `[{"finalityThreshold":1000,"minimumFee":" 1.3"}]`, 0, issuer.BadRate},
		{"a comma", arbitrum, `[{"finalityThreshold":1000,"minimumFee":"1,3"}]`, 0, issuer.BadRate},
		{"an object", arbitrum, `[{"finalityThreshold":1000,"minimumFee":{"bps":1.3}}]`, 0, issuer.BadRate},
		{"null", arbitrum, `[{"finalityThreshold":1000,"minimumFee":null}]`, 0, issuer.BadRate},
		{"no fee", arbitrum, `[{"finalityThreshold":1000}]`, 0, issuer.BadRate},
		{"no fast tier", arbitrum, `[{"finalityThreshold":2000,"minimumFee":0}]`, 0, issuer.NoTier},
		{"no tier at all", arbitrum, `[]`, 0, issuer.NoTier},
		{"an error", arbitrum, `{"code":404,"message":"not found"}`, 0, issuer.NoTier},
		{"null instead of rows", arbitrum, `null`, 0, issuer.NoTier},
		{"a threshold in a string", arbitrum, `[{"finalityThreshold":"1000","minimumFee":1.3}]`, 0, upstream.Malformed},
		{"a threshold with a fraction", arbitrum, `[{"finalityThreshold":1000.5,"minimumFee":1.3}]`, 0, upstream.Malformed},
		{"a threshold beyond 32 bits", arbitrum, `[{"finalityThreshold":4294968296,"minimumFee":1.3}]`, 0, upstream.Malformed},
		{"leading zeros in a string", arbitrum, `[{"finalityThreshold":1000,"minimumFee":"0001"}]`, 0, issuer.BadRate},
		{"HTML", arbitrum, `<html>`, 0, upstream.Malformed},
		{"an empty body", arbitrum, ``, 0, upstream.Malformed},
		{"half an answer", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1.3}`, 0, upstream.Malformed},
		{"two answers", arbitrum, `[{"finalityThreshold":1000,"minimumFee":1.3}][]`, 0, upstream.Malformed},

		{"a standard tier that costs more than the fast one", arbitrum, `[{"finalityThreshold":1000,"minimumFee":0},{"finalityThreshold":2000,"minimumFee":1}]`, bps, nil},
		{"a standard tier that costs less", arbitrum, `[{"finalityThreshold":1000,"minimumFee":2},{"finalityThreshold":2000,"minimumFee":1}]`, 2 * bps, nil},
		{"a standard tier that is bad", arbitrum, `[{"finalityThreshold":1000,"minimumFee":2},{"finalityThreshold":2000,"minimumFee":-1}]`, 0, issuer.BadRate},

		{"a source without a fast tier, listed", avalanche, `[{"finalityThreshold":1000,"minimumFee":0}]`, 0, nil},
		{"a source without a fast tier, listed with a fee", avalanche, `[{"finalityThreshold":1000,"minimumFee":1}]`, bps, nil},
		{"a source without a fast tier, not listed", avalanche, `[{"finalityThreshold":2000,"minimumFee":0}]`, 0, nil},
		{"a source without a fast tier, whose standard tier has a fee", avalanche, `[{"finalityThreshold":2000,"minimumFee":1}]`, 0, issuer.NoTier},
		{"a source without any tier", avalanche, `[]`, 0, issuer.NoTier},
		{"a source without a fast tier, with a bad one", avalanche, `[{"finalityThreshold":1000,"minimumFee":-1},{"finalityThreshold":2000,"minimumFee":0}]`, 0, issuer.BadRate},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := issuer.Read([]byte(tt.answer), tt.burn)
			if got != tt.want || !errors.Is(err, tt.fault) {
				t.Errorf("Read = %d, %v; want %d, %v", got, err, tt.want, tt.fault)
			}
		})
	}
}

// FuzzRead checks a rate that is accepted against exact fractions: it is the
// highest fee of the two tiers, and between 0 and 100 bps.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"finalityThreshold":1000,"minimumFee":1.3},{"finalityThreshold":2000,"minimumFee":0}]`))
	f.Add([]byte(`{"data":[{"finalityThreshold":1000,"minimumFee":"0.000000001"}]}`))
	f.Add([]byte(`[{"finalityThreshold":1000,"minimumFee":1e2}]`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		rate, err := issuer.Read(answer, arbitrum)
		if err != nil {
			return
		}
		got := big.NewRat(int64(rate), 1_000_000_000)
		if got.Sign() < 0 || got.Cmp(big.NewRat(100, 1)) > 0 {
			t.Errorf("Read(%s) = %s bps, want 0 to 100", answer, got)
		}
		highest := new(big.Rat)
		for _, fee := range fees(t, answer) {
			if fee.Cmp(highest) > 0 {
				highest = fee
			}
		}
		if got.Cmp(highest) != 0 {
			t.Errorf("Read(%s) = %s bps, want %s", answer, got, highest)
		}
	})
}

// fees reads the fees of both tiers with a second implementation.
func fees(t *testing.T, answer []byte) (fees []*big.Rat) {
	type row struct {
		FinalityThreshold uint32
		MinimumFee        json.Number // a number, or a string of one
	}
	var rows []row
	if json.Unmarshal(answer, &rows) != nil {
		var wrapped struct{ Data []row }
		if err := json.Unmarshal(answer, &wrapped); err != nil {
			t.Fatalf("Read(%s) has no error, want one: %v", answer, err)
		}
		rows = wrapped.Data
	}
	listed := false
	for _, r := range rows {
		listed = listed || r.FinalityThreshold == 1000
		if r.FinalityThreshold == 1000 || r.FinalityThreshold == 2000 {
			fee, ok := new(big.Rat).SetString(r.MinimumFee.String())
			if !ok {
				t.Fatalf("Read(%s) has no error, want one: the fee is no number", answer)
			}
			fees = append(fees, fee)
		}
	}
	if !listed {
		t.Fatalf("Read(%s) has no error, want one: there is no fast tier", answer)
	}
	return fees
}
