// Package issuer returns the fee of the stablecoin's issuer for a fast burn from
// each source domain. A rate is either the published one of the catalog or at
// most ten minutes old, and no caller ever waits for the network.
package issuer

import (
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Usable is how old a live rate may be. The issuer may have raised an older one
// beyond the margin.
const Usable = 10 * time.Minute

// Published returns the rates that the issuer publishes and the catalog records.
// It is a [swap.IssuerFees].
type Published struct{}

// IssuerRate returns the published rate of b's source.
func (Published) IssuerRate(b *swap.Burn) (swap.IssuerRate, error) { return b.Published, nil }

// SourceHealth is the state of one source domain's rate.
type SourceHealth struct {
	Source swap.Domain
	Known  bool           // a rate has been fetched
	Age    time.Duration  // of that rate
	Fault  upstream.Fault // of the last refresh; empty when it went well or none was made
}

// Usable reports whether the rate is given to callers.
func (h SourceHealth) Usable() bool { return h.Known && h.Age <= Usable }
