package swap_test

import (
	"testing"

	"hubquote/swap"
	"hubquote/test/zk"
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

func BenchmarkParsePrivateAddress(b *testing.B) {
	text := zk.Vectors(b)[0].Address
	b.ReportAllocs()
	for b.Loop() {
		if _, err := swap.ParsePrivateAddress(text); err != nil {
			b.Fatal(err)
		}
	}
}
