// Package mint tells whether burns were minted. A mint by any sender counts, so
// the issuer's own record of used nonces decides, and no receipt of ours.
package mint

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
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

// A Look is at all networks at one moment.
type Look struct {
	terms   *terms.Terms
	moments map[swap.ChainID]*chain.Moment
	tags    map[swap.ChainID]func() (uint64, error)
}

// NewLook returns a look that has asked nothing yet.
func NewLook(ctx context.Context, t *terms.Terms, chains map[swap.ChainID]*chain.Chain) *Look {
	l := &Look{terms: t, moments: map[swap.ChainID]*chain.Moment{}, tags: map[swap.ChainID]func() (uint64, error){}}
	for id, c := range chains {
		l.moments[id] = c.Moment(ctx)
		l.tags[id] = sync.OnceValues(func() (uint64, error) { return c.Final(ctx) })
	}
	return l
}

// Used reports whether a network has minted the message with this nonce, in the
// state after its head, which it returns. It is what enough endpoints say: a burn
// that is minted is not delivered again.
func (l *Look) Used(ctx context.Context, id swap.ChainID, nonce message.Word) (used bool, head uint64, err error) {
	m := l.moments[id]
	if m == nil {
		return false, 0, ErrChain
	}
	out, head, err := m.Call(ctx, l.terms.Transmitter, contract.Transmitter.Call("usedNonces", [32]byte(nonce)))
	if err != nil {
		return false, 0, err
	}
	count, err := contract.Result[*big.Int](contract.Transmitter, "usedNonces", out)
	return err == nil && count.Sign() != 0, head, err
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

// Find returns where a message was minted that is known to be. The event is looked
// for in the last blocks, or before the one that it is not above, if that is known
// from an earlier look. A mint that is older, or whose event too few endpoints
// give, is not above the highest head. The lowest would be one endpoint's word, and
// a low one is final at once.
func (l *Look) Find(ctx context.Context, to order.Pool, nonce message.Word, above uint64) (Event, error) {
	m := l.moments[to.Chain]
	if m == nil {
		return Event{}, ErrChain
	}
	f := l.filter(to, nonce)
	for span := uint64(window); span > 0; span /= 8 {
		p, err := m.Find(ctx, f, cmp.Or(above, math.MaxUint64), span)
		if err != nil {
			continue
		}
		if p == (chain.Place{}) {
			break
		}
		return l.event(to, p), nil
	}
	return Event{Block: m.Above()}, ctx.Err()
}

// Again returns where a message was minted that was minted in a block before: there,
// or in a later one if that was reorganised away.
func (l *Look) Again(ctx context.Context, to order.Pool, nonce message.Word, block uint64) (Event, error) {
	m := l.moments[to.Chain]
	if m == nil {
		return Event{}, ErrChain
	}
	p, err := m.In(ctx, l.filter(to, nonce), block)
	switch {
	case err != nil:
		return Event{}, err
	case p == (chain.Place{}):
		return l.Find(ctx, to, nonce, 0)
	}
	return l.event(to, p), nil
}

// filter selects the event of a mint.
func (l *Look) filter(to order.Pool, nonce message.Word) chain.Filter {
	event := messageReceived
	if l.terms.IsReceiver(to.Address) {
		event = burnReceived
	}
	return chain.Filter{Address: to.Address, Topics: [][]common.Hash{{event}, {}, {common.Hash(nonce)}}}
}

func (l *Look) event(to order.Pool, p chain.Place) Event {
	e := Event{Tx: p.Tx, Block: p.Block}
	if l.terms.IsReceiver(to.Address) {
		e.Order = order.ID(p.Topic)
	}
	return e
}
