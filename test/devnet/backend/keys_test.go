package backend_test

import (
	"bytes"
	"crypto/ecdsa"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	gethkeystore "github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake"
	"hubquote/test/fake/endpoint"
	"hubquote/test/fake/signer"
)

const password = "correct-horse-battery-staple"

// A program is the settler as an operator starts it.
type program struct {
	t      *testing.T
	path   string
	flags  []string
	admin  string
	status string
	dir    string
	secret *ecdsa.PrivateKey
	fronts []*endpoint.Endpoint
	exited <-chan struct{} // closed when it has ended

	mu   sync.Mutex
	said bytes.Buffer // all that it has printed or answered
}

func newProgram(t *testing.T, n *devnet.Net, issuer, path string, keys ...string) *program {
	t.Helper()
	p := &program{t: t, path: path, dir: t.TempDir()}
	var errs [3]error
	p.admin, errs[0] = fake.FreeAddress()
	p.status, errs[1] = fake.FreeAddress()
	p.secret, errs[2] = crypto.HexToECDSA(devnet.Accounts()[devnet.Relayer].Key)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	var rpc []string
	for id, c := range n.Chains {
		front := endpoint.New(t, c.URL, 1)
		p.fronts = append(p.fronts, front.Endpoints...)
		rpc = append(rpc, "--rpc", fmt.Sprintf("%d=%s", id, front.Endpoints[0].URL))
	}
	p.flags = append(append(rpc,
		"--some-chains", "--trust-one-endpoint", "--rpc-max-block-age", "-1s", "--issuer", issuer,
		"--journal", filepath.Join(p.dir, "journal.db"), "--fee-cap", "1000", "--listen", p.status, "--admin", p.admin, "--log-level", "DEBUG",
	), keys...)
	return p
}

// start runs the program until the test, or stop, ends it.
func (p *program) start() (stop func()) {
	p.t.Helper()
	run, err := fake.Start(exec.Command(p.path, append([]string{"run"}, p.flags...)...), func(line string) { p.hear([]byte(line)) })
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(run.Kill)
	p.exited = run.Exited
	return func() {
		_ = run.Signal(syscall.SIGTERM)
		if err := run.Wait(); err != nil {
			p.t.Errorf("the program ended with %v, want no error", err)
		}
	}
}

func (p *program) hear(text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said.Write(append(text, '\n'))
}

func (p *program) heard() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.said.Bytes())
}

// command runs another command with the same settings, or with the journal's only.
func (p *program) command(args ...string) {
	p.t.Helper()
	out, err := exec.Command(p.path, args...).CombinedOutput()
	p.hear(out)
	if err != nil {
		p.t.Errorf("%s = %v, want nil:\n%s", args[0], err, out)
	}
}

// get asks the running program for a page of its interfaces.
func (p *program) get(address, page string) {
	p.t.Helper()
	res, err := http.Get("http://" + address + page) //nolint:noctx // it ends with the test
	if err != nil {
		p.t.Error(err)
		return
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || len(body) == 0 {
		p.t.Errorf("%s: %d bytes, %v, want an answer", page, len(body), err)
	}
	p.hear(body)
}

// sent returns how many transactions the program has sent.
func (p *program) sent() (count int) {
	for _, e := range p.fronts {
		count += e.Calls("eth_sendRawTransaction")
	}
	return count
}

// pays waits until the recipient of an order has what was quoted.
func (p *program) pays(n *devnet.Net, o *order) {
	p.t.Helper()
	devnettest.Eventually(p.t, "the order is paid", func() bool {
		select {
		case <-p.exited:
			p.t.Fatalf("the program has ended, want it to pay:\n%s", p.heard())
		default:
		}
		got, err := n.Balance(p.t.Context(), o.quote.Route.DstToken, o.recipient)
		if err != nil {
			p.t.Fatal(err)
		}
		return got.Cmp(o.quote.Received.ToBig()) == 0
	})
}

// keepsSecrets asks for all that the program tells, and looks for the key, its
// password and their parts in it.
func (p *program) keepsSecrets() {
	p.t.Helper()
	for _, page := range []string{"/metrics", "/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1", "/debug/pprof/allocs", "/debug/pprof/profile?seconds=1", "/debug/pprof/trace?seconds=1"} {
		p.get(p.admin, page)
	}
	p.get(p.status, "/v1/health")
	p.command("orders", "--journal", filepath.Join(p.dir, "journal.db"))
	files, _ := filepath.Glob(filepath.Join(p.dir, "journal.db*"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			p.t.Fatal(err)
		}
		p.hear(text)
	}
	said := p.heard()
	for name, secret := range p.secrets() {
		if bytes.Contains(said, secret) || bytes.Contains(bytes.ToLower(said), bytes.ToLower(secret)) {
			p.t.Errorf("the output contains %s, want no secret", name)
		}
	}
	if !bytes.Contains(said, []byte("settler_purse_calls")) || !bytes.Contains(said, []byte("goroutine ")) {
		p.t.Error("the output has no metrics or profiles, want both")
	}
}

func (p *program) secrets() map[string][]byte {
	raw := crypto.FromECDSA(p.secret)
	digits := hex.EncodeToString(raw)
	return map[string][]byte{
		"the key": []byte(digits), "half of the key": []byte(digits[:32]), "the other half": []byte(digits[32:]), "a quarter of the key": []byte(digits[16:32]),
		"the key as a number": []byte(new(big.Int).SetBytes(raw).String()), "the key's bytes": raw, "half of its bytes": raw[:16],
		"the key as a list": []byte(strings.Trim(fmt.Sprint(raw[:8]), "[]")),
		"the password":      []byte(password), "a part of the password": []byte(password[:13]),
	}
}

// TestKeys runs the program as an operator does, with a key in each of the ways
// that it may be kept.
func TestKeys(t *testing.T) {
	n := devnettest.Net(t, "../../..", swap.Hub, 8453)
	issuer := devnettest.Attester(t, n, 0)
	path := filepath.Join(t.TempDir(), "settler")
	if out, err := exec.Command("go", "build", "-o", path, "../../../cmd/settler").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("an encrypted file", func(t *testing.T) {
		p := newProgram(t, n, issuer, path, keystoreFlags(t)...)
		p.command(append([]string{"check"}, p.flags...)...)
		stop := p.start()
		o := newOrders(t, n, 1)[0]
		deposit(t, n, o)
		p.pays(n, o)
		p.keepsSecrets()
		stop()
	})
	t.Run("a remote signer", func(t *testing.T) { testRemoteSigner(t, n, issuer, path) })
}

func keystoreFlags(t *testing.T) []string {
	t.Helper()
	k, err := crypto.HexToECDSA(devnet.Accounts()[devnet.Relayer].Key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := gethkeystore.EncryptKey(&gethkeystore.Key{Address: crypto.PubkeyToAddress(k.PublicKey), PrivateKey: k}, password, 1<<12, 1)
	if err != nil {
		t.Fatal(err)
	}
	key, words := filepath.Join(t.TempDir(), "key.json"), filepath.Join(t.TempDir(), "password")
	if err := errors.Join(os.WriteFile(key, file, 0o600), os.WriteFile(words, []byte(password+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	return []string{"--keystore", key, "--password-file", words}
}

// alterations are what a signer may sign instead of what it was asked to.
var alterations = []func(*types.DynamicFeeTx){
	func(x *types.DynamicFeeTx) { x.To = &common.Address{7} },
	func(x *types.DynamicFeeTx) { x.Value = big.NewInt(1) },
	func(x *types.DynamicFeeTx) { x.Data = append([]byte{}, x.Data[:4]...) },
	func(x *types.DynamicFeeTx) { x.Nonce++ },
}

// testRemoteSigner has the signer alter what it signs in every way first: nothing
// of that is sent. Then it is honest, and the order is paid.
func testRemoteSigner(t *testing.T, n *devnet.Net, issuer, path string) {
	k, err := crypto.HexToECDSA(devnet.Accounts()[devnet.Relayer].Key)
	if err != nil {
		t.Fatal(err)
	}
	var p *program
	var mu sync.Mutex // one after the other, so that none is sent while another is looked at
	asked := 0
	ca := signer.NewAuthority(t)
	url := ca.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var alter func(*types.DynamicFeeTx)
		if asked < len(alterations) {
			alter = alterations[asked]
		}
		if asked++; asked <= len(alterations)+1 && p.sent() != 0 {
			count := p.sent()
			t.Errorf("%d transactions were sent that the signer had altered, want none", count)
		}
		signer.Signing(k, alter, nil)(w, r)
	})
	_, cert, key := ca.Leaf(t)
	p = newProgram(t, n, issuer, path, "--signer", url, "--signer-address", devnet.Account(devnet.Relayer).Address.String(),
		"--signer-cert", cert, "--signer-key", key, "--signer-ca", ca.File)
	p.command(append([]string{"check"}, p.flags...)...)
	o := newOrders(t, n, 1)[0]
	deposit(t, n, o)
	stop := p.start()
	p.pays(n, o)
	if got := bytes.Count(p.heard(), []byte("the signer's answer is not used")); got < len(alterations) {
		t.Errorf("%d answers of the signer were refused, want %d", got, len(alterations))
	}
	p.keepsSecrets()
	stop()
}
