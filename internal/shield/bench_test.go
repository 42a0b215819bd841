package shield_test

import (
	"crypto/rand"
	"strconv"
	"strings"
	"testing"

	"hubquote/internal/shield"
	"hubquote/swap"
	"hubquote/test/zk"
)

func BenchmarkEncrypt(b *testing.B) {
	a := zk.Parse(b, zk.Vectors(b)[0].Address)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := shield.Encrypt(a, rand.Reader); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseEncrypt measures the extra cost of a shielding quote.
func BenchmarkParseEncrypt(b *testing.B) {
	text := zk.Vectors(b)[0].Address
	b.ReportAllocs()
	for b.Loop() {
		a, err := swap.ParsePrivateAddress(text)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := shield.Encrypt(a, rand.Reader); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEngine measures the wallet engine, in Node, for comparison. It has no
// self-check, which is a third of the time of [shield.Encrypt].
func BenchmarkEngine(b *testing.B) {
	installEngine(b)
	for b.Loop() {
		const notes = "200"
		out, err := inEngineDir(nil, "node", "bench.js", zk.Vectors(b)[0].Address, notes)
		if err != nil {
			b.Fatal(err)
		}
		took, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(took, "ns/note")
	}
	b.ReportMetric(0, "ns/op")
}

func BenchmarkVerify(b *testing.B) {
	v := zk.Vectors(b)[0]
	a := zk.Parse(b, v.Address)
	b.ReportAllocs()
	for b.Loop() {
		if err := shield.Verify(v.Note, a, v.Proof()); err != nil {
			b.Fatal(err)
		}
	}
}
