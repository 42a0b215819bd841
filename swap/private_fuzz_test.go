package swap_test

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"filippo.io/edwards25519"

	"hubquote/swap"
	"hubquote/test/zk"
)

// FuzzParsePrivateAddress looks for text that should not parse. Nearly all of it fails at the
// checksum; FuzzParsePrivatePayload goes on from there.
func FuzzParsePrivateAddress(f *testing.F) {
	for _, v := range zk.Vectors(f) {
		f.Add(v.Address)
	}
	for _, v := range zk.Verdicts(f) {
		f.Add(v.Address)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, err := swap.ParsePrivateAddress(s)
		if err != nil {
			if !strings.HasPrefix(string(swap.CodeOf(err)), "ZK_") {
				t.Errorf("error = %v, want one with a ZK_ code", err)
			}
			return
		}
		p := zk.Payload(t, s)
		if got := zk.Address(p); got != strings.ToLower(s) || s != strings.ToLower(s) && s != strings.ToUpper(s) {
			t.Errorf("%q is accepted, want its one spelling %q", s, got)
		}
		checkPayload(t, p)
	})
}

// FuzzParsePrivatePayload looks for keys that should not parse, in text that is
// otherwise well-formed.
func FuzzParsePrivatePayload(f *testing.F) {
	for _, v := range zk.Vectors(f) {
		f.Add(zk.Payload(f, v.Address))
	}
	for _, p := range torsionPoints(f) {
		f.Add(viewingKey(f, p))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		const payloadLen = 73
		if len(payload) != payloadLen {
			refused(t, zk.Address(payload), swap.ZKLength)
			return
		}
		a, err := swap.ParsePrivateAddress(zk.Address(payload))
		if err != nil {
			return
		}
		master, viewing := a.MasterKey(), a.ViewingKey()
		if !bytes.Equal(master[:], payload[1:33]) || !bytes.Equal(viewing[:], payload[41:]) {
			t.Errorf("keys = %x and %x, want those of %x", master, viewing, payload)
		}
		checkPayload(t, payload)
	})
}

// checkPayload fails if Parse should have refused p. It computes in another way
// than Parse does: the master key is compared as a number; the viewing key is
// divided by eight and multiplied again, which removes torsion and must not
// change it.
func checkPayload(t *testing.T, p []byte) {
	t.Helper()
	if p[0] != 1 {
		t.Errorf("version = %d, want 1", p[0])
	}
	if master := new(big.Int).SetBytes(p[1:33]); master.Sign() == 0 || master.Cmp(fieldSize) >= 0 {
		t.Errorf("master key = %x, want a field element other than zero", p[1:33])
	}
	key, err := new(edwards25519.Point).SetBytes(p[41:])
	if err != nil || string(key.Bytes()) != string(p[41:]) {
		t.Fatalf("viewing key = %x, %v, want the one encoding of a point", p[41:], err)
	}
	eight, _ := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{8}, make([]byte, 31)...))
	eighth := new(edwards25519.Point).ScalarMult(edwards25519.NewScalar().Invert(eight), key)
	if again := eighth.MultByCofactor(eighth); again.Equal(key) != 1 {
		t.Errorf("viewing key = %x, want one without torsion", p[41:])
	}
	if key.Equal(edwards25519.NewIdentityPoint()) == 1 {
		t.Error("viewing key = the identity, want another point")
	}
}
