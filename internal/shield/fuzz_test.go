package shield_test

import (
	"math/big"
	"strings"
	"testing"

	"filippo.io/edwards25519"

	"hubquote/internal/shield"
	"hubquote/swap"
)

// FuzzParse looks for text that should not parse. Nearly all of it fails at the
// checksum; FuzzParsePayload goes on from there.
func FuzzParse(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Address)
	}
	for _, v := range verdicts(f) {
		f.Add(v.Address)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := shield.Parse(s)
		if err != nil {
			if !strings.HasPrefix(string(swap.CodeOf(err)), "ZK_") {
				t.Errorf("refused without a code: %v", err)
			}
			return
		}
		p := a.Payload()
		if got := address(p[:]); got != strings.ToLower(s) || s != strings.ToLower(s) && s != strings.ToUpper(s) {
			t.Errorf("%q has another spelling: %q", s, got)
		}
		lawful(t, p)
	})
}

// FuzzParsePayload looks for keys that should not parse, in text that is
// otherwise well-formed.
func FuzzParsePayload(f *testing.F) {
	for _, v := range vectors(f) {
		p := parse(f, v.Address).Payload()
		f.Add(p[:])
	}
	for _, p := range torsionPoints(f) {
		f.Add(viewingKey(f, p))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if len(payload) != shield.PayloadLen {
			refused(t, address(payload), swap.ZKLength)
			return
		}
		a, err := shield.Parse(address(payload))
		if err == nil && a.Payload() != [shield.PayloadLen]byte(payload) {
			t.Errorf("%x parses as %x", payload, a.Payload())
		}
		if err == nil {
			lawful(t, a.Payload())
		}
	})
}

// lawful fails if Parse should have refused p. It asks in other words than
// Parse does: numbers for the master key; and for the viewing key, that
// dividing it by eight and multiplying again, which removes torsion, leaves it
// as it is.
func lawful(t *testing.T, p [shield.PayloadLen]byte) {
	t.Helper()
	if p[0] != 1 {
		t.Errorf("version %d", p[0])
	}
	if master := new(big.Int).SetBytes(p[1:33]); master.Sign() == 0 || master.Cmp(fieldSize) >= 0 {
		t.Errorf("master key %x", p[1:33])
	}
	key, err := new(edwards25519.Point).SetBytes(p[41:])
	if err != nil || string(key.Bytes()) != string(p[41:]) {
		t.Fatalf("viewing key %x: %v", p[41:], err)
	}
	eight, _ := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{8}, make([]byte, 31)...))
	eighth := new(edwards25519.Point).ScalarMult(edwards25519.NewScalar().Invert(eight), key)
	if again := eighth.MultByCofactor(eighth); again.Equal(key) != 1 {
		t.Errorf("viewing key %x has torsion", p[41:])
	}
	if key.Equal(edwards25519.NewIdentityPoint()) == 1 {
		t.Error("viewing key is the identity")
	}
}
