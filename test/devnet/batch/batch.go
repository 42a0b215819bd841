// Package batch is a wallet that takes several calls at once, over JSON-RPC, as
// EIP-5792 says. It sends without asking: it must be served on the loopback
// interface and nowhere else.
package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
)

// A Wallet is a contract wallet on one chain, as an application sees it.
type Wallet struct {
	Chain   *evm.Chain
	Node    http.Handler // gets every method that is not the wallet's
	Account common.Address
	Execute func(context.Context, []Call) (*types.Receipt, error) // makes all calls in one transaction, or none
}

// A Call is one of a batch, as contracts have it.
type Call struct {
	To    common.Address
	Value *big.Int
	Data  []byte
}

// StandIn is the wallet of the devnet, which stands in for a Safe: it makes calls
// for every account that asks.
func StandIn(chain *evm.Chain, node http.Handler) *Wallet {
	safe := common.Address(devnet.Safe)
	return &Wallet{Chain: chain, Node: node, Account: safe, Execute: func(ctx context.Context, list []Call) (*types.Receipt, error) {
		return chain.Send(ctx, devnet.Account(devnet.Treasury), evm.Tx{To: safe, Data: contract.BatchWallet.Call("execute", list)})
	}}
}

const maxRequest = 1 << 20

type request struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (w *Wallet) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(to, r.Body, maxRequest))
	var asked request
	if err != nil || json.Unmarshal(body, &asked) != nil {
		http.Error(to, "not a JSON-RPC request", http.StatusBadRequest)
		return
	}
	methods := map[string]func(context.Context, []json.RawMessage) (any, error){
		"eth_accounts": w.accounts, "eth_requestAccounts": w.accounts, "wallet_getCapabilities": w.capabilities,
		"wallet_sendCalls": w.send, "wallet_getCallsStatus": w.status,
	}
	method, own := methods[asked.Method]
	if !own {
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.Node.ServeHTTP(to, r)
		return
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": asked.ID}
	if result, err := method(r.Context(), asked.Params); err != nil {
		answer["error"] = failure{-32602, err.Error()}
	} else {
		answer["result"] = result
	}
	to.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(to).Encode(answer) // the client may be gone
}

func (w *Wallet) accounts(context.Context, []json.RawMessage) (any, error) {
	return []common.Address{w.Account}, nil
}

func (w *Wallet) capabilities(context.Context, []json.RawMessage) (any, error) {
	return map[string]any{w.chainID(): map[string]any{"atomic": map[string]string{"status": "supported"}}}, nil
}

func (w *Wallet) chainID() string { return hexutil.EncodeUint64(uint64(w.Chain.ID)) }

type call struct {
	To    common.Address `json:"to"`
	Data  hexutil.Bytes  `json:"data"`
	Value *hexutil.Big   `json:"value"`
}

type calls struct {
	From    *common.Address `json:"from"`
	ChainID string          `json:"chainId"`
	Calls   []call          `json:"calls"`
}

// send makes the calls in one transaction. The batch goes by its hash.
func (w *Wallet) send(ctx context.Context, params []json.RawMessage) (any, error) {
	var asked calls
	if err := one(params, &asked); err != nil {
		return nil, err
	}
	switch {
	case asked.ChainID != w.chainID():
		return nil, fmt.Errorf("the calls are for chain %s, and this wallet is on %s", asked.ChainID, w.chainID())
	case asked.From != nil && *asked.From != w.Account:
		return nil, fmt.Errorf("the calls are from %s, and this wallet is %s", asked.From, w.Account)
	}
	list := make([]Call, len(asked.Calls))
	for i, c := range asked.Calls {
		list[i] = Call{c.To, new(big.Int), c.Data}
		if c.Value != nil {
			list[i].Value = c.Value.ToInt()
		}
	}
	receipt, err := w.Execute(ctx, list)
	if err != nil {
		return nil, contract.Explain(err)
	}
	return map[string]any{"id": receipt.TxHash}, nil
}

func (w *Wallet) status(ctx context.Context, params []json.RawMessage) (any, error) {
	var id common.Hash
	if err := one(params, &id); err != nil {
		return nil, err
	}
	receipt, err := w.Chain.Receipt(ctx, id)
	if err == nil && receipt == nil {
		err = errors.New("there is no such batch")
	}
	if err != nil {
		return nil, err
	}
	const confirmed = 200
	return map[string]any{
		"version": "2.0.0", "id": id, "chainId": w.chainID(), "status": confirmed, "atomic": true, "receipts": []any{receipt},
	}, nil
}

func one(params []json.RawMessage, into any) error {
	if len(params) != 1 {
		return errors.New("give one parameter")
	}
	return json.Unmarshal(params[0], into)
}
