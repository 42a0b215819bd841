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

// A testimony is a fresh note and all that is known about it, for the wallet
// engine to compare with what it would have made and found itself.
type testimony struct {
	Address           string `json:"address"`
	MasterPublicKey   zk.Hex `json:"masterPublicKey"`
	ViewingPublicKey  zk.Hex `json:"viewingPublicKey"`
	ViewingPrivateKey zk.Hex `json:"viewingPrivateKey"` // empty when nobody has it
	Random            zk.Hex `json:"random"`
	Seed              zk.Hex `json:"seed"`
	Note              zk.Hex `json:"note"`
}

// A count is how many testimonies the engine agreed with, in which way.
type count struct{ Addresses, Made, Opened int }

// The engine that people's wallets run must read the addresses we take as we
// do, make the notes we make, and open them with the recipients' keys.
func TestTheWalletEngineAgrees(t *testing.T) {
	var cases []testimony
	for _, v := range zk.Vectors(t) {
		for range 10 {
			cases = append(cases, testify(t, v.Address, v.ViewingPrivateKey))
		}
		cases = append(cases, testify(t, strings.ToUpper(v.Address), v.ViewingPrivateKey))
	}
	opened := len(cases)
	for _, text := range mutants(t, 800) {
		cases = append(cases, testify(t, text, nil))
	}
	if mutants := len(cases) - opened; mutants < 300 {
		t.Fatalf("only %d mutants were accepted: too few to say much", mutants)
	}
	want := count{Addresses: len(cases), Made: len(cases), Opened: opened}
	if diff := cmp.Diff(want, askEngine(t, cases)); diff != "" {
		t.Errorf("what the engine has seen (-want +got):\n%s", diff)
	}
}

// The witness must be able to say no, or its yes is worth nothing.
func TestTheWalletEngineCanDisagree(t *testing.T) {
	v := zk.Vectors(t)[0]
	tests := []struct {
		name   string
		change func(*testimony)
		says   string
	}{
		{"another master key", func(c *testimony) { c.MasterPublicKey[31] ^= 1 }, "master public key"},
		{"another viewing key", func(c *testimony) { c.ViewingPublicKey[0] ^= 1 }, "viewing public key"},
		{"another random", func(c *testimony) { c.Random[0] ^= 1 }, "note"},
		{"another byte in the note", func(c *testimony) { c.Note[100] ^= 1 }, "note"},
		{"another wallet's key", func(c *testimony) { c.ViewingPrivateKey[0] ^= 1 }, "viewing key pair"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := testify(t, v.Address, bytes.Clone(v.ViewingPrivateKey))
			tt.change(&c)
			_, err := runEngine(t, []testimony{c})
			if err == nil || !strings.Contains(err.Error(), "AssertionError [ERR_ASSERTION]: "+tt.says+"\n") {
				t.Errorf("the engine does not say %q: %v", tt.says, err)
			}
		})
	}
}

func testify(t *testing.T, text string, viewingPrivateKey zk.Hex) testimony {
	t.Helper()
	a := zk.Parse(t, text)
	note, proof, err := shield.Encrypt(a, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	master, viewing := a.MasterKey(), a.ViewingKey()
	return testimony{
		Address:         text,
		MasterPublicKey: master[:], ViewingPublicKey: viewing[:], ViewingPrivateKey: viewingPrivateKey,
		Random: proof.Random[:], Seed: proof.ShieldSeed[:], Note: note[:],
	}
}

// mutants returns those of n damaged addresses that Parse still takes. One byte
// of each is another one; the checksum is made to fit, because Parse takes
// nothing else.
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

func askEngine(t *testing.T, cases []testimony) (seen count) {
	t.Helper()
	out, err := runEngine(t, cases)
	if err != nil {
		t.Fatalf("the engine disagrees: %v", err)
	}
	if err := json.Unmarshal(out, &seen); err != nil {
		t.Fatalf("the engine said %q: %v", out, err)
	}
	return seen
}

func runEngine(t *testing.T, cases []testimony) ([]byte, error) {
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

// installEngine installs what the lock file pins, unless it is there already.
// It runs no scripts of what it installs. Looking at the files also tells
// go test to run again when one of them changes.
func installEngine(t testing.TB) {
	t.Helper()
	if _, err := os.ReadFile(filepath.Join(engineDir, "witness.js")); err != nil {
		t.Fatal(err)
	}
	pinned, err := os.Stat(filepath.Join(engineDir, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	installed, err := os.Stat(filepath.Join(engineDir, "node_modules", ".package-lock.json"))
	if err == nil && !installed.ModTime().Before(pinned.ModTime()) {
		return
	}
	if _, err := inEngineDir(nil, "npm", "ci", "--ignore-scripts"); err != nil {
		t.Fatal(err)
	}
}

// inEngineDir runs a command and returns what it prints, or an error with what
// it complains about.
func inEngineDir(in io.Reader, name string, args ...string) ([]byte, error) {
	var complaints bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = engineDir, in, &complaints
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, &complaints)
	}
	return out, nil
}
