package relay

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/evm"
)

// A burnKey names a message: the transaction that sent it, and its number among
// those that the transaction sent.
type burnKey struct {
	tx    common.Hash
	index int
}

// A burn is a message that is ours to carry.
type burn struct {
	burnKey
	source swap.Domain
	sent   []byte      // the message before it was attested
	nonce  common.Hash // what it is received by; zero until it was seen attested
}

// addBurn keeps a message if it is ours to carry: a burn to the receiver, or from
// the gateway pool.
func (f *facts) addBurn(log *types.Log, index int, b *directory) error {
	var event struct{ Message []byte }
	if err := contract.Transmitter.Event(&event, "MessageSent", log); err != nil {
		return err
	}
	m := event.Message
	if attest.IsBurn(m) && attest.Between(m, b.messenger) && (b.isReceiver(attest.Caller(m)) || b.isGatewayPool(attest.Sender(m))) {
		key := burnKey{log.TxHash, index}
		f.burns[key] = &burn{burnKey: key, source: attest.Source(m), sent: m}
	}
	return nil
}

// dueBurn adds the delivery of a burn, unless it is known to have arrived.
func (r *Relayer) dueBurn(due map[swap.ChainID][]task, b *burn) {
	to := r.directory.networks[attest.Destination(b.sent)]
	if f := r.facts[to]; f != nil && !f.received[b.nonce] {
		due[to] = append(due[to], r.deliver(b))
	}
}

// deliver mints a burn as soon as the issuer has attested it.
func (r *Relayer) deliver(b *burn) task {
	return task{"delivering a burn", func(ctx context.Context, c *evm.Chain) error {
		m, err := r.issuer.Attested(ctx, b.source, b.tx, b.index)
		if err != nil || m == nil {
			return err
		}
		b.nonce = common.BytesToHash(attest.Nonce(m.Message))
		used, err := usedNonce(ctx, c, b.nonce)
		if err != nil || used {
			return err
		}
		tx, err := c.Send(ctx, r.opts.Account, r.delivery(m))
		if err != nil {
			return err
		}
		r.opts.Log.Info("delivered", "burn", b.tx, "domain", b.source, "tx", tx.TxHash)
		return nil
	}}
}

// delivery is the call that mints. What is for the receiver goes through it, so
// that the mint and its order are one.
func (r *Relayer) delivery(m *attest.Attested) evm.Tx {
	if caller := attest.Caller(m.Message); r.directory.isReceiver(caller) {
		return evm.Tx{To: caller, Data: contract.Receiver.Call("relay", m.Message, m.Signature)}
	}
	return evm.Tx{To: common.Address(third.Transmitter), Data: contract.Transmitter.Call("receiveMessage", m.Message, m.Signature)}
}

func usedNonce(ctx context.Context, c *evm.Chain, nonce common.Hash) (bool, error) {
	out, err := c.Call(ctx, common.Address(third.Transmitter), contract.Transmitter.Call("usedNonces", [32]byte(nonce)))
	if err != nil {
		return false, err
	}
	used, err := contract.Result[*big.Int](contract.Transmitter, "usedNonces", out)
	return err == nil && used.Sign() != 0, err
}
