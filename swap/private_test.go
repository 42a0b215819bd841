package swap_test

import (
	"bytes"
	"errors"
	"math/big"
	"strings"
	"testing"

	"filippo.io/edwards25519"

	"hubquote/swap"
	"hubquote/test/zk"
)

func TestParsePrivateAddressReadsWhatTheEngineWrote(t *testing.T) {
	for _, v := range zk.Vectors(t) {
		t.Run(v.Label, func(t *testing.T) {
			a := zk.Parse(t, v.Address)
			if got := a.MasterKey(); !bytes.Equal(got[:], v.MasterPublicKey) {
				t.Errorf("MasterKey() = %x, want %x", got, v.MasterPublicKey)
			}
			if got := a.ViewingKey(); !bytes.Equal(got[:], v.ViewingPublicKey) {
				t.Errorf("ViewingKey() = %x, want %x", got, v.ViewingPublicKey)
			}
			if got := zk.Parse(t, strings.ToUpper(v.Address)).String(); got != v.Address {
				t.Errorf("String() = %s, want %s", got, v.Address)
			}
		})
	}
}

func TestCheckChainAcceptsItsNetworkOrAll(t *testing.T) {
	for _, v := range zk.Vectors(t) {
		a := zk.Parse(t, v.Address)
		for _, network := range []swap.ChainID{1, 56, 137, 42161, 0, 1<<56 | 56} {
			fits := v.Chain == nil || v.Chain.Type == 0 && v.Chain.ID == uint64(network)
			err := a.CheckChain(network)
			if fits && err != nil || !fits && swap.CodeOf(err) != swap.ZKChain {
				t.Errorf("%s: CheckChain(%d) = %v, want no error: %t", v.Label, network, err, fits)
			}
		}
	}
}

func TestPrivateAddressVerdicts(t *testing.T) {
	codes := map[string]swap.Code{
		"EMPTY": swap.ZKLength, "NON_ASCII": swap.ZKNotASCII, "LENGTH": swap.ZKLength, "MIXED_CASE": swap.ZKMixedCase,
		"BECH32": swap.ZKBech32, "CHECKSUM": swap.ZKChecksum, "VERSION": swap.ZKVersion, "MPK_RANGE": swap.ZKMasterKey,
		"VPK_POINT": swap.ZKViewingPoint, "VPK_NONCANONICAL": swap.ZKNonCanonical,
		"VPK_SMALL_ORDER": swap.ZKSmallOrder, "VPK_TORSION": swap.ZKTorsion, "CHAIN_MISMATCH": swap.ZKChain,
	}
	for _, v := range zk.Verdicts(t) {
		t.Run(v.ID, func(t *testing.T) {
			a, err := swap.ParsePrivateAddress(v.Address)
			if v.Expect != "reject" && err != nil {
				t.Fatal(err)
			}
			if v.Expect == "policy" {
				err = errors.Join(a.CheckChain(1), a.CheckChain(56))
			}
			if v.Expect == "accept" {
				return
			}
			if want, known := codes[v.Code]; !known || swap.CodeOf(err) != want {
				t.Errorf("got %v, want code %q for %s", err, want, v.Code)
			}
		})
	}
}

func TestParsePrivateAddressRefuses(t *testing.T) {
	good := zk.Vectors(t)[0].Address
	tests := []struct {
		name string
		text string
		want swap.Code
	}{
		{"nothing", "", swap.ZKLength},
		{"ASCII is asked for before length", "0zk1é", swap.ZKNotASCII},
		{"the first byte beyond ASCII", good[:126] + "\x80", swap.ZKNotASCII},
		{"length before case", "0Zk1", swap.ZKLength},
		{"case before separator", strings.Replace(good, "0zk1", "0Zkq", 1), swap.ZKMixedCase},
		{"separator before prefix", strings.Replace(good, "0zk1", "0zzz", 1), swap.ZKBech32},
		{"prefix before characters", strings.Replace(good, "0zk1q", "1zk1b", 1), swap.ZKPrefix},
		{"another prefix with a good checksum", zk.Encode("0zz", goodPayload(t), 0, zk.Bech32m), swap.ZKPrefix},
		{"characters before checksum", strings.Replace(good, "0zk1q", "0zk1b", 1), swap.ZKCharset},
		{"a second separator", good[:50] + "1" + good[51:], swap.ZKCharset},
		{"a space", good[:50] + " " + good[51:], swap.ZKCharset},
		{"the checksum of bech32", zk.Encode("0zk", goodPayload(t), 0, zk.Bech32), swap.ZKChecksum},
		{"checksum before padding", zk.Encode("0zk", goodPayload(t), 1, zk.Bech32), swap.ZKChecksum},
		{"a padding bit", zk.Encode("0zk", goodPayload(t), 1, zk.Bech32m), swap.ZKPadding},
		{"padding before version", zk.Encode("0zk", change(t, 0, 0), 1, zk.Bech32m), swap.ZKPadding},
		{"version 0", zk.Address(change(t, 0, 0)), swap.ZKVersion},
		{"version 129", zk.Address(change(t, 0, 129)), swap.ZKVersion},
		{"master key zero", zk.Address(masterKey(t, big.NewInt(0))), swap.ZKMasterKey},
		{"master key of the field's size", zk.Address(masterKey(t, fieldSize)), swap.ZKMasterKey},
		{"master key before viewing key", zk.Address(append(masterKey(t, fieldSize)[:41], make([]byte, 32)...)), swap.ZKMasterKey},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { refused(t, tt.text, tt.want) })
	}
}

// A QR code holds capitals; one letter that is not one of them was not copied
// from it.
func TestParsePrivateAddressRefusesEverySmallLetterAmongCapitals(t *testing.T) {
	for _, v := range zk.Vectors(t) {
		capitals := strings.ToUpper(v.Address)
		zk.Parse(t, capitals)
		for i := range len(capitals) {
			if mixed := capitals[:i] + v.Address[i:i+1] + capitals[i+1:]; mixed != capitals {
				refused(t, mixed, swap.ZKMixedCase)
			}
		}
	}
}

func TestParsePrivateAddressTakesTheWholeFieldButZero(t *testing.T) {
	for _, key := range []*big.Int{big.NewInt(1), new(big.Int).Sub(fieldSize, big.NewInt(1))} {
		zk.Parse(t, zk.Address(masterKey(t, key)))
	}
}

// The curve has eight points of small order. None is a key by itself, and none
// but the identity may be hidden inside one.
func TestParsePrivateAddressRefusesEveryTorsionPoint(t *testing.T) {
	torsion := torsionPoints(t)
	key, err := new(edwards25519.Point).SetBytes(goodPayload(t)[41:])
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range torsion {
		refused(t, zk.Address(viewingKey(t, p)), swap.ZKSmallOrder)
		mixed := new(edwards25519.Point).Add(key, p)
		if i == 0 {
			zk.Parse(t, zk.Address(viewingKey(t, mixed)))
			continue
		}
		refused(t, zk.Address(viewingKey(t, mixed)), swap.ZKTorsion)
	}
}

// Any one character may be mistyped for any other.
func TestParsePrivateAddressRefusesEveryTypo(t *testing.T) {
	good := zk.Vectors(t)[0].Address
	for i := range len(good) {
		for c := range 256 {
			typo := good[:i] + string([]byte{byte(c)}) + good[i+1:]
			if _, err := swap.ParsePrivateAddress(typo); typo != good && err == nil {
				t.Errorf("%q in place of %q at %d is accepted, want an error", typo[i], good[i], i)
			}
		}
		if _, err := swap.ParsePrivateAddress(good[:i] + good[i+1:]); swap.CodeOf(err) != swap.ZKLength {
			t.Errorf("without character %d: error = %v, want %s", i, err, swap.ZKLength)
		}
	}
}

func refused(t *testing.T, text string, want swap.Code) {
	t.Helper()
	a, err := swap.ParsePrivateAddress(text)
	var e *swap.Error
	if !errors.As(err, &e) {
		t.Fatalf("ParsePrivateAddress(%q) = %v, want %s", text, err, want)
	}
	if e.Code != want || e.Param != "recipient" {
		t.Errorf("ParsePrivateAddress(%q) = %s for %q, want %s for recipient", text, e.Code, e.Param, want)
	}
	if text != "" && strings.Contains(e.Error(), text) || strings.HasSuffix(e.Message, ".") {
		t.Errorf("message = %q, want neither the input nor a final period", e.Message)
	}
	if !a.IsZero() {
		t.Errorf("ParsePrivateAddress(%q) = %v with an error, want the zero address", text, a)
	}
}

var fieldSize, _ = new(big.Int).SetString("21888242871839275222246405745257275088548364400416034343698204186575808495617", 10)

func goodPayload(tb testing.TB) []byte {
	tb.Helper()
	return zk.Payload(tb, zk.Vectors(tb)[0].Address)
}

func change(tb testing.TB, at int, to byte) []byte {
	p := goodPayload(tb)
	p[at] = to
	return p
}

func masterKey(tb testing.TB, key *big.Int) []byte {
	p := goodPayload(tb)
	key.FillBytes(p[1:33])
	return p
}

func viewingKey(tb testing.TB, key *edwards25519.Point) []byte {
	p := goodPayload(tb)
	copy(p[41:], key.Bytes())
	return p
}

// torsionPoints returns the multiples of a point of order eight, the identity
// first.
func torsionPoints(tb testing.TB) (points [8]*edwards25519.Point) {
	tb.Helper()
	generator, err := new(edwards25519.Point).SetBytes([]byte(
		"\x26\xe8\x95\x8f\xc2\xb2\x27\xb0\x45\xc3\xf4\x89\xf2\xef\x98\xf0\xd5\xdf\xac\x05\xd3\xc6\x33\x39\xb1\x38\x02\x88\x6d\x53\xfc\x05"))
	if err != nil {
		tb.Fatal(err)
	}
	points[0] = edwards25519.NewIdentityPoint()
	for i := 1; i < 8; i++ {
		points[i] = new(edwards25519.Point).Add(points[i-1], generator)
		if points[i].Equal(points[0]) == 1 {
			tb.Fatalf("the generator has order %d, want 8", i)
		}
	}
	return points
}
