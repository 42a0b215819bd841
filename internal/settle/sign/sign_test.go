package sign_test

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gethkeystore "github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/sign"
	"hubquote/internal/settle/sign/keystore"
	"hubquote/swap"
)

var (
	pool     = swap.MustAddress("0x00000000000000000000000000000000000000a1")
	stranger = swap.MustAddress("0x00000000000000000000000000000000000000a2")
	fulfil   = [4]byte{1, 2, 3, 4}
	refund   = [4]byte{5, 6, 7, 8}
)

func list() sign.List {
	return sign.List{
		Calls: []sign.Call{{Chain: 369, Contract: pool, Selector: fulfil}, {Chain: 1, Contract: pool, Selector: refund}},
		Chains: map[swap.ChainID]sign.Limit{
			369: {Cap: *uint256.NewInt(100), Gas: 1_000_000}, 1: {Cap: *uint256.NewInt(50), Gas: 500_000},
		},
	}
}

// payment is at every limit of the list at once.
func payment() sign.Transaction {
	return sign.Transaction{Chain: 369, Nonce: 7, To: pool, Data: append(fulfil[:], 9, 9), Gas: 1_000_000, Tip: *uint256.NewInt(100), Cap: *uint256.NewInt(100)}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	k, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// store writes an encrypted keystore file and its password.
func store(t testing.TB, k *ecdsa.PrivateKey, password string) (path, passwordPath string) {
	t.Helper()
	file, err := gethkeystore.EncryptKey(&gethkeystore.Key{Address: crypto.PubkeyToAddress(k.PublicKey), PrivateKey: k}, password, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	return keep(t, string(file)), keep(t, password+"\n")
}

func keep(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, k *ecdsa.PrivateKey) sign.Key {
	t.Helper()
	key, err := keystore.Open(store(t, k, "correct horse"))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestSigns(t *testing.T) {
	k := newKey(t)
	s := sign.New(open(t, k), list())
	filler := payment()
	filler.To, filler.Data = s.Address(), nil
	for name, tx := range map[string]sign.Transaction{"a call on the list": payment(), "nothing, to itself": filler} {
		t.Run(name, func(t *testing.T) {
			got, err := s.Sign(t.Context(), tx)
			if err != nil {
				t.Fatal(err)
			}
			var decoded types.Transaction
			if err := decoded.UnmarshalBinary(got.Raw); err != nil {
				t.Fatal(err)
			}
			sender, err := types.Sender(types.LatestSignerForChainID(big.NewInt(369)), &decoded)
			if err != nil || sender != crypto.PubkeyToAddress(k.PublicKey) || decoded.Nonce() != 7 || decoded.Hash() != common.Hash(got.Hash) || decoded.Value().Sign() != 0 {
				t.Errorf("signed by %v (%v), nonce %d, value %v; want the key, nonce 7, value 0", sender, err, decoded.Nonce(), decoded.Value())
			}
		})
	}
}

// A witness is a key that must not be asked.
type witness struct {
	sign.Key
	asked int
}

func (w *witness) Sign(ctx context.Context, tx *types.Transaction) ([]byte, error) {
	w.asked++
	return w.Key.Sign(ctx, tx)
}

// TestRefuses tries every field outside of the list. The key is not asked.
func TestRefuses(t *testing.T) {
	key := &witness{Key: open(t, newKey(t))}
	s := sign.New(key, list())
	for _, tt := range []struct {
		name   string
		change func(*sign.Transaction)
	}{
		{"another chain", func(x *sign.Transaction) { x.Chain = 56 }},
		{"no chain", func(x *sign.Transaction) { x.Chain = 0 }},
		{"a call of another chain", func(x *sign.Transaction) { x.Data = refund[:] }},
		{"another contract", func(x *sign.Transaction) { x.To = stranger }},
		{"no contract", func(x *sign.Transaction) { x.To = swap.Address{} }},
		{"another function", func(x *sign.Transaction) { x.Data = []byte{1, 2, 3, 5} }},
		{"part of a selector", func(x *sign.Transaction) { x.Data = []byte{1, 2, 3} }},
		{"nothing, to a contract", func(x *sign.Transaction) { x.Data = nil }},
		{"nothing, to a stranger", func(x *sign.Transaction) { x.To, x.Data = stranger, nil }},
		{"something, to itself", func(x *sign.Transaction) { x.To = key.Address() }},
		{"nothing, to itself, on another chain", func(x *sign.Transaction) { x.Chain, x.To, x.Data = 56, key.Address(), nil }},
		{"a fee cap above the limit", func(x *sign.Transaction) { x.Cap = *uint256.NewInt(101) }},
		{"a filler above the limit", func(x *sign.Transaction) { x.To, x.Data, x.Cap = key.Address(), nil, *uint256.NewInt(101) }},
		{"a fee cap above the limit of its chain", func(x *sign.Transaction) {
			x.Chain, x.Data, x.Gas, x.Tip, x.Cap = 1, refund[:], 1, swap.Amount{}, *uint256.NewInt(51)
		}},
		{"a tip above the fee cap", func(x *sign.Transaction) { x.Cap = *uint256.NewInt(99) }},
		{"a gas limit above the limit", func(x *sign.Transaction) { x.Gas = 1_000_001 }},
		{"no gas limit", func(x *sign.Transaction) { x.Gas = 0 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tx := payment()
			tt.change(&tx)
			if got, err := s.Sign(t.Context(), tx); err == nil || got.Raw != nil {
				t.Errorf("Sign = %x, %v, want a refusal", got.Raw, err)
			}
		})
	}
	if key.asked != 0 {
		t.Errorf("the key was asked %d times, want 0", key.asked)
	}
	if _, err := sign.New(key, sign.List{}).Sign(t.Context(), payment()); err == nil {
		t.Error("an empty list signed, want a refusal")
	}
}

// A liar is a key that signs something else.
type liar struct {
	sign.Key
	answer func(*types.DynamicFeeTx) (types.TxData, *ecdsa.PrivateKey)
	bytes  func([]byte) []byte
}

func (l *liar) Sign(_ context.Context, tx *types.Transaction) ([]byte, error) {
	inner := &types.DynamicFeeTx{ChainID: tx.ChainId(), Nonce: tx.Nonce(), GasTipCap: tx.GasTipCap(), GasFeeCap: tx.GasFeeCap(), Gas: tx.Gas(), To: tx.To(), Value: tx.Value(), Data: tx.Data()}
	data, key := l.answer(inner)
	signer := types.LatestSignerForChainID(types.NewTx(data).ChainId())
	signed, err := types.SignNewTx(key, signer, data)
	if err != nil {
		return nil, err
	}
	raw, err := signed.MarshalBinary()
	return l.bytes(raw), err
}

// TestAnswerIsCompared has a key alter every field of what it was asked to
// sign.
func TestAnswerIsCompared(t *testing.T) {
	k, other := newKey(t), newKey(t)
	to := common.Address(stranger)
	for _, tt := range []struct {
		name   string
		change func(*types.DynamicFeeTx)
	}{
		{"another chain", func(x *types.DynamicFeeTx) { x.ChainID = big.NewInt(1) }},
		{"another nonce", func(x *types.DynamicFeeTx) { x.Nonce++ }},
		{"another recipient", func(x *types.DynamicFeeTx) { x.To = &to }},
		{"another value", func(x *types.DynamicFeeTx) { x.Value = big.NewInt(1) }},
		{"another data", func(x *types.DynamicFeeTx) { x.Data = append([]byte{}, fulfil[:]...) }},
		{"another gas limit", func(x *types.DynamicFeeTx) { x.Gas-- }},
		{"another tip", func(x *types.DynamicFeeTx) { x.GasTipCap = big.NewInt(99) }},
		{"another fee cap", func(x *types.DynamicFeeTx) { x.GasFeeCap = big.NewInt(1e9) }},
		{"another access list", func(x *types.DynamicFeeTx) { x.AccessList = types.AccessList{{Address: to}} }},
		{"another recipient: a contract creation", func(x *types.DynamicFeeTx) { x.To = nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := &liar{Key: open(t, k), bytes: same, answer: func(x *types.DynamicFeeTx) (types.TxData, *ecdsa.PrivateKey) { tt.change(x); return x, k }}
			field, _, _ := strings.Cut(tt.name, ":")
			refuse(t, l, field)
		})
	}
	honest := func(x *types.DynamicFeeTx) (types.TxData, *ecdsa.PrivateKey) { return x, k }
	legacy := func(x *types.DynamicFeeTx) (types.TxData, *ecdsa.PrivateKey) {
		return &types.LegacyTx{Nonce: x.Nonce, GasPrice: x.GasFeeCap, Gas: x.Gas, To: x.To, Value: x.Value, Data: x.Data}, k
	}
	refuse(t, &liar{Key: open(t, k), bytes: same, answer: legacy}, "another type")
	refuse(t, &liar{Key: open(t, k), bytes: same, answer: func(x *types.DynamicFeeTx) (types.TxData, *ecdsa.PrivateKey) { return x, other }}, "another key")
	refuse(t, &liar{Key: open(t, k), answer: honest, bytes: func(b []byte) []byte { return append(b, 0) }}, "not a transaction")
	refuse(t, &liar{Key: open(t, k), answer: honest, bytes: func(b []byte) []byte { return b[:len(b)-1] }}, "not a transaction")
	refuse(t, &liar{Key: open(t, k), answer: honest, bytes: func([]byte) []byte { return nil }}, "not a transaction")
	if _, err := sign.New(&liar{Key: open(t, k), bytes: same, answer: honest}, list()).Sign(t.Context(), payment()); err != nil {
		t.Errorf("Sign with a correct answer = %v, want nil", err)
	}
}

func same(b []byte) []byte { return b }

func refuse(t *testing.T, k sign.Key, want string) {
	t.Helper()
	got, err := sign.New(k, list()).Sign(t.Context(), payment())
	if err == nil || got.Raw != nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Sign = %x, %v, want an error that names %s", got.Raw, err, want)
	}
}

func TestKeystoreRefuses(t *testing.T) {
	path, password := store(t, newKey(t), "correct horse")
	public := keep(t, "correct horse")
	if err := os.Chmod(public, 0o604); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path, password, want string
	}{
		{"a missing file", path + "x", password, "no such file"},
		{"a missing password", path, password + "x", "no such file"},
		{"a wrong password", path, keep(t, "wrong"), "does not open"},
		{"an empty password", path, keep(t, "\n"), "empty"},
		{"a password that every user can read", path, public, "chmod"},
		{"not JSON", keep(t, "not json"), password, "geth account new"},
		{"JSON without a key", keep(t, `{"version":3,"id":"","crypto":{"cipher":"aes-128-ctr","kdf":"scrypt"}}`), password, "geth account new"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := keystore.Open(tt.path, tt.password); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Open = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestNoKeyMaterial prints everything in every way and looks for the key.
func TestNoKeyMaterial(t *testing.T) {
	k := newKey(t)
	path, password := store(t, k, "correct horse")
	key, err := keystore.Open(path, password)
	if err != nil {
		t.Fatal(err)
	}
	s := sign.New(key, list())
	foreign := payment()
	foreign.To = stranger
	_, refused := s.Sign(t.Context(), foreign)
	_, wrong := keystore.Open(path, keep(t, "battery staple"))
	_, broken := keystore.Open(keep(t, fmt.Sprintf(`{"crypto":"%x"}`, crypto.FromECDSA(k))), password)
	var out strings.Builder
	for _, v := range []any{key, s, *s, refused, wrong, broken, errors.Join(refused, wrong)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		text, _ := json.Marshal(v)
		out.Write(text)
		slog.New(slog.NewTextHandler(&out, nil)).Info("key", "value", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("key", "value", v)
	}
	shown := strings.ToLower(out.String())
	bytes := crypto.FromECDSA(k)
	for name, secret := range map[string]string{
		"in hexadecimal": fmt.Sprintf("%x", bytes), "in decimal": new(big.Int).SetBytes(bytes).String(), "as bytes": strings.Trim(fmt.Sprint(bytes), "[]"),
		"as Go bytes": fmt.Sprintf("%#v", bytes[:4])[7:], "its password": "correct horse", "a wrong password": "battery staple",
	} {
		if strings.Contains(shown, strings.ToLower(secret)) {
			t.Errorf("the output contains the key %s, want no secret", name)
		}
	}
}

// Parse returns every field of what was signed.
func TestParse(t *testing.T) {
	want := payment()
	signed, err := sign.New(open(t, newKey(t)), list()).Sign(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sign.Parse(signed.Raw)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Parse = %v, %v, want %v", got, err, want)
	}
	for name, raw := range map[string][]byte{"nothing": nil, "a byte less": signed.Raw[:len(signed.Raw)-1], "a byte more": append(signed.Raw, 0)} {
		if _, err := sign.Parse(raw); err == nil {
			t.Errorf("Parse of %s succeeded, want an error", name)
		}
	}
}
