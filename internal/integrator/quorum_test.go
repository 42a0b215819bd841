package integrator_test

import (
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"hubquote/internal/integrator"
	"hubquote/swap"
)

// lie makes a node answer that partner's rate is another.
func lie(n *node, rate uint32) { n.Registry = says(entry(wallet, rate, 1)) }

func TestTwoOfThree(t *testing.T) {
	down := func(n *node) { n.Handle = hang }
	tests := []struct {
		name  string
		spoil func(n []*node)
		want  swap.Code // empty when partner is found as it is
	}{
		{"all agree", func([]*node) {}, ""},
		{"one down", func(n []*node) { down(n[0]) }, ""},
		{"two down: one word is not enough", func(n []*node) { down(n[0]); down(n[2]) }, swap.RegistryUnavailable},
		{"one liar", func(n []*node) { lie(n[0], 1) }, ""},
		{"a liar and one down", func(n []*node) { lie(n[0], 1); down(n[1]) }, swap.RegistryUnavailable},
		{"two liars that disagree", func(n []*node) { lie(n[0], 1); lie(n[1], 2) }, swap.RegistryUnavailable},
		{"a liar that says nobody is registered", func(n []*node) {
			n[0].Registry = says(entry(swap.Address{}, 0, 0))
		}, ""},
		{"the same answer on another fork is no agreement", func(n []*node) {
			n[0].Fork = "other"
			down(n[1])
		}, swap.RegistryUnavailable},
		{"one on another fork", func(n []*node) { n[0].Fork = "other" }, ""},
		{"one block apart", func(n []*node) { n[0].Head++; n[1].Head-- }, ""},
		{"a head that is far too high", func(n []*node) { n[0].Head = 1 << 62; n[1].Head++ }, ""},
		{"a head that is far too low", func(n []*node) { n[0].Head = 3; n[1].Head++ }, ""},
		{"a head as low as can pull the others", func(n []*node) {
			n[0].Head -= integrator.MaxLag
			lie(n[0], 1)
			n[1].Head += integrator.MaxLag
		}, ""},
		{"one that lags, and one down: nobody confirms the past", func(n []*node) {
			n[0].Head -= 1000
			down(n[1])
		}, swap.RegistryUnavailable},
		{"one in the future, and one down", func(n []*node) {
			n[0].Head += 1000
			down(n[1])
		}, swap.RegistryUnavailable},
		{"two on another chain", func(n []*node) { n[1].Chain, n[2].Chain = 1, 1 }, swap.RegistryUnavailable},
		{"one without the contract", func(n []*node) { n[1].Registry = says("0x") }, ""},
		{"two without the contract", func(n []*node) {
			n[1].Registry, n[2].Registry = says("0x"), says("0x")
		}, swap.RegistryUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				nodes := []*node{newNode(369), newNode(369), newNode(369)}
				tt.spoil(nodes)
				rs := open(t, nodes...)
				if tt.want == "" {
					found(t, rs, 369)
				} else {
					refused(t, rs, 369, partner, tt.want)
				}
			})
		})
	}
}

// A partner was switched off in block 900. Nobody who knows that helps to prove
// the opposite.
func TestNobodyConfirmsThePast(t *testing.T) {
	for _, behind := range []uint64{101, 200, 1000} {
		synctest.Test(t, func(t *testing.T) {
			nodes := []*node{newNode(369), newNode(369), newNode(369)}
			for _, n := range nodes {
				n.Head = 1000
				n.Registry = func(block uint64, _ swap.IntegratorID) string {
					if block >= 900 {
						return entry(wallet, 2_500, 0)
					}
					return entry(wallet, 2_500, 1)
				}
			}
			nodes[0].Head -= behind
			nodes[1].Handle = hang
			refused(t, open(t, nodes...), 369, partner, swap.RegistryUnavailable)
		})
	}
}

func TestLiarIsNamedInHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := []*node{newNode(369), newNode(369), newNode(369)}
		lie(nodes[1], 1)
		rs := open(t, nodes...)
		found(t, rs, 369)
		synctest.Wait()
		health := rs.Health()[0]
		for i, want := range []bool{true, false, true} {
			if got := health.Endpoints[i].Fault == ""; got != want {
				t.Errorf("endpoint %d: %+v", i+1, health.Endpoints[i])
			}
		}
		if !health.Up || health.Endpoints[1].Fault != integrator.Disagrees {
			t.Errorf("%+v", health)
		}
	})
}

// Whatever one endpoint says about its head, the others can vote, and not for a
// block much older than theirs.
func TestPinWithOneLiar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Uint64Range(0, 1<<60).Draw(t, "base")
		honest := rapid.SliceOfN(rapid.Uint64Range(base, base+integrator.MaxLag), 2, 6).Draw(t, "honest")
		heads := append([]uint64{}, honest...)
		if rapid.Bool().Draw(t, "lies") {
			near := rapid.Uint64Range(base-min(base, 100), base+100)
			heads = append(heads, rapid.OneOf(rapid.Uint64(), near).Draw(t, "liar"))
		}
		n := integrator.Pin(rapid.Permutation(heads).Draw(t, "order"))
		for _, h := range honest {
			if !integrator.InStep(h, n) {
				t.Fatalf("pinned %d, out of reach of an honest %d", n, h)
			}
		}
	})
}
