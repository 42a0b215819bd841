package issuer_test

import (
	"testing"

	"hubquote/internal/issuer"
)

// Every quote of a burn reads the rate.
func BenchmarkIssuerRate(b *testing.B) {
	known := make(chan issuer.Refresh, 2)
	l := start(b, issuer.Options{Transport: newAPI(), Observe: func(r issuer.Refresh) { known <- r }})
	<-known
	<-known
	for b.Loop() {
		if _, err := l.IssuerRate(arbitrum); err != nil {
			b.Fatal(err)
		}
	}
}
