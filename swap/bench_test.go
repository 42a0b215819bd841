package swap_test

import (
	"testing"

	"hubquote/swap"
)

func BenchmarkParseAddress(b *testing.B) {
	for b.Loop() {
		if _, err := swap.ParseAddress(checksummed[0]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseAmount(b *testing.B) {
	for b.Loop() {
		if _, err := swap.ParseAmount("25000000000000000000000"); err != nil {
			b.Fatal(err)
		}
	}
}
