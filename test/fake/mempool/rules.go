package mempool

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// The limits of an account: transactions that can be mined, and those behind a
// gap.
const (
	Slots = 16
	Queue = 64
)

// What the pool refuses.
var (
	ErrKnown       = errors.New("already known")
	ErrNonceLow    = errors.New("nonce too low")
	ErrUnderpriced = errors.New("replacement transaction underpriced")
	ErrFunds       = errors.New("insufficient funds for gas * price + value")
	ErrLimit       = errors.New("account limit exceeded")
	errBytes       = errors.New("not a transaction")
)

func (p *Pool) send(ctx context.Context, params []json.RawMessage) (any, error) {
	var raw hexutil.Bytes
	tx := new(types.Transaction)
	if len(params) != 1 || json.Unmarshal(params[0], &raw) != nil || tx.UnmarshalBinary(raw) != nil {
		return nil, errBytes
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, tx.Hash())
	if err := p.add(ctx, tx); err != nil {
		p.refusals[err.Error()]++
		return nil, err
	}
	return tx.Hash(), nil
}

func (p *Pool) add(ctx context.Context, tx *types.Transaction) error {
	from, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	if err != nil {
		return err
	}
	next, err := p.count(ctx, from)
	switch {
	case err != nil:
		return err
	case tx.Nonce() < next:
		return ErrNonceLow
	}
	if old := p.accounts[from][tx.Nonce()]; old != nil {
		if err := replaces(old.Transaction, tx); err != nil {
			return err
		}
	}
	if err := p.covers(ctx, from, tx); err != nil || p.lossy {
		return err
	}
	return p.put(from, next, tx)
}

// replaces reports an error unless both fees are a tenth higher.
func replaces(old, tx *types.Transaction) error {
	switch {
	case old.Hash() == tx.Hash():
		return ErrKnown
	case !tenthMore(old.GasTipCap(), tx.GasTipCap()) || !tenthMore(old.GasFeeCap(), tx.GasFeeCap()):
		return ErrUnderpriced
	}
	return nil
}

func tenthMore(old, now *big.Int) bool {
	least := new(big.Int).Mul(old, big.NewInt(110))
	least.Div(least, big.NewInt(100))
	return now.Cmp(old) > 0 && now.Cmp(least) >= 0
}

// covers reports an error unless the balance pays for all of the sender's
// transactions at their caps.
func (p *Pool) covers(ctx context.Context, from common.Address, tx *types.Transaction) error {
	var balance hexutil.Big
	if err := p.chain.CallContext(ctx, &balance, "eth_getBalance", from, "latest"); err != nil {
		return err
	}
	sum := tx.Cost()
	for nonce, e := range p.accounts[from] {
		if nonce != tx.Nonce() {
			sum.Add(sum, e.Cost())
		}
	}
	if sum.Cmp(balance.ToInt()) > 0 {
		return ErrFunds
	}
	return nil
}

func (p *Pool) put(from common.Address, next uint64, tx *types.Transaction) error {
	a := p.accounts[from]
	if a == nil {
		a = account{}
		p.accounts[from] = a
	}
	old := a[tx.Nonce()]
	a[tx.Nonce()] = &entry{tx, p.delay}
	ready := len(p.executable(from, next))
	if ready > Slots || len(a)-ready > Queue {
		delete(a, tx.Nonce())
		if old != nil {
			a[tx.Nonce()] = old
		}
		return ErrLimit
	}
	return nil
}

// executable returns the sender's transactions from the next nonce to the first
// gap.
func (p *Pool) executable(from common.Address, next uint64) (list []*entry) {
	for e := p.accounts[from][next]; e != nil; e = p.accounts[from][next] {
		list = append(list, e)
		next++
	}
	return list
}
