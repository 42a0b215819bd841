package remote_test

import (
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/sign"
	"hubquote/internal/settle/sign/remote"
	"hubquote/swap"
	"hubquote/test/fake/signer"
)

func options(t *testing.T, ca *signer.Authority, url string, address swap.Address) remote.Options {
	t.Helper()
	_, cert, key := ca.Leaf(t)
	return remote.Options{URL: url, Address: address, Cert: cert, Key: key, CA: ca.File}
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

func TestRemoteSigns(t *testing.T) {
	k, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	address := swap.Address(crypto.PubkeyToAddress(k.PublicKey))
	ca := signer.NewAuthority(t)
	for name, wrap := range map[string]func(hexutil.Bytes) any{
		"bytes":           func(b hexutil.Bytes) any { return b },
		"bytes in object": func(b hexutil.Bytes) any { return map[string]any{"raw": b, "tx": map[string]any{}} },
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ask(t, options(t, ca, ca.Serve(t, signer.Signing(k, nil, wrap)), address))
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
func remoteAs(t *testing.T, ca *signer.Authority, k *ecdsa.PrivateKey, as swap.Address) remote.Options {
	return options(t, ca, ca.Serve(t, func(w http.ResponseWriter, r *http.Request) {
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
	ca, foreign := signer.NewAuthority(t), signer.NewAuthority(t)
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
		{"a signer of another authority", says(200, `{}`), func(o *remote.Options) { o.CA = foreign.File }, "ask the signer"},
		{"a client of another authority", says(200, `{}`), func(o *remote.Options) { _, o.Cert, o.Key = foreign.Leaf(t) }, "ask the signer"},
		{"a signer that is not there", says(200, `{}`), func(o *remote.Options) { o.URL = "https://127.0.0.1:1/" + secret }, "ask the signer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, ca, ca.Serve(t, tt.answer)+"/"+secret, swap.Address{1})
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
	good := options(t, signer.NewAuthority(t), "https://127.0.0.1:1", swap.Address{1})
	for name, change := range map[string]func(*remote.Options){
		"no TLS":             func(o *remote.Options) { o.URL = "http://127.0.0.1:1" },
		"no host":            func(o *remote.Options) { o.URL = "https://" },
		"a password":         func(o *remote.Options) { o.URL = "https://user:hunter2@127.0.0.1" },
		"no client key":      func(o *remote.Options) { o.Key = "" },
		"a key of another":   func(o *remote.Options) { _, _, o.Key = signer.NewAuthority(t).Leaf(t) },
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
