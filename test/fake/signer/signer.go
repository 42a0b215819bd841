// Package signer has a remote signer that speaks eth_signTransaction over mutual
// TLS, and the certificates for it. It can sign something else than it is asked to.
package signer

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// An Authority issues certificates for a test.
type Authority struct {
	File string // with its certificate

	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority returns one that only this test knows.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	a.key, a.cert, a.File, _ = issue(t, template, nil)
	return a
}

// Leaf issues a certificate for the loopback interface, also as two files.
func (a *Authority) Leaf(t testing.TB) (cert tls.Certificate, certFile, keyFile string) {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	_, _, certFile, keyFile = issue(t, template, a)
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return cert, certFile, keyFile
}

func issue(t testing.TB, template *x509.Certificate, by *Authority) (*ecdsa.PrivateKey, *x509.Certificate, string, string) {
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

func save(t testing.TB, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Serve runs a signer that asks for a client certificate of its authority, and
// returns its address.
func (a *Authority) Serve(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	cert, _, _ := a.Leaf(t)
	clients := x509.NewCertPool()
	clients.AddCert(a.cert)
	s := httptest.NewUnstartedServer(h)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

// A request is one call of the signer.
type request struct {
	Method string
	Params []struct {
		From, To                           common.Address
		Gas, Nonce                         hexutil.Uint64
		MaxFeePerGas, MaxPriorityFeePerGas *hexutil.Big
		Value, ChainID                     *hexutil.Big
		Data                               hexutil.Bytes
	}
}

// Signing answers as signers do: it signs what the arguments say, after change, if
// that is not nil, has altered it. Wrap makes the result of the bytes; nil means
// the bytes themselves. It refuses to sign for another account.
func Signing(k *ecdsa.PrivateKey, change func(*types.DynamicFeeTx), wrap func(hexutil.Bytes) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body request
		err := json.NewDecoder(r.Body).Decode(&body)
		if err != nil || body.Method != "eth_signTransaction" || len(body.Params) != 1 || body.Params[0].From != crypto.PubkeyToAddress(k.PublicKey) {
			http.Error(w, "not a request to sign for this account", http.StatusBadRequest)
			return
		}
		p := body.Params[0]
		tx := &types.DynamicFeeTx{
			ChainID: p.ChainID.ToInt(), Nonce: uint64(p.Nonce), GasTipCap: p.MaxPriorityFeePerGas.ToInt(), GasFeeCap: p.MaxFeePerGas.ToInt(),
			Gas: uint64(p.Gas), To: &p.To, Value: p.Value.ToInt(), Data: p.Data,
		}
		if change != nil {
			change(tx)
		}
		signed, err := types.SignNewTx(k, types.LatestSignerForChainID(tx.ChainID), tx)
		if err != nil {
			http.Error(w, "cannot sign", http.StatusInternalServerError)
			return
		}
		raw, _ := signed.MarshalBinary()
		result := any(hexutil.Bytes(raw))
		if wrap != nil {
			result = wrap(raw)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
	}
}
