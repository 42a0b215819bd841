package front

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/calldata"
	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/evm"
)

// A stage is a step that can be looked up on the chains. The stages before it are
// done when it is looked for.
type stage struct {
	label   string
	network swap.ChainID // zero for the issuer's
	look    func(context.Context) (hash string, done bool, err error)
}

// A tracker follows one swap: each stage sets the fields that the next one needs.
type tracker struct {
	*Front
	order   *contract.Order
	payment contract.Payment
	message message // the burn under way
}

// A message is a burn, and its nonce once it is attested.
type message struct {
	source swap.Domain
	tx     common.Hash
	index  int // among those that the transaction sent: a pool pays several orders in one
	nonce  common.Hash
}

// A failure is the reason that a swap will not be paid, in a sentence for people.
type failure string

func (f failure) Error() string { return string(f) }

const (
	reverted = failure("The transaction was reverted: nothing moved but the gas it cost.")
	noOrder  = failure("This transaction opens no order here.")
	noPayer  = failure("The order is for a place that no pool pays.")
	unpaid   = failure("What the burn asks for cannot be paid. Anyone may have the receiver burn it back to its sender.")
)

// stages returns the stages of the swap that a transaction began.
func (t *tracker) stages(chain *evm.Chain, receipt *types.Receipt) ([]stage, error) {
	if receipt.Status != types.ReceiptStatusSuccessful {
		return nil, reverted
	}
	if t.order = t.opened(receipt); t.order != nil {
		return t.payStages(t.step("Deposited on ", chain.ID, receipt.TxHash))
	}
	return t.burnStages(chain, receipt)
}

// burnStages is the way of a burn to the receiver, which opens the order.
func (t *tracker) burnStages(chain *evm.Chain, receipt *types.Receipt) ([]stage, error) {
	sent := sentMessage(receipt)
	if sent == nil {
		return nil, noOrder
	}
	hook, err := calldata.ParseHook(attest.Hook(sent))
	if err != nil || attest.Caller(sent) != t.net.Plan.Address(lane.Receiver) {
		return nil, noOrder
	}
	t.message = message{source: attest.Source(sent), tx: receipt.TxHash}
	t.order = &contract.Order{DstPlace: new(big.Int).SetUint64(uint64(hook.DstChain)), DstToken: common.Address(hook.DstToken)}
	return t.payStages(t.step("Burned on ", chain.ID, receipt.TxHash), t.attestedStage(), t.openedStage())
}

// payStages adds the way of an order from where it is opened.
func (t *tracker) payStages(before ...stage) ([]stage, error) {
	payer, ok := t.net.Plan.PayerOf(t.order.DstPlace, t.order.DstToken)
	if !ok {
		return nil, noPayer
	}
	label := "Paid out on "
	switch {
	case payer.Place.Private():
		label = "Shielded on "
	case payer.Place.Network != payer.Network:
		label = "Burned on "
	}
	stages := append(before, t.paidStage(label, payer))
	if payer.Place.Network != payer.Network {
		stages = append(stages, t.attestedStage(), t.mintedStage(payer.Place.Network))
	}
	return stages, nil
}

// step is a stage that is known to be done.
func (t *tracker) step(label string, network swap.ChainID, tx common.Hash) stage {
	return stage{label + t.net.Name(network), network, func(context.Context) (string, bool, error) { return tx.Hex(), true, nil }}
}

func (t *tracker) attestedStage() stage {
	return stage{"Attested by the issuer", 0, func(ctx context.Context) (string, bool, error) {
		m, err := t.issuer.Attested(ctx, t.message.source, t.message.tx, t.message.index)
		if err != nil || m == nil {
			return "", false, err
		}
		t.message.nonce = common.BytesToHash(attest.Nonce(m.Message))
		return "", true, nil
	}}
}

// mintedStage is the delivery of a burn.
func (t *tracker) mintedStage(network swap.ChainID) stage {
	return stage{"Minted on " + t.net.Name(network), network, func(ctx context.Context) (string, bool, error) {
		log, err := t.log(ctx, network, third.Transmitter, messageReceived, nil, []common.Hash{t.message.nonce})
		if err != nil || log == nil {
			return "", false, err
		}
		return log.TxHash.Hex(), true, nil
	}}
}

// openedStage is the delivery of a burn to the receiver, which opens the order.
func (t *tracker) openedStage() stage {
	l := t.mintedStage(t.net.Plan.Issuer.Gateway)
	minted := l.look
	l.look = func(ctx context.Context) (string, bool, error) {
		hash, done, err := minted(ctx)
		if err != nil || !done {
			return "", false, err
		}
		receipt, err := t.net.Chains[l.network].Receipt(ctx, common.HexToHash(hash))
		if err != nil || receipt == nil {
			return "", false, err
		}
		if t.order = t.opened(receipt); t.order == nil || t.order.DstPool == (common.Address{}) {
			return "", false, unpaid
		}
		return hash, true, nil
	}
	return l
}

// paidStage is the payment of the order, which may be a burn in its turn.
func (t *tracker) paidStage(label string, payer deployment.Payer) stage {
	return stage{label + t.net.Name(payer.Network), payer.Network, func(ctx context.Context) (string, bool, error) {
		log, err := t.log(ctx, payer.Network, payer.Address, orderFulfilled, []common.Hash{t.order.ID()})
		if err != nil || log == nil {
			return "", false, err
		}
		t.message = message{source: t.net.Plan.Issuer.Domains[payer.Network], tx: log.TxHash}
		if t.message.index, err = t.sentBefore(ctx, payer.Network, log); err != nil {
			return "", false, err
		}
		return log.TxHash.Hex(), true, contract.Pool.Event(&t.payment, "OrderFulfilled", log)
	}}
}

var (
	orderFulfilled  = contract.Pool.ABI().Events["OrderFulfilled"].ID
	messageSent     = contract.Transmitter.ABI().Events["MessageSent"].ID
	messageReceived = contract.Transmitter.ABI().Events["MessageReceived"].ID
)

// log finds the one log with these topics, or nil.
func (t *tracker) log(ctx context.Context, network swap.ChainID, of swap.Address, event common.Hash, topics ...[]common.Hash) (*types.Log, error) {
	logs, err := t.net.Chains[network].Logs(ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int), Addresses: []common.Address{common.Address(of)}, Topics: append([][]common.Hash{{event}}, topics...),
	})
	if err != nil || len(logs) == 0 {
		return nil, err
	}
	return &logs[0], nil
}

// sentBefore is the number of the last message that a transaction sent before a
// log: an order's own burn comes right before the event of its payment.
func (t *tracker) sentBefore(ctx context.Context, network swap.ChainID, log *types.Log) (int, error) {
	receipt, err := t.net.Chains[network].Receipt(ctx, log.TxHash)
	if err != nil || receipt == nil {
		return 0, err
	}
	sent := 0
	for _, l := range receipt.Logs {
		if l.Index < log.Index && l.Address == common.Address(third.Transmitter) && l.Topics[0] == messageSent {
			sent++
		}
	}
	return max(sent-1, 0), nil
}

// sentMessage returns the first message about a burn in a receipt, or nil.
func sentMessage(receipt *types.Receipt) []byte {
	for _, log := range receipt.Logs {
		var event struct{ Message []byte }
		if log.Address != common.Address(third.Transmitter) || log.Topics[0] != messageSent {
			continue
		}
		if err := contract.Transmitter.Event(&event, "MessageSent", log); err == nil && attest.IsBurn(event.Message) {
			return event.Message
		}
	}
	return nil
}
