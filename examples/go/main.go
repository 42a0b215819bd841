// Go is a swap with go-ethereum: ask, verify, approve if needed, send, follow it to the end.
//
//	SERVER=http://127.0.0.1:8080 RPC=http://127.0.0.1:8080/devnet/rpc/369 KEY=0x… go run .
package main

import (
	"context"
	"errors"
	"log"
	"math/big"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"hubquote/client"
	"hubquote/swap"
)

const query = "srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=25500000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

func main() {
	log.SetFlags(0)
	ctx := context.Background()

	// Quote fails unless every byte of the answer is what the pins, which you reviewed, make of the request.
	request := must(client.ParseRequest(query))
	pins := must(client.ReadPins("pins.json"))
	hub := must(client.New(os.Getenv("SERVER"), client.WithPins(pins)))
	quote := must(hub.Quote(ctx, request))
	log.Println("verified:", swap.FormatUnits(&quote.Received, quote.Route.DstToken.Decimals), quote.Route.DstToken.Symbol, "will arrive")

	node := must(ethclient.DialContext(ctx, os.Getenv("RPC")))
	key := must(crypto.HexToECDSA(strings.TrimPrefix(os.Getenv("KEY"), "0x")))
	from, chain := crypto.PubkeyToAddress(key.PublicKey), quote.Route.Src.Network
	send := func(address swap.Address, data []byte, value *big.Int) common.Hash {
		to := common.Address(address)
		tip := must(node.SuggestGasTipCap(ctx))
		base := must(node.HeaderByNumber(ctx, nil)).BaseFee
		gas := must(node.EstimateGas(ctx, ethereum.CallMsg{From: from, To: &to, Data: data, Value: value}))
		id := new(big.Int).SetUint64(uint64(chain)) // a node of another chain refuses the signature
		tx := must(types.SignNewTx(key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
			ChainID: id, Nonce: must(node.PendingNonceAt(ctx, from)), GasTipCap: tip, GasFeeCap: new(big.Int).Add(tip, base.Lsh(base, 1)),
			Gas: gas * 3 / 2, To: &to, Data: data, Value: value, // other deposits change what this one costs; what is left comes back
		}))
		must(tx, node.SendTransaction(ctx, tx))
		awaitSuccess(ctx, node, tx.Hash())
		return tx.Hash()
	}

	if a := quote.Payload.Approval; a != nil { // not for the native coin
		if allowance := allowanceOf(ctx, node, a, from); allowance.Cmp(a.Amount.ToBig()) < 0 {
			if a.Reset != nil && allowance.Sign() > 0 { // some tokens only change it from zero
				send(a.Token, a.Reset, nil)
			}
			send(a.Token, a.Calldata, nil)
		}
	}
	hash := swap.Hash(send(quote.Payload.To, quote.Payload.Calldata, quote.Payload.Value.ToBig()))

	told := must(hub.WaitFor(ctx, hash, func(t *swap.Tracking) bool {
		for _, order := range t.Orders {
			log.Println(order.Stage)
		}
		return t.Final()
	}))
	// Your own node proves the deposit. Give one of the destination too, and the payment is proved.
	for _, report := range must(hub.Prove(ctx, hash, told, map[swap.ChainID]client.Node{chain: node.Client()})) {
		for _, leg := range report.Legs {
			log.Println(leg.Kind, "on chain", leg.Chain, "proved:", leg.Proved, leg.Why)
		}
		if report.Status.Stage != swap.StageDone {
			log.Fatal("not paid: see hubquote track ", hash)
		}
	}
}

func awaitSuccess(ctx context.Context, node *ethclient.Client, tx common.Hash) {
	receipt, err := node.TransactionReceipt(ctx, tx)
	for ; errors.Is(err, ethereum.NotFound); receipt, err = node.TransactionReceipt(ctx, tx) {
		time.Sleep(time.Second)
	}
	if must(receipt, err).Status != types.ReceiptStatusSuccessful {
		log.Fatal(tx, " failed")
	}
	log.Println("mined:", tx)
}

func allowanceOf(ctx context.Context, node *ethclient.Client, a *swap.Approval, owner common.Address) *big.Int {
	data := slices.Concat(crypto.Keccak256([]byte("allowance(address,address)"))[:4], common.LeftPadBytes(owner[:], 32), common.LeftPadBytes(a.Spender[:], 32))
	return new(big.Int).SetBytes(must(node.CallContract(ctx, ethereum.CallMsg{To: (*common.Address)(&a.Token), Data: data}, nil)))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
