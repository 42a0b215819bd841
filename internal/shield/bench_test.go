package shield_test

import (
	"bytes"
	"crypto/rand"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"filippo.io/edwards25519"
	"github.com/iden3/go-iden3-crypto/v2/poseidon"

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

// BenchmarkParseEncryptInFloors measures the extra cost of a shielding quote in what
// no implementation can do without: one scalar multiplication and two Poseidon
// hashes. They are made in turns: a slow phase of the machine slows both.
func BenchmarkParseEncryptInFloors(b *testing.B) {
	text := zk.Vectors(b)[0].Address
	scalar, err := edwards25519.NewScalar().SetBytesWithClamping(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		b.Fatal(err)
	}
	point, inputs := edwards25519.NewGeneratorPoint(), []*big.Int{big.NewInt(1), big.NewInt(2)}
	var ratios []float64
	for b.Loop() {
		start := time.Now()
		a, err := swap.ParsePrivateAddress(text)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := shield.Encrypt(a, rand.Reader); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		point.ScalarMult(scalar, point)
		for range 2 {
			if _, err := poseidon.Hash(inputs); err != nil {
				b.Fatal(err)
			}
		}
		ratios = append(ratios, middle.Sub(start).Seconds()/time.Since(middle).Seconds())
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "floors")
	b.ReportMetric(0, "ns/op")
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
