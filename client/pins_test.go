package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/client"
	"hubquote/internal/fee"
	"hubquote/internal/pinfile"
	"hubquote/swap"
	"hubquote/test/mutations"
)

func newPins(t testing.TB, a pinfile.Allowances) *client.Pins {
	t.Helper()
	p, err := client.ParsePins(pinfile.Of(embedded(t), a).Text())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func issuerRate(t *testing.T, bps string) swap.IssuerRate {
	t.Helper()
	r, err := swap.ParseIssuerRate(bps)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Pins that are written and read again are the same, and accept the same
// answers.
func TestPinsAreTheSameAfterWritingAndReading(t *testing.T) {
	written := newPins(t, pinfile.Allowances{IssuerMax: issuerRate(t, "14"), Integrators: []swap.Integrator{partner}})
	name := filepath.Join(t.TempDir(), "pins.json")
	if err := os.WriteFile(name, written.Text(), 0o644); err != nil {
		t.Fatal(err)
	}
	read, err := client.ReadPins(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written.Text()), string(read.Text())); diff != "" {
		t.Errorf("pins (-written +read):\n%s", diff)
	}
	if read.Catalog() != embedded(t).Digest() || read.Deployment() != embedded(t).Deployment() {
		t.Errorf("pins of %s, %s; want those of the catalog", read.Deployment(), read.Catalog())
	}
	for _, e := range exchanges(t) {
		if _, err := client.Verify(e.request, e.answer, read); err != nil {
			t.Errorf("%s: error = %v, want none", e.name, err)
		}
	}
}

// A burn may offer the issuer what its rate comes to, for a rate in the pins.
func TestMaxFeeRange(t *testing.T) {
	tests := []struct {
		name, max, rate string
		want            string // if it is refused, what it should be
	}{
		{"what it publishes", "", "1.3", ""},
		{"more than it publishes", "", "1.4", "3978"},
		{"less than it publishes", "", "1.2", "3978"},
		{"up to an allowance", "14", "14", ""},
		{"anything below an allowance", "14", "0", ""},
		{"more than an allowance", "14", "14.1", "between 0 and 42840"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a pinfile.Allowances
			if tt.max != "" {
				a.IssuerMax = issuerRate(t, tt.max)
			}
			r := request(t, burn)
			answer := plot(t, r, func(s *scheme) {
				var err error
				if s.deposit.MaxFee, err = fee.MaxBurnFee(&r.Amount, issuerRate(t, tt.rate)); err != nil {
					t.Fatal(err)
				}
			})
			_, err := client.Verify(r, answer, newPins(t, a))
			m, _ := errors.AsType[*client.Mismatch](err)
			if tt.want == "" && err != nil || tt.want != "" && (m == nil || m.Code != client.MaxFeeDiffers || m.Field != "methodParameters.calldata.maxFee" || m.Want != tt.want) {
				t.Errorf("Verify: %v, want it to be %q", err, tt.want)
			}
		})
	}
}

// A partner whose rate is pinned takes exactly that.
func TestPinnedIntegratorRate(t *testing.T) {
	pins := newPins(t, pinfile.Allowances{Integrators: []swap.Integrator{partner}})
	r := request(t, outbound+"&integratorId="+partner.ID.String())
	for rate, want := range map[swap.Rate]bool{partner.Rate: true, partner.Rate - 1: false, partner.Rate + 1: false} {
		answer := plot(t, r, func(s *scheme) { s.partner.Rate = rate })
		if _, err := client.Verify(r, answer, pins); (err == nil) != want {
			t.Errorf("a rate of %d: %v, want it accepted: %t", rate, err, want)
		}
	}
}

func TestVerifyNeedsPins(t *testing.T) {
	if _, err := client.Verify(swap.Request{}, nil, nil); err == nil {
		t.Error("Verify without pins = nil error, want one")
	}
}

// The pins of the table are refused, here and in the TypeScript client.
func TestBadPins(t *testing.T) {
	list, err := mutations.BadPins()
	if err != nil || len(list) < 70 {
		t.Fatalf("BadPins = %d rows, %v; want at least 70", len(list), err)
	}
	for _, p := range list {
		t.Run(p.Name, func(t *testing.T) {
			if _, err := client.ParsePins([]byte(p.File)); err == nil {
				t.Error("the pins are accepted, want an error")
			}
		})
	}
}
