package remote_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/sign"
	"hubquote/internal/settle/sign/remote"
	"hubquote/swap"
)

// An authority issues certificates for a test.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	a.key, a.cert, a.file, _ = issue(t, template, nil)
	return a
}

func (a *authority) leaf(t *testing.T) (cert tls.Certificate, certFile, keyFile string) {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	_, _, certFile, keyFile = issue(t, template, a)
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return cert, certFile, keyFile
}

func issue(t *testing.T, template *x509.Certificate, by *authority) (*ecdsa.PrivateKey, *x509.Certificate, string, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return key, cert, save(t, "CERTIFICATE", der), save(t, "EC PRIVATE KEY", private)
}

func save(t *testing.T, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// serve runs a signer that asks for a client certificate of its authority.
func serve(t *testing.T, ca *authority, h http.HandlerFunc) string {
	t.Helper()
	cert, _, _ := ca.leaf(t)
	clients := x509.NewCertPool()
	clients.AddCert(ca.cert)
	s := httptest.NewUnstartedServer(h)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func options(t *testing.T, ca *authority, url string, address swap.Address) remote.Options {
	t.Helper()
	_, cert, key := ca.leaf(t)
	return remote.Options{URL: url, Address: address, Cert: cert, Key: key, CA: ca.file}
}

var contract = swap.Address{0xa1}

func ask(t *testing.T, o remote.Options) (sign.Signed, error) {
	t.Helper()
	key, err := remote.New(o)
	if err != nil {
		t.Fatal(err)
	}
	list := sign.List{
		Calls:  []sign.Call{{Chain: 369, Contract: contract, Selector: [4]byte{1, 2, 3, 4}}},
		Chains: map[swap.ChainID]sign.Limit{369: {Cap: *uint256.NewInt(100), Gas: 1000}},
	}
	return sign.New(key, list).Sign(t.Context(), sign.Transaction{
		Chain: 369, Nonce: 7, To: contract, Data: []byte{1, 2, 3, 4, 5}, Gas: 999, Tip: *uint256.NewInt(3), Cap: *uint256.NewInt(90),
	})
}

// signing answers as signers do: it signs what the arguments say.
func signing(t *testing.T, k *ecdsa.PrivateKey, wrap func(hexutil.Bytes) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Method string
			Params []struct {
				From, To                           common.Address
				Gas, Nonce                         hexutil.Uint64
				MaxFeePerGas, MaxPriorityFeePerGas *hexutil.Big
				Value, ChainID                     *hexutil.Big
				Data                               hexutil.Bytes
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Method != "eth_signTransaction" || len(body.Params) != 1 {
			t.Errorf("request %+v, %v, want one eth_signTransaction", body, err)
			return
		}
		p := body.Params[0]
		if want := crypto.PubkeyToAddress(k.PublicKey); p.From != want {
			t.Errorf("from = %v, want %v", p.From, want)
		}
		chain := p.ChainID.ToInt()
		tx, err := types.SignNewTx(k, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
			ChainID: chain, Nonce: uint64(p.Nonce), GasTipCap: p.MaxPriorityFeePerGas.ToInt(), GasFeeCap: p.MaxFeePerGas.ToInt(),
			Gas: uint64(p.Gas), To: &p.To, Value: p.Value.ToInt(), Data: p.Data,
		})
		if err != nil {
			t.Error(err)
			return
		}
		raw, _ := tx.MarshalBinary()
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": wrap(raw)})
	}
}

func TestRemoteSigns(t *testing.T) {
	k, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	address := swap.Address(crypto.PubkeyToAddress(k.PublicKey))
	ca := newAuthority(t)
	for name, wrap := range map[string]func(hexutil.Bytes) any{
		"bytes":           func(b hexutil.Bytes) any { return b },
		"bytes in object": func(b hexutil.Bytes) any { return map[string]any{"raw": b, "tx": map[string]any{}} },
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ask(t, options(t, ca, serve(t, ca, signing(t, k, wrap)), address))
			if err != nil {
				t.Fatal(err)
			}
			var tx types.Transaction
			if err := tx.UnmarshalBinary(got.Raw); err != nil {
				t.Fatal(err)
			}
			want := []any{uint64(7), uint64(999), "90", "3", "0", common.Address(contract), []byte{1, 2, 3, 4, 5}}
			if diff := cmp.Diff(want, []any{tx.Nonce(), tx.Gas(), tx.GasFeeCap().String(), tx.GasTipCap().String(), tx.Value().String(), *tx.To(), tx.Data()}); diff != "" {
				t.Errorf("signed differs (-want +got):\n%s", diff)
			}
		})
	}
	address[0]++
	if _, err := ask(t, remoteAs(t, ca, k, address)); err == nil || !strings.Contains(err.Error(), "another key") {
		t.Errorf("a signer with another key: %v, want an error that names the key", err)
	}
}

// remoteAs is a signer that signs with k, whichever account is asked for.
func remoteAs(t *testing.T, ca *authority, k *ecdsa.PrivateKey, as swap.Address) remote.Options {
	return options(t, ca, serve(t, ca, func(w http.ResponseWriter, r *http.Request) {
		to := common.Address(contract)
		tx, err := types.SignNewTx(k, types.LatestSignerForChainID(big.NewInt(369)), &types.DynamicFeeTx{
			ChainID: big.NewInt(369), Nonce: 7, To: &to, Data: []byte{1, 2, 3, 4, 5}, Gas: 999, GasTipCap: big.NewInt(3), GasFeeCap: big.NewInt(90), Value: new(big.Int),
		})
		if err != nil {
			t.Error(err)
			return
		}
		raw, _ := tx.MarshalBinary()
		_ = json.NewEncoder(w).Encode(map[string]any{"result": hexutil.Bytes(raw)})
	}), as)
}

// TestRemoteFails has the signer fail in each way. No error repeats what the
// signer wrote, or the path of its URL.
func TestRemoteFails(t *testing.T) {
	const secret = "0123456789abcdefsecret"
	ca, foreign := newAuthority(t), newAuthority(t)
	says := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); fmt.Fprint(w, text) }
	}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		change func(*remote.Options)
		want   string
	}{
		{"an error", says(200, `{"error":{"code":-32000,"message":"`+secret+`"}}`), nil, "code -32000"},
		{"an error with a status", says(400, `{"error":{"code":-32602,"message":"`+secret+`"}}`), nil, "code -32602"},
		{"a status", says(503, secret), nil, "status 503"},
		{"no JSON", says(200, secret), nil, "not an answer"},
		{"no result", says(200, `{}`), nil, "not an answer"},
		{"a null result", says(200, `{"result":null}`), nil, "not an answer"},
		{"an empty result", says(200, `{"result":"0x"}`), nil, "not an answer"},
		{"bytes that are no transaction", says(200, `{"result":"0x0123"}`), nil, "not a transaction"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/"+secret, http.StatusTemporaryRedirect)
		}, nil, "status 307"},
		{"a signer of another authority", says(200, `{}`), func(o *remote.Options) { o.CA = foreign.file }, "ask the signer"},
		{"a client of another authority", says(200, `{}`), func(o *remote.Options) { _, o.Cert, o.Key = foreign.leaf(t) }, "ask the signer"},
		{"a signer that is not there", says(200, `{}`), func(o *remote.Options) { o.URL = "https://127.0.0.1:1/" + secret }, "ask the signer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, ca, serve(t, ca, tt.answer)+"/"+secret, swap.Address{1})
			if tt.change != nil {
				tt.change(&o)
			}
			got, err := ask(t, o)
			if err == nil || got.Raw != nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("Sign = %x, %v, want an error with %q and without what the signer wrote", got.Raw, err, tt.want)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	good := options(t, newAuthority(t), "https://127.0.0.1:1", swap.Address{1})
	for name, change := range map[string]func(*remote.Options){
		"no TLS":             func(o *remote.Options) { o.URL = "http://127.0.0.1:1" },
		"no host":            func(o *remote.Options) { o.URL = "https://" },
		"a password":         func(o *remote.Options) { o.URL = "https://user:hunter2@127.0.0.1" },
		"no client key":      func(o *remote.Options) { o.Key = "" },
		"a key of another":   func(o *remote.Options) { _, _, o.Key = newAuthority(t).leaf(t) },
		"no authority":       func(o *remote.Options) { o.CA = "" },
		"an empty authority": func(o *remote.Options) { o.CA = o.Key },
	} {
		t.Run(name, func(t *testing.T) {
			o := good
			change(&o)
			if _, err := remote.New(o); err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("New = %v, want an error without the password", err)
			}
		})
	}
}
