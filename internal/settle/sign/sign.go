// Package sign signs the settler's transactions, and only those. What may be
// signed is a closed list, checked before a key is asked; what a key returns is
// decoded, compared with the request field by field, and its sender recovered,
// before it is used. No error and no printed value contains key material.
package sign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A Transaction is what to sign: a call of a contract, or nothing to oneself,
// which uses up a nonce. It is an EIP-1559 transaction without value and without
// an access list; there is no field for either.
type Transaction struct {
	Chain    swap.ChainID
	Nonce    uint64
	To       swap.Address
	Data     []byte
	Gas      uint64
	Tip, Cap swap.Amount // in wei for a unit of gas
}

// Signed is a transaction that is ready to be sent.
type Signed struct {
	Hash order.Hash
	Raw  []byte
}

// A Key makes signatures for one address. It is not trusted to sign what it was
// asked to. Only a [Signer] may use it: a key alone knows no list.
type Key interface {
	Address() swap.Address
	Sign(ctx context.Context, tx *types.Transaction) (raw []byte, err error)
}

// A Signer is a key that signs what is on its list.
type Signer struct {
	key  Key
	list List
}

// New returns a signer that uses the key for what is on the list.
func New(key Key, list List) *Signer { return &Signer{key, list} }

// Address is who signs.
func (s *Signer) Address() swap.Address { return s.key.Address() }

// Sign returns the signed bytes of a transaction that is on the list.
func (s *Signer) Sign(ctx context.Context, t Transaction) (Signed, error) {
	if err := s.list.allows(&t, s.Address()); err != nil {
		return Signed{}, fmt.Errorf("not signed: %w", err)
	}
	want := t.unsigned()
	raw, err := s.key.Sign(ctx, want)
	if err != nil {
		return Signed{}, fmt.Errorf("sign nonce %d on chain %d: %w", t.Nonce, t.Chain, err)
	}
	got, err := decode(raw)
	if err != nil {
		return Signed{}, err
	}
	if err := compare(want, got, s.Address()); err != nil {
		return Signed{}, fmt.Errorf("the signer's answer is not used: %w", err)
	}
	return Signed{Hash: order.Hash(got.Hash()), Raw: raw}, nil
}

func (t *Transaction) unsigned() *types.Transaction {
	to := common.Address(t.To)
	return types.NewTx(&types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(uint64(t.Chain)), Nonce: t.Nonce, To: &to, Data: bytes.Clone(t.Data),
		Gas: t.Gas, GasTipCap: t.Tip.ToBig(), GasFeeCap: t.Cap.ToBig(), Value: new(big.Int),
	})
}

// Parse reads what [Signer.Sign] returned, so that the same call can be signed
// again with other fees. It checks no signature.
func Parse(raw []byte) (t Transaction, err error) {
	tx, err := decode(raw)
	if err != nil || tx.To() == nil || !tx.ChainId().IsUint64() {
		return t, errBytes
	}
	t = Transaction{Chain: swap.ChainID(tx.ChainId().Uint64()), Nonce: tx.Nonce(), To: swap.Address(*tx.To()), Data: tx.Data(), Gas: tx.Gas()}
	if t.Tip.SetFromBig(tx.GasTipCap()) || t.Cap.SetFromBig(tx.GasFeeCap()) {
		return Transaction{}, errBytes
	}
	return t, nil
}

var errBytes = errors.New("the signer's answer is not used: it is not a transaction")

// decode reads a transaction in its one encoding.
func decode(raw []byte) (*types.Transaction, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return nil, errBytes
	}
	if again, err := tx.MarshalBinary(); err != nil || !bytes.Equal(again, raw) {
		return nil, errBytes
	}
	return tx, nil
}

// compare names the first field in which the signed transaction differs.
func compare(want, got *types.Transaction, from swap.Address) error {
	for _, f := range []struct {
		name string
		same bool
	}{
		{"type", got.Type() == want.Type()},
		{"chain", got.ChainId().Cmp(want.ChainId()) == 0},
		{"nonce", got.Nonce() == want.Nonce()},
		{"recipient", got.To() != nil && *got.To() == *want.To()},
		{"value", got.Value().Sign() == 0},
		{"data", bytes.Equal(got.Data(), want.Data())},
		{"gas limit", got.Gas() == want.Gas()},
		{"tip", got.GasTipCap().Cmp(want.GasTipCap()) == 0},
		{"fee cap", got.GasFeeCap().Cmp(want.GasFeeCap()) == 0},
		{"access list", len(got.AccessList()) == 0},
	} {
		if !f.same {
			return fmt.Errorf("it has another %s than was asked for", f.name)
		}
	}
	sender, err := types.Sender(types.LatestSignerForChainID(want.ChainId()), got)
	if err != nil || swap.Address(sender) != from {
		return errors.New("it is signed by another key")
	}
	return nil
}
