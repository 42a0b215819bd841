// Package evm talks to one EVM chain over JSON-RPC: it reads, and it sends what
// an account signs.
//
// It keeps no state of the chain. Every answer is the node's at that moment, so
// that a retry after a fault or a reorganisation reads the current state.
package evm

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"sync"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"hubquote/swap"
)

// A Chain is one chain, as one node sees it.
type Chain struct {
	ID  swap.ChainID
	URL string

	rpc     *rpc.Client
	eth     *ethclient.Client
	sending sync.Mutex // held from reading a nonce until it is used
	last    map[swap.Address]*types.Transaction
}

// Dial returns the chain behind a node, over http when transport is nil.
// It connects to nothing yet.
func Dial(ctx context.Context, id swap.ChainID, url string, transport http.RoundTripper) (*Chain, error) {
	if transport == nil {
		transport = &http.Transport{MaxIdleConnsPerHost: 16}
	}
	c, err := rpc.DialOptions(ctx, url, rpc.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		return nil, fmt.Errorf("chain %d: %w", id, err)
	}
	return &Chain{ID: id, URL: url, rpc: c, eth: ethclient.NewClient(c), last: map[swap.Address]*types.Transaction{}}, nil
}

// Close ends all connections.
func (c *Chain) Close() { c.rpc.Close() }

// Do calls any other method of the node, and ignores its result.
func (c *Chain) Do(ctx context.Context, method string, args ...any) error {
	return c.wrap(method, c.rpc.CallContext(ctx, nil, method, args...))
}

// Call runs a function that only reads, on the newest state.
func (c *Chain) Call(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
	out, err := c.eth.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
	return out, c.wrap("call", err)
}

// Balance returns an account's native coin.
func (c *Chain) Balance(ctx context.Context, account common.Address) (*big.Int, error) {
	b, err := c.eth.BalanceAt(ctx, account, nil)
	return b, c.wrap("balance", err)
}

// Code returns the code at an address; empty when there is none.
func (c *Chain) Code(ctx context.Context, address common.Address) ([]byte, error) {
	code, err := c.eth.CodeAt(ctx, address, nil)
	return code, c.wrap("code", err)
}

// Head returns the number of the newest block.
func (c *Chain) Head(ctx context.Context) (uint64, error) {
	n, err := c.eth.BlockNumber(ctx)
	return n, c.wrap("head", err)
}

// BlockHash returns the hash of the block with that number, as the node reports it:
// computing it from the header would need every field of the chain's newest rules.
func (c *Chain) BlockHash(ctx context.Context, number uint64) (common.Hash, error) {
	var block *struct{ Hash common.Hash }
	err := c.rpc.CallContext(ctx, &block, "eth_getBlockByNumber", hexutil.Uint64(number), false)
	if err == nil && block == nil {
		err = fmt.Errorf("there is no block %d", number)
	}
	if err != nil {
		return common.Hash{}, c.wrap("block", err)
	}
	return block.Hash, nil
}

// Logs returns the logs that match a filter, in their order on the chain.
func (c *Chain) Logs(ctx context.Context, q ethereum.FilterQuery) ([]types.Log, error) {
	logs, err := c.eth.FilterLogs(ctx, q)
	return logs, c.wrap("logs", err)
}

// Receipt returns the receipt of a transaction, or nil when it is in no block.
func (c *Chain) Receipt(ctx context.Context, tx common.Hash) (*types.Receipt, error) {
	r, err := c.eth.TransactionReceipt(ctx, tx)
	if errors.Is(err, ethereum.NotFound) {
		return nil, nil
	}
	return r, c.wrap("receipt", err)
}

func (c *Chain) wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("chain %d: %s: %w", c.ID, doing, err)
}
