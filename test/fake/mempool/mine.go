package mempool

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// Mine makes a block with this base fee, with every transaction that can be
// mined in it, and returns those.
func (p *Pool) Mine(ctx context.Context, base *big.Int) ([]*types.Transaction, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var taken []*types.Transaction
	for from := range p.accounts {
		list, err := p.payable(ctx, from, base)
		if err != nil {
			return nil, err
		}
		taken = append(taken, list...)
	}
	number, err := p.seal(ctx, base, taken)
	if err == nil {
		p.blocks[number] = taken
	}
	return taken, err
}

// payable takes the sender's transactions out of the pool that can be mined.
func (p *Pool) payable(ctx context.Context, from common.Address, base *big.Int) (list []*types.Transaction, err error) {
	next, err := p.count(ctx, from)
	if err != nil {
		return nil, err
	}
	for nonce, e := range p.accounts[from] {
		e.held--
		if nonce < next {
			delete(p.accounts[from], nonce)
		}
	}
	for _, e := range p.executable(from, next) {
		if e.held >= 0 || e.GasFeeCap().Cmp(base) < 0 {
			break
		}
		list = append(list, e.Transaction)
		delete(p.accounts[from], e.Nonce())
	}
	return list, nil
}

// seal has the chain make a block of these transactions.
func (p *Pool) seal(ctx context.Context, base *big.Int, txs []*types.Transaction) (uint64, error) {
	if err := p.chain.CallContext(ctx, nil, "anvil_setNextBlockBaseFeePerGas", (*hexutil.Big)(base)); err != nil {
		return 0, err
	}
	for _, tx := range txs {
		raw, err := tx.MarshalBinary()
		if err != nil {
			return 0, err
		}
		if err := p.chain.CallContext(ctx, nil, "eth_sendRawTransaction", hexutil.Bytes(raw)); err != nil {
			return 0, fmt.Errorf("the chain refuses %v: %w", tx.Hash(), err)
		}
	}
	if err := p.chain.CallContext(ctx, nil, "evm_mine"); err != nil {
		return 0, err
	}
	var number hexutil.Uint64
	err := p.chain.CallContext(ctx, &number, "eth_blockNumber")
	return uint64(number), err
}

// Reorganise replaces the last blocks by empty ones. With back, their
// transactions return to the pool, as they do on a real network; without, they
// are gone.
func (p *Pool) Reorganise(ctx context.Context, depth int, back bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var head hexutil.Uint64
	if err := p.chain.CallContext(ctx, &head, "eth_blockNumber"); err != nil {
		return err
	}
	if err := p.chain.CallContext(ctx, nil, "anvil_reorg", depth, []any{}); err != nil {
		return err
	}
	for number := uint64(head) - uint64(depth) + 1; number <= uint64(head); number++ {
		for _, tx := range p.blocks[number] {
			if back {
				_ = p.add(ctx, tx) // a pool that does not want it any more drops it
			}
		}
		delete(p.blocks, number)
	}
	return nil
}
