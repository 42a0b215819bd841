package shield_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"sync"
	"testing"
	"testing/iotest"

	"hubquote/internal/shield"
	"hubquote/swap"
	"hubquote/test/devnet/wallet"
	"hubquote/test/zk"
)

func TestEncryptMakesTheEnginesNotes(t *testing.T) {
	for _, v := range zk.Vectors(t) {
		t.Run(v.Label, func(t *testing.T) {
			a := zk.Parse(t, v.Address)
			note, proof, err := shield.Encrypt(a, v.Randomness())
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(note[:], v.Note) {
				t.Errorf("note = %x, want %x", note, []byte(v.Note))
			}
			if proof != v.Proof() {
				t.Errorf("proof = %x, want %x", proof, v.Proof())
			}
			if err := shield.Verify(v.Note, a, v.Proof()); err != nil {
				t.Errorf("Verify = %v, want nil", err)
			}
			random, err := wallet.Decrypt(v.Note, a, [32]byte(v.ViewingPrivateKey))
			if err != nil || !bytes.Equal(random[:], v.Random) {
				t.Errorf("Decrypt = %x, %v, want %x", random, err, v.Random)
			}
		})
	}
}

func TestEncryptReadsRandomnessInFull(t *testing.T) {
	v := zk.Vectors(t)[0]
	note, _, err := shield.Encrypt(zk.Parse(t, v.Address), iotest.OneByteReader(v.Randomness()))
	if err != nil || !bytes.Equal(note[:], v.Note) {
		t.Errorf("note = %x, %v, want %x", note, err, []byte(v.Note))
	}
}

func TestEncryptFailsWithoutRandomness(t *testing.T) {
	v := zk.Vectors(t)[0]
	for n := range int64(80) {
		note, proof, err := shield.Encrypt(zk.Parse(t, v.Address), io.LimitReader(v.Randomness(), n))
		if err == nil || note != (shield.Note{}) || proof != (swap.Proof{}) {
			t.Fatalf("Encrypt with %d random bytes = %x, %v; want an error alone", n, note, err)
		}
	}
}

func TestNoNoteForAnAddressThatWasNotParsed(t *testing.T) {
	v := zk.Vectors(t)[0]
	if note, _, err := shield.Encrypt(swap.PrivateAddress{}, rand.Reader); err == nil || note != (shield.Note{}) {
		t.Errorf("Encrypt = %x, %v; want an error alone", note, err)
	}
	if err := shield.Verify(v.Note, swap.PrivateAddress{}, v.Proof()); err == nil {
		t.Error("Verify with the zero address has no error, want one")
	}
	if _, err := wallet.Decrypt(v.Note, swap.PrivateAddress{}, [32]byte(v.ViewingPrivateKey)); err == nil {
		t.Error("Decrypt with the zero address has no error, want one")
	}
}

func TestNoteThatFailsItsCheckIsNotReturned(t *testing.T) {
	a, other := zk.Parse(t, zk.Vectors(t)[0].Address), zk.Parse(t, zk.Vectors(t)[5].Address)
	note, proof, err := shield.EncryptCorrupted(a, other, rand.Reader)
	if swap.CodeOf(err) != swap.Internal || note != (shield.Note{}) || proof != (swap.Proof{}) {
		t.Errorf("Encrypt = %x, %v, want an internal error alone", note, err)
	}
}

func TestNotesHaveOneLength(t *testing.T) {
	v := zk.Vectors(t)[0]
	a := zk.Parse(t, v.Address)
	for _, note := range [][]byte{nil, v.Note[:159], append(bytes.Clone(v.Note), 0)} {
		if err := shield.Verify(note, a, v.Proof()); err == nil {
			t.Errorf("Verify of %d bytes has no error, want one", len(note))
		}
		if _, err := wallet.Decrypt(note, a, [32]byte(v.ViewingPrivateKey)); err == nil {
			t.Errorf("Decrypt of %d bytes has no error, want one", len(note))
		}
	}
}

// A change of any byte of a note is detected by the client and by the self-check.
// The recipient detects it in the bytes that it reads.
func TestEveryByteOfANoteIsChecked(t *testing.T) {
	v := zk.Vectors(t)[0]
	a := zk.Parse(t, v.Address)
	check, err := shield.Checker(a, v.Proof(), [16]byte(v.GCMIV), [16]byte(v.CTRIV))
	if err != nil {
		t.Fatal(err)
	}
	if err := check(shield.Note(v.Note), v.Proof()); err != nil {
		t.Fatal(err)
	}
	other := v.Proof()
	other.Random[0] ^= 1
	if err := check(shield.Note(v.Note), other); err == nil {
		t.Error("self-check of a proof with another random has no error, want one")
	}
	for i := range v.Note {
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			note := shield.Note(v.Note)
			note[i] ^= flip
			if err := shield.Verify(note[:], a, v.Proof()); err == nil {
				t.Errorf("Verify with byte %d changed by %#x has no error, want one", i, flip)
			}
			if err := check(note, v.Proof()); err == nil {
				t.Errorf("self-check with byte %d changed by %#x has no error, want one", i, flip)
			}
			_, err := wallet.Decrypt(note[:], a, [32]byte(v.ViewingPrivateKey))
			if forSender := i >= 80 && i < 128; (err == nil) != forSender {
				t.Errorf("Decrypt with byte %d changed by %#x = %v, want no error: %t", i, flip, err, forSender)
			}
		}
	}
}

func TestVerifyNeedsTheAddressAndProofOfTheNote(t *testing.T) {
	v := zk.Vectors(t)[0]
	a := zk.Parse(t, v.Address)
	for _, other := range zk.Vectors(t) {
		sameKeys := bytes.Equal(other.MasterPublicKey, v.MasterPublicKey)
		if err := shield.Verify(v.Note, zk.Parse(t, other.Address), v.Proof()); (err == nil) != sameKeys {
			t.Errorf("Verify(note of %s) for %s = %v, want no error: %t", v.Label, other.Label, err, sameKeys)
		}
	}
	for i := range 48 {
		proof := v.Proof()
		if i < 16 {
			proof.Random[i] ^= 1
		} else {
			proof.ShieldSeed[i-16] ^= 1
		}
		if err := shield.Verify(v.Note, a, proof); err == nil {
			t.Errorf("Verify with byte %d of the proof changed has no error, want one", i)
		}
	}
}

// If a note opens for the right viewing key but pays another master key, a wallet
// shows money that it cannot spend.
func TestDecryptRefusesAnotherMasterKey(t *testing.T) {
	v := zk.Vectors(t)[0]
	p := zk.Payload(t, v.Address)
	p[32] ^= 1
	if _, err := wallet.Decrypt(v.Note, zk.Parse(t, zk.Address(p)), [32]byte(v.ViewingPrivateKey)); err == nil {
		t.Error("Decrypt with another master key has no error, want one")
	}
}

func TestDecryptRefusesAnotherWalletsKey(t *testing.T) {
	v := zk.Vectors(t)[0]
	for _, other := range zk.Vectors(t) {
		if bytes.Equal(other.ViewingPrivateKey, v.ViewingPrivateKey) {
			continue
		}
		if _, err := wallet.Decrypt(v.Note, zk.Parse(t, v.Address), [32]byte(other.ViewingPrivateKey)); err == nil {
			t.Errorf("Decrypt(note of %s) with the key of %s has no error, want one", v.Label, other.Label)
		}
	}
}

func TestDecryptRefusesAnotherViewingKey(t *testing.T) {
	v := zk.Vectors(t)[0]
	p := zk.Payload(t, v.Address)
	copy(p[41:], zk.Vectors(t)[5].ViewingPublicKey)
	if _, err := wallet.Decrypt(v.Note, zk.Parse(t, zk.Address(p)), [32]byte(v.ViewingPrivateKey)); err == nil {
		t.Error("Decrypt with another viewing key has no error, want one")
	}
}

// Two notes with a common part could be linked. An IV used twice under one key
// would reveal the content.
func TestNotesShareNoPart(t *testing.T) {
	const workers, each = 4, 500
	a := zk.Parse(t, zk.Vectors(t)[0].Address)
	seen := make(map[string]bool)
	var mu sync.Mutex
	unique := func(parts ...[]byte) {
		mu.Lock()
		defer mu.Unlock()
		for _, part := range parts {
			if seen[string(part)] {
				t.Errorf("two notes share %x, want no common part", part)
			}
			seen[string(part)] = true
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range each {
				n, proof, err := shield.Encrypt(a, rand.Reader)
				if err != nil {
					t.Error(err)
					return
				}
				unique(proof.Random[:], proof.ShieldSeed[:], n[0:32], n[32:48], n[48:64], n[64:80], n[80:96], n[96:128], n[128:160])
			}
		})
	}
	wg.Wait()
	if want := workers * each * 9; len(seen) != want {
		t.Errorf("%d distinct values, want %d", len(seen), want)
	}
}
