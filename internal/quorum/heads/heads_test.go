package heads

import (
	"testing"

	"pgregory.net/rapid"
)

// With any head of one node, the others can still vote, and at a block that is
// not much older than their heads.
func TestPinWithOneDishonestNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Uint64Range(0, 1<<60).Draw(t, "base")
		honest := rapid.SliceOfN(rapid.Uint64Range(base, base+MaxLag), 2, 6).Draw(t, "honest")
		heads := append([]uint64{}, honest...)
		if rapid.Bool().Draw(t, "lies") {
			near := rapid.Uint64Range(base-min(base, 100), base+100)
			heads = append(heads, rapid.OneOf(rapid.Uint64(), near).Draw(t, "liar"))
		}
		n := pin(rapid.Permutation(heads).Draw(t, "order"))
		for _, h := range honest {
			if !InStep(h, n) {
				t.Fatalf("pin = %d, want a block at which an honest node with head %d votes", n, h)
			}
		}
	})
}

func TestCommon(t *testing.T) {
	tests := []struct {
		name  string
		heads []uint64
		all   bool
		want  uint64
		ok    bool
	}{
		{"one head is not enough", []uint64{100}, true, 0, false},
		{"the lowest of heads that are near", []uint64{100, 97, 99}, false, 97, true},
		{"a head far below is left out", []uint64{100, 99, 10}, false, 99, true},
		{"a head far above does not vote", []uint64{100, 99, 1_000}, true, 99, true},
		{"an old block, and a head may follow", []uint64{100, 100 + MaxLag + 1, 100 + MaxLag}, false, 100, false},
		{"an old block, and all heads are known", []uint64{100, 100 + MaxLag + 1, 100 + MaxLag}, true, 100, true},
		{"two heads far apart", []uint64{100, 1_000}, true, 100, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if n, ok := Common(tt.heads, 2, tt.all); ok != tt.ok || ok && n != tt.want {
				t.Errorf("Common(%v, 2, %t) = %d, %t, want %d, %t", tt.heads, tt.all, n, ok, tt.want, tt.ok)
			}
		})
	}
}
