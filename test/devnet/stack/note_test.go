package stack_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
	"hubquote/test/devnet/notes"
	"hubquote/test/devnet/wallet"
)

// A zkWallet is the recipient of a shielded note, made by the wallet engine.
type zkWallet struct {
	Address           string
	ViewingPrivateKey string
	Chain             *struct{ ID swap.ChainID }
}

// zkWallets returns the wallets that can be paid on any chain.
func zkWallets(t *testing.T) (list []*zkWallet) {
	text, err := os.ReadFile("../../../internal/shield/testdata/shield.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []*zkWallet }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, w := range file.Vectors {
		if w.Chain == nil {
			list = append(list, w)
		}
	}
	return list
}

// opens reports an error unless a note pays the wallet.
func (w *zkWallet) opens(note []byte) error {
	a, err := swap.ParsePrivateAddress(w.Address)
	if err != nil {
		return err
	}
	key, err := hex.DecodeString(w.ViewingPrivateKey)
	if err != nil {
		return err
	}
	_, err = wallet.Decrypt(note, a, [32]byte(key))
	return err
}

// note finds the trade's note among all of its privacy pool, by its bytes: the
// quote's calldata ends in them.
func (j *trade) note(ctx context.Context, w *trial) (value *big.Int, found bool, err error) {
	pool, err := third.PrivacyPool(w.Catalog, j.route.Dst.ID)
	if err != nil {
		return nil, false, err
	}
	logs, err := w.Chains[j.route.Dst.Network].Logs(ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int),
		Addresses: []common.Address{common.Address(pool)},
		Topics:    [][]common.Hash{{contract.PrivacyPool.ABI().Events["Shield"].ID}},
	})
	if err != nil {
		return nil, false, err
	}
	for i := range logs {
		made, err := notes.Read([]*types.Log{&logs[i]})
		if err != nil {
			return nil, false, err
		}
		if len(made) != 1 || !bytes.HasSuffix(j.calldata(), made[0].Bytes) {
			continue
		}
		if made[0].Token != common.Address(j.route.DstToken.Address) {
			return nil, false, errors.New("a note of another token")
		}
		return made[0].Value, true, j.wallet.opens(made[0].Bytes)
	}
	return nil, false, nil
}
