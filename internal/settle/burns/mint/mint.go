// Package mint tells whether burns were minted. A mint by any sender counts, so
// the issuer's own record of used nonces decides, and no receipt of ours.
package mint

import (
	"context"
	"errors"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// ErrChain means that a network has no endpoint here.
var ErrChain = errors.New("no endpoint is configured for this network")

// window is how many blocks below the head a mint's event is looked for, at
// first. It is only shown; what decides is the record.
const window = 2048

var (
	messageReceived = contract.Transmitter.ABI().Events["MessageReceived"].ID
	burnReceived    = contract.Receiver.ABI().Events["BurnReceived"].ID
)

// A Look is at all networks at one moment: each is asked for its head once.
type Look struct {
	terms  *terms.Terms
	chains map[swap.ChainID]*chain.Chain

	heads map[swap.ChainID]func() (node.Block, error)
	tags  map[swap.ChainID]func() (uint64, error)
}

// NewLook returns a look that has asked nothing yet.
func NewLook(ctx context.Context, t *terms.Terms, chains map[swap.ChainID]*chain.Chain) *Look {
	l := &Look{terms: t, chains: chains, heads: map[swap.ChainID]func() (node.Block, error){}, tags: map[swap.ChainID]func() (uint64, error){}}
	for id, c := range chains {
		l.heads[id] = sync.OnceValues(func() (node.Block, error) { return c.Head(ctx) })
		l.tags[id] = sync.OnceValues(func() (uint64, error) { return c.Final(ctx) })
	}
	return l
}

// Head returns the head of a network.
func (l *Look) Head(id swap.ChainID) (node.Block, error) {
	if head := l.heads[id]; head != nil {
		return head()
	}
	return node.Block{}, ErrChain
}

// Used reports whether a network has minted the message with this nonce, in the
// state after its head.
func (l *Look) Used(ctx context.Context, id swap.ChainID, nonce message.Word) (bool, error) {
	head, err := l.Head(id)
	if err != nil {
		return false, err
	}
	out, err := l.chains[id].Call(ctx, l.terms.Transmitter, contract.Transmitter.Call("usedNonces", [32]byte(nonce)), head)
	if err != nil {
		return false, err
	}
	used, err := contract.Result[*big.Int](contract.Transmitter, "usedNonces", out)
	return err == nil && used.Sign() != 0, err
}

// Final reports whether a block of a network is final. A network that does not
// say so is unknown.
func (l *Look) Final(id swap.ChainID, block uint64) (bool, error) {
	tag := l.tags[id]
	if tag == nil {
		return false, ErrChain
	}
	number, err := tag()
	return err == nil && number >= block, err
}

// An Event is where a message was minted.
type Event struct {
	Tx    order.Hash // zero when the event was not found
	Block uint64     // not below the block it was minted in
	Order order.ID   // that the receiver made of it, if it did
}

// Find returns where a message was minted that is known to be. The event is
// looked for in the last blocks; a mint that is older, or whose event no endpoint
// gives, is at or below the head.
func (l *Look) Find(ctx context.Context, to order.Pool, nonce message.Word) (Event, error) {
	head, err := l.Head(to.Chain)
	if err != nil {
		return Event{}, err
	}
	f := chain.Filter{Address: to.Address, Topics: [][]common.Hash{{messageReceived}, {}, {common.Hash(nonce)}}}
	relayed := l.terms.IsReceiver(to.Address)
	if relayed {
		f.Topics[0][0] = burnReceived
	}
	for span := uint64(window); span > 0; span /= 8 {
		logs, err := l.chains[to.Chain].Logs(ctx, f, head.Number-min(head.Number, span), head.Number)
		if err != nil {
			continue
		}
		if len(logs) == 0 {
			break
		}
		e := Event{Tx: order.Hash(logs[0].TxHash), Block: logs[0].BlockNumber}
		if relayed {
			e.Order = order.ID(logs[0].Topics[1])
		}
		return e, nil
	}
	return Event{Block: head.Number}, ctx.Err()
}
