// Package issuer tells what the stablecoin's issuer charges for a fast burn from
// each source domain. A rate is either the catalog's published one or at most
// ten minutes old, and no caller ever waits for the network to learn it.
package issuer

import (
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// How old a live rate may be.
const (
	Fresh  = 60 * time.Second // older than this, refreshing is in trouble
	Usable = 10 * time.Minute // older than this, the issuer may have raised it beyond the margin
)

// Published answers with the rates that the issuer publishes and the catalog
// records. It is a [swap.IssuerFees].
type Published struct{}

// IssuerRate returns the published rate of b's source.
func (Published) IssuerRate(b *swap.Burn) (swap.IssuerRate, error) { return b.Published, nil }

// Health says that the rates are the published ones.
func (Published) Health() Health { return Health{} }

// Health is where the rates come from and how old they are.
type Health struct {
	Live    bool           // from the issuer itself; else from the catalog
	Sources []SourceHealth // what is known live, in the order of the burns
}

// SourceHealth is what is known about one source domain's rate.
type SourceHealth struct {
	Source swap.Domain
	Known  bool           // there has been a rate
	Age    time.Duration  // of that rate
	Fault  upstream.Fault // of the last refresh; empty when it went well or none was made
}

// Usable reports whether the rate is given to callers.
func (h SourceHealth) Usable() bool { return h.Known && h.Age <= Usable }
