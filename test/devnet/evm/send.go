package evm

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"hubquote/swap"
)

// An Account signs transactions.
type Account struct {
	Address swap.Address
	key     *ecdsa.PrivateKey
}

// NewAccount returns the account of a private key.
func NewAccount(key *ecdsa.PrivateKey) Account {
	return Account{swap.Address(crypto.PubkeyToAddress(key.PublicKey)), key}
}

// Sign signs a hash.
func (a Account) Sign(hash common.Hash) ([]byte, error) { return crypto.Sign(hash[:], a.key) }

// A Tx is an unsigned transaction. The zero Value sends no coins.
type Tx struct {
	To    common.Address
	Data  []byte
	Value *big.Int
}

// The limits of a transaction's cost. Local chains charge next to nothing, and no
// transaction is sent to others.
var (
	gasLimit = uint64(8_000_000)
	gasPrice = big.NewInt(100 * params.GWei)
	gasTip   = big.NewInt(params.Wei)
)

// Send signs and sends a transaction and waits until it is in a block. One that
// would fail is not sent: the error has the reason.
func (c *Chain) Send(ctx context.Context, from Account, tx Tx) (*types.Receipt, error) {
	msg := ethereum.CallMsg{From: common.Address(from.Address), To: &tx.To, Data: tx.Data, Value: tx.Value, Gas: gasLimit}
	if _, err := c.eth.CallContract(ctx, msg, nil); err != nil {
		return nil, c.wrap("simulate", err)
	}
	hash, err := c.submit(ctx, from, tx)
	if err != nil {
		return nil, c.wrap("send", err)
	}
	return c.mined(ctx, hash)
}

func (c *Chain) submit(ctx context.Context, from Account, tx Tx) (common.Hash, error) {
	c.sending.Lock()
	defer c.sending.Unlock()
	nonce, err := c.nextNonce(ctx, from)
	if err != nil {
		return common.Hash{}, err
	}
	id := new(big.Int).SetUint64(uint64(c.ID))
	signed, err := types.SignNewTx(from.key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, GasTipCap: gasTip, GasFeeCap: gasPrice, Gas: gasLimit,
		To: &tx.To, Value: tx.Value, Data: tx.Data,
	})
	if err != nil {
		return common.Hash{}, err
	}
	if err := c.eth.SendTransaction(ctx, signed); err != nil {
		return common.Hash{}, err
	}
	c.last[from.Address] = signed
	return signed.Hash(), nil
}

// nextNonce is what the node says, or the one after the last transaction if the node
// has that and does not count it: one that it forgot in its queue must not be replaced.
func (c *Chain) nextNonce(ctx context.Context, from Account) (uint64, error) {
	nonce, err := c.eth.PendingNonceAt(ctx, common.Address(from.Address))
	if last := c.last[from.Address]; err == nil && last != nil && last.Nonce() >= nonce {
		if _, _, err := c.eth.TransactionByHash(ctx, last.Hash()); err == nil {
			return last.Nonce() + 1, nil
		}
	}
	return nonce, err
}

const (
	minePoll = 10 * time.Millisecond
	mineWait = time.Minute // a busy machine takes a while; one that takes longer was dropped
)

// mined waits for a transaction that was sent.
func (c *Chain) mined(ctx context.Context, tx common.Hash) (*types.Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, mineWait)
	defer cancel()
	for {
		r, err := c.Receipt(ctx, tx)
		switch {
		case err != nil:
			return nil, err
		case r == nil:
		case r.Status != types.ReceiptStatusSuccessful:
			return r, c.wrap("send", fmt.Errorf("transaction %s reverted", tx))
		default:
			return r, nil
		}
		select {
		case <-ctx.Done():
			return nil, c.wrap("wait for "+tx.Hex(), ctx.Err())
		case <-time.After(minePoll):
		}
	}
}
