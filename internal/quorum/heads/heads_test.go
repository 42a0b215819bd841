package heads

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// With any head of one node, two others are asked at the lower of their heads, and
// at newer blocks before it.
func TestCommonWithOneDishonestNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Uint64Range(0, 1<<60).Draw(t, "base")
		honest := rapid.SliceOfN(rapid.Uint64Range(base, base+MaxApart), 2, 6).Draw(t, "honest")
		heads := append([]uint64{}, honest...)
		if rapid.Bool().Draw(t, "lies") {
			near := rapid.Uint64Range(base-min(base, 100), base+100)
			heads = append(heads, rapid.OneOf(rapid.Uint64(), near).Draw(t, "liar"))
		}
		blocks := Common(rapid.Permutation(heads).Draw(t, "order"), 2)
		slices.Sort(honest)
		lower := honest[len(honest)-2] // of the two best
		if !slices.Contains(blocks, lower) || blocks[0] < lower {
			t.Fatalf("common blocks of %v = %v, want %d among them, and none older before it", heads, blocks, lower)
		}
		for _, h := range honest[len(honest)-2:] {
			if !InStep(h, lower) {
				t.Fatalf("a node with head %d is not asked at %d, want it asked", h, lower)
			}
		}
	})
}

func TestCommon(t *testing.T) {
	tests := []struct {
		name        string
		heads, want []uint64
	}{
		{"one head is not enough", []uint64{100}, nil},
		{"the second highest comes first", []uint64{100, 97, 99}, []uint64{99, 97}},
		{"a head far below comes last", []uint64{100, 99, 10}, []uint64{99, 10}},
		{"a head far above is no common block", []uint64{100, 99, 1_000}, []uint64{100, 99}},
		{"one head is listed once", []uint64{100, 100, 100}, []uint64{100}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Common(tt.heads, 2); !slices.Equal(got, tt.want) {
				t.Errorf("Common(%v, 2) = %v, want %v", tt.heads, got, tt.want)
			}
		})
	}
}
