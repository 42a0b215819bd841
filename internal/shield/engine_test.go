package shield_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/shield"
	"hubquote/swap"
	"hubquote/test/zk"
)

const engineDir = "testdata/engine"

// A sample is a new note and its inputs, which the wallet engine compares with its
// own results.
type sample struct {
	Address           string `json:"address"`
	MasterPublicKey   zk.Hex `json:"masterPublicKey"`
	ViewingPublicKey  zk.Hex `json:"viewingPublicKey"`
	ViewingPrivateKey zk.Hex `json:"viewingPrivateKey"` // empty when it is not known
	Random            zk.Hex `json:"random"`
	Seed              zk.Hex `json:"seed"`
	Note              zk.Hex `json:"note"`
}

// A count has the number of samples on which the engine agreed, by kind of check.
type count struct{ Addresses, Made, Opened int }

// The wallets' engine must parse the accepted addresses to the same keys, make the
// same notes, and open them with the recipients' keys.
func TestWalletEngineAgrees(t *testing.T) {
	var cases []sample
	for _, v := range zk.Vectors(t) {
		for range 10 {
			cases = append(cases, newSample(t, v.Address, v.ViewingPrivateKey))
		}
		cases = append(cases, newSample(t, strings.ToUpper(v.Address), v.ViewingPrivateKey))
	}
	opened := len(cases)
	for _, text := range mutants(t, 800) {
		cases = append(cases, newSample(t, text, nil))
	}
	if mutants := len(cases) - opened; mutants < 300 {
		t.Fatalf("%d mutants were accepted, want at least 300", mutants)
	}
	want := count{Addresses: len(cases), Made: len(cases), Opened: opened}
	if diff := cmp.Diff(want, askEngine(t, cases)); diff != "" {
		t.Errorf("counts of the engine (-want +got):\n%s", diff)
	}
}

// The comparison itself must detect differences.
func TestWalletEngineDetectsDifferences(t *testing.T) {
	v := zk.Vectors(t)[0]
	tests := []struct {
		name   string
		change func(*sample)
		want   string
	}{
		{"another master key", func(c *sample) { c.MasterPublicKey[31] ^= 1 }, "master public key"},
		{"another viewing key", func(c *sample) { c.ViewingPublicKey[0] ^= 1 }, "viewing public key"},
		{"another random", func(c *sample) { c.Random[0] ^= 1 }, "note"},
		{"another byte in the note", func(c *sample) { c.Note[100] ^= 1 }, "note"},
		{"another wallet's key", func(c *sample) { c.ViewingPrivateKey[0] ^= 1 }, "viewing key pair"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newSample(t, v.Address, bytes.Clone(v.ViewingPrivateKey))
			tt.change(&c)
			_, err := runEngine(t, []sample{c})
			if err == nil || !strings.Contains(err.Error(), "AssertionError [ERR_ASSERTION]: "+tt.want+"\n") {
				t.Errorf("error = %v, want one about the %q", err, tt.want)
			}
		})
	}
}

func newSample(t *testing.T, text string, viewingPrivateKey zk.Hex) sample {
	t.Helper()
	a := zk.Parse(t, text)
	note, proof, err := shield.Encrypt(a, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	master, viewing := a.MasterKey(), a.ViewingKey()
	return sample{
		Address:         text,
		MasterPublicKey: master[:], ViewingPublicKey: viewing[:], ViewingPrivateKey: viewingPrivateKey,
		Random: proof.Random[:], Seed: proof.ShieldSeed[:], Note: note[:],
	}
}

// mutants changes one byte in each of n addresses, corrects the checksum, and
// returns the addresses that the parser still accepts.
func mutants(t *testing.T, n int) (accepted []string) {
	t.Helper()
	source := zk.Vectors(t)
	for i := range n {
		p := zk.Payload(t, source[i%len(source)].Address)
		p[mathrand.IntN(len(p))] ^= byte(1 + mathrand.IntN(255))
		if text := zk.Address(p); isAccepted(text) {
			accepted = append(accepted, text)
		}
	}
	return accepted
}

func isAccepted(text string) bool {
	_, err := swap.ParsePrivateAddress(text)
	return err == nil
}

func askEngine(t *testing.T, cases []sample) (seen count) {
	t.Helper()
	out, err := runEngine(t, cases)
	if err != nil {
		t.Fatalf("error of the engine = %v, want nil", err)
	}
	if err := json.Unmarshal(out, &seen); err != nil {
		t.Fatalf("output of the engine = %q, want JSON: %v", out, err)
	}
	return seen
}

func runEngine(t *testing.T, cases []sample) ([]byte, error) {
	t.Helper()
	installEngine(t)
	var in bytes.Buffer
	lines := json.NewEncoder(&in)
	for _, c := range cases {
		if err := lines.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	return inEngineDir(&in, "node", "witness.js")
}

// installEngine installs the packages of the lock file. It reads the files, so that
// the test cache is not used after one of them changes.
func installEngine(t testing.TB) {
	t.Helper()
	for _, name := range []string{"witness.js", "package-lock.json"} {
		if _, err := os.ReadFile(filepath.Join(engineDir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("../../test/tools/npm.sh", engineDir).CombinedOutput(); err != nil {
		t.Fatalf("npm.sh: %v\n%s", err, out)
	}
}

// inEngineDir runs a command and returns its output, or an error with its standard
// error.
func inEngineDir(in io.Reader, name string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = engineDir, in, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, &stderr)
	}
	return out, nil
}
