package point_test

import (
	"bytes"
	"testing"

	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
	"pgregory.net/rapid"

	"hubquote/internal/point"
)

// Bytes must be the library's for every point: read from any bytes that it reads,
// also those that are not the one valid form, or computed, with any Z.
func TestBytesAreThoseOfTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := read.Draw(t, "point")
		if got, want := point.Bytes(p), p.Bytes(); !bytes.Equal(got[:], want) {
			t.Fatalf("Bytes of a point that was read = %x, want %x", got, want)
		}
		p.Add(p, p)
		if got, want := point.Bytes(p), p.Bytes(); !bytes.Equal(got[:], want) {
			t.Fatalf("Bytes of a sum = %x, want %x", got, want)
		}
	})
}

// A point is the same when it is read with its x, and one with another x is none, or
// the one with the other sign.
func TestAtIsWhatWasRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p, q edwards25519.Point
		p.Set(read.Draw(t, "point"))
		if rapid.Bool().Draw(t, "sum") {
			p.Add(&p, &p)
		}
		key, x := point.Bytes(&p), point.X(&p)
		if err := point.At(&q, x, key); err != nil || q.Equal(&p) != 1 {
			t.Fatalf("At(%x, %x) = %x, %v, want the point", x, key, q.Bytes(), err)
		}
		x[rapid.IntRange(0, 31).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
		if err := point.At(&q, x, key); err == nil && point.Bytes(&q) == key && x[31]&0x80 == 0 && point.X(&q) == x {
			t.Fatalf("At(%x, %x) is the point, want another one or an error for another x", x, key)
		}
	})
}

// A point that was read has Z = 1; with another Z the short way would be wrong.
func TestReadPointsHaveZOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, _, z, _ := read.Draw(t, "point").ExtendedCoordinates(); z.Equal(new(field.Element).One()) != 1 {
			t.Fatalf("Z = %x, want 1", z.Bytes())
		}
	})
}

// read draws points that the library reads. The first have Y of at least the modulus
// or X = 0 with the wrong sign, which are not in their one valid form.
var read = rapid.Custom(func(t *rapid.T) *edwards25519.Point {
	text := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "bytes")
	if rapid.Bool().Draw(t, "odd") {
		text = bytes.Repeat([]byte{0xff}, 32)
		text[0] = rapid.ByteRange(0xed, 0xff).Draw(t, "low")
		text[31] = rapid.SampledFrom([]byte{0x7f, 0xff}).Draw(t, "high")
	}
	p, err := new(edwards25519.Point).SetBytes(text)
	if err != nil {
		return edwards25519.NewGeneratorPoint()
	}
	return p
})

func BenchmarkBytes(b *testing.B) {
	p, err := new(edwards25519.Point).SetBytes(edwards25519.NewGeneratorPoint().Bytes())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			point.Bytes(p)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			p.Bytes()
		}
	})
}
