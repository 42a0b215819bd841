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
	"hubquote/swap"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/evm"
)

// A leg is a step that can be looked for on the chains. The legs before it are
// done when it is looked for.
type leg struct {
	label   string
	network swap.ChainID // zero for the issuer's
	look    func(context.Context) (hash string, done bool, err error)
}

// A journey is what was found out on the way: each leg leaves what the next one
// needs.
type journey struct {
	*Front
	order   *contract.Order
	payment contract.Payment
	message message // the burn under way
}

// A message is a burn, and what it is received by once it is attested.
type message struct {
	source swap.Domain
	tx     common.Hash
	nonce  common.Hash
}

// A failure is why a swap will not land, in a sentence for people.
type failure string

func (f failure) Error() string { return string(f) }

const (
	reverted = failure("The transaction was reverted: nothing moved but the gas it cost.")
	noOrder  = failure("This transaction opens no order here.")
	noPayer  = failure("The order is for a place that no pool pays.")
	parked   = failure("The receiver could not read what the burn is for. Whoever burned may claim it there.")
)

// legs returns the way of the swap that a transaction began.
func (j *journey) legs(chain *evm.Chain, receipt *types.Receipt) ([]leg, error) {
	if receipt.Status != types.ReceiptStatusSuccessful {
		return nil, reverted
	}
	if j.order = j.opened(receipt); j.order != nil {
		return j.payLegs(j.step("Deposited on ", chain.ID, receipt.TxHash))
	}
	return j.burnLegs(chain, receipt)
}

// burnLegs is the way of a burn to the receiver, which opens the order.
func (j *journey) burnLegs(chain *evm.Chain, receipt *types.Receipt) ([]leg, error) {
	sent := sentMessage(receipt)
	if sent == nil {
		return nil, noOrder
	}
	receiver, _ := j.net.Plan.Address(deployment.Receiver)
	hook, err := calldata.ParseHook(attest.Hook(sent))
	if err != nil || attest.Caller(sent) != common.Address(receiver) {
		return nil, noOrder
	}
	j.message = message{source: attest.Source(sent), tx: receipt.TxHash}
	j.order = &contract.Order{DstPlace: new(big.Int).SetUint64(uint64(hook.DstChain)), DstToken: common.Address(hook.DstToken)}
	return j.payLegs(j.step("Burned on ", chain.ID, receipt.TxHash), j.attestedLeg(), j.openedLeg())
}

// payLegs adds the way of an order from where it is opened.
func (j *journey) payLegs(before ...leg) ([]leg, error) {
	payer, ok := j.net.Plan.PayerOf(j.order.DstPlace, j.order.DstToken)
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
	legs := append(before, j.paidLeg(label, payer))
	if payer.Place.Network != payer.Network {
		legs = append(legs, j.attestedLeg(), j.mintedLeg(payer.Place.Network))
	}
	return legs, nil
}

// step is a leg that is known to be done.
func (j *journey) step(label string, network swap.ChainID, tx common.Hash) leg {
	return leg{label + j.net.Name(network), network, func(context.Context) (string, bool, error) { return tx.Hex(), true, nil }}
}

func (j *journey) attestedLeg() leg {
	return leg{"Attested by the issuer", 0, func(ctx context.Context) (string, bool, error) {
		m, err := j.issuer.Attested(ctx, j.message.source, j.message.tx, 0)
		if err != nil || m == nil {
			return "", false, err
		}
		j.message.nonce = common.BytesToHash(attest.Nonce(m.Message))
		return "", true, nil
	}}
}

// mintedLeg is the delivery of a burn.
func (j *journey) mintedLeg(network swap.ChainID) leg {
	return leg{"Minted on " + j.net.Name(network), network, func(ctx context.Context) (string, bool, error) {
		log, err := j.log(ctx, network, deployment.Transmitter, messageReceived, nil, []common.Hash{j.message.nonce})
		if err != nil || log == nil {
			return "", false, err
		}
		return log.TxHash.Hex(), true, nil
	}}
}

// openedLeg is the delivery of a burn to the receiver, which opens the order.
func (j *journey) openedLeg() leg {
	l := j.mintedLeg(j.net.Plan.Issuer.Gateway)
	minted := l.look
	l.look = func(ctx context.Context) (string, bool, error) {
		hash, done, err := minted(ctx)
		if err != nil || !done {
			return "", false, err
		}
		receipt, err := j.net.Chains[l.network].Receipt(ctx, common.HexToHash(hash))
		if err != nil || receipt == nil {
			return "", false, err
		}
		if j.order = j.opened(receipt); j.order == nil {
			return "", false, parked
		}
		return hash, true, nil
	}
	return l
}

// paidLeg is the payment of the order, which may be a burn in its turn.
func (j *journey) paidLeg(label string, payer deployment.Payer) leg {
	return leg{label + j.net.Name(payer.Network), payer.Network, func(ctx context.Context) (string, bool, error) {
		log, err := j.log(ctx, payer.Network, payer.Address, orderFulfilled, []common.Hash{j.order.ID()})
		if err != nil || log == nil {
			return "", false, err
		}
		j.message = message{source: j.net.Plan.Issuer.Domains[payer.Network], tx: log.TxHash}
		return log.TxHash.Hex(), true, contract.Pool.Event(&j.payment, "OrderFulfilled", log)
	}}
}

var (
	orderFulfilled  = contract.Pool.ABI().Events["OrderFulfilled"].ID
	messageSent     = contract.Transmitter.ABI().Events["MessageSent"].ID
	messageReceived = contract.Transmitter.ABI().Events["MessageReceived"].ID
)

// log finds the one log with these topics, or nil.
func (j *journey) log(ctx context.Context, network swap.ChainID, of swap.Address, event common.Hash, topics ...[]common.Hash) (*types.Log, error) {
	logs, err := j.net.Chains[network].Logs(ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int), Addresses: []common.Address{common.Address(of)}, Topics: append([][]common.Hash{{event}}, topics...),
	})
	if err != nil || len(logs) == 0 {
		return nil, err
	}
	return &logs[0], nil
}

// sentMessage returns the first message about a burn in a receipt, or nil.
func sentMessage(receipt *types.Receipt) []byte {
	for _, log := range receipt.Logs {
		var event struct{ Message []byte }
		if log.Address != common.Address(deployment.Transmitter) || log.Topics[0] != messageSent {
			continue
		}
		if err := contract.Transmitter.Event(&event, "MessageSent", log); err == nil && attest.IsBurn(event.Message) {
			return event.Message
		}
	}
	return nil
}
