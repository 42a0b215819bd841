package relay

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/test/devnet/evm"
)

// facts are what the logs of one chain say, up to its last block that has
// enough others on top. Learning a log twice changes nothing.
type facts struct {
	next uint64      // the first block not read
	last common.Hash // the hash of the block before it

	opened   map[common.Hash]deposit // orders, by ID
	closed   map[common.Hash]bool    // those released, refunded or reclaimed
	paid     map[common.Hash]bool    // orders of anywhere that were paid here
	burns    map[burnKey]*burn       // burns that are ours to carry elsewhere
	received map[common.Hash]bool    // nonces of messages delivered here
}

// A deposit is an order and where its log is.
type deposit struct {
	order *contract.Order
	log   types.Log
}

func newFacts() *facts {
	return &facts{
		opened:   map[common.Hash]deposit{},
		closed:   map[common.Hash]bool{},
		paid:     map[common.Hash]bool{},
		burns:    map[burnKey]*burn{},
		received: map[common.Hash]bool{},
	}
}

var errMoved = errors.New("the chain was reorganised while it was read")

// read learns the chain's newest final blocks. A chain whose past has changed
// below what was final is read again from its first block.
func (r *Relayer) read(ctx context.Context, c *evm.Chain) error {
	f := r.facts[c.ID]
	head, err := c.Head(ctx)
	if err != nil || head < f.next+r.opts.Confirmations {
		return err
	}
	same, err := unchanged(ctx, c, f)
	if err != nil {
		return err
	}
	if !same {
		r.opts.Log.Warn("the chain's past has changed: reading it again", "chain", c.ID)
		*f = *newFacts()
	}
	return r.extend(ctx, c, f, head-r.opts.Confirmations)
}

func unchanged(ctx context.Context, c *evm.Chain, f *facts) (bool, error) {
	if f.next == 0 {
		return true, nil
	}
	hash, err := c.BlockHash(ctx, f.next-1)
	return hash == f.last, err
}

// extend reads the logs up to the block with number final. The block's hash
// before and after covers all that was read in between.
func (r *Relayer) extend(ctx context.Context, c *evm.Chain, f *facts, final uint64) error {
	before, err := c.BlockHash(ctx, final)
	if err != nil {
		return err
	}
	logs, err := c.Logs(ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int).SetUint64(f.next), ToBlock: new(big.Int).SetUint64(final),
		Addresses: r.directory.watched[c.ID], Topics: [][]common.Hash{topics},
	})
	if err != nil {
		return err
	}
	after, err := c.BlockHash(ctx, final)
	if err != nil {
		return err
	}
	if before != after {
		return errMoved
	}
	r.add(ctx, c, f, logs)
	f.next, f.last = final+1, after
	return nil
}

var (
	orderOpened     = contract.Pool.ABI().Events["OrderOpened"].ID
	orderReleased   = contract.Pool.ABI().Events["OrderReleased"].ID
	orderRefunded   = contract.Pool.ABI().Events["OrderRefunded"].ID
	orderReclaimed  = contract.Pool.ABI().Events["OrderReclaimed"].ID
	orderFulfilled  = contract.Pool.ABI().Events["OrderFulfilled"].ID
	orderSkipped    = contract.Pool.ABI().Events["OrderSkipped"].ID
	messageSent     = contract.Transmitter.ABI().Events["MessageSent"].ID
	messageReceived = contract.Transmitter.ABI().Events["MessageReceived"].ID

	topics = []common.Hash{orderOpened, orderReleased, orderRefunded, orderReclaimed, orderFulfilled, messageSent, messageReceived}
)

// add takes logs into account. One that cannot be read is reported and left
// out: it must not hold up the others.
func (r *Relayer) add(ctx context.Context, c *evm.Chain, f *facts, logs []types.Log) {
	sent := map[common.Hash]int{} // messages by transaction; all of one are in one block
	for i := range logs {
		log := &logs[i]
		var err error
		switch log.Topics[0] {
		case orderOpened:
			err = f.addDeposit(log)
		case orderReleased, orderRefunded, orderReclaimed:
			f.closed[log.Topics[1]] = true
		case orderFulfilled:
			f.paid[log.Topics[1]] = true
		case messageReceived:
			f.received[log.Topics[2]] = true
		case messageSent:
			err = f.addBurn(log, sent[log.TxHash], &r.directory)
			sent[log.TxHash]++
		}
		if err != nil {
			r.report(ctx, "reading a log", c.ID, err)
		}
	}
}

func (f *facts) addDeposit(log *types.Log) error {
	opened, err := contract.ReadOpened(log)
	if err == nil {
		f.opened[log.Topics[1]] = deposit{&opened.Order, *log}
	}
	return err
}
