package front

import (
	"context"
	"errors"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/test/devnet/evm"
)

// An Order is the progress of a swap.
type Order struct {
	State    string `json:"state"`
	Steps    []Step `json:"steps"`
	Received string `json:"received,omitempty"` // in the destination token's smallest units, once it has landed
	Detail   string `json:"detail,omitempty"`
}

// The states of an [Order].
const (
	Pending = "pending"
	Landed  = "landed"
	Failed  = "failed"
)

// A Step is one step of a swap.
type Step struct {
	Label   string `json:"label"`
	State   string `json:"state"`
	ChainID uint64 `json:"chainId,omitempty"` // absent when no chain is concerned
	Hash    string `json:"hash,omitempty"`    // of the transaction, when it is done by one
}

// The states of a [Step].
const (
	Done  = "done"
	Doing = "doing"
	Todo  = "todo"
)

// track follows the swap that a transaction began. It keeps no state between
// requests: every answer is read from the chains.
func (f *Front) track(ctx context.Context, tx common.Hash) (*Order, error) {
	t, o := &tracker{Front: f}, &Order{State: Pending, Steps: []Step{}}
	chain, receipt, err := f.find(ctx, tx)
	if err != nil || receipt == nil {
		return o, err
	}
	stages, err := t.stages(chain, receipt)
	if err == nil {
		err = t.walk(ctx, stages, o)
	}
	if why, ok := errors.AsType[failure](err); ok {
		o.State, o.Detail, err = Failed, why.Error(), nil
	}
	return o, err
}

// find looks for a transaction on all chains. A transaction that is on none may be
// pending.
func (f *Front) find(ctx context.Context, tx common.Hash) (chain *evm.Chain, receipt *types.Receipt, err error) {
	var lock sync.Mutex
	var looking sync.WaitGroup
	for _, c := range f.net.Chains {
		looking.Go(func() {
			r, e := c.Receipt(ctx, tx)
			lock.Lock()
			defer lock.Unlock()
			switch {
			case r != nil:
				chain, receipt, err = c, r, nil
			case e != nil && receipt == nil:
				err = e
			}
		})
	}
	looking.Wait()
	return chain, receipt, err
}

// walk looks at each stage until one is not done.
func (t *tracker) walk(ctx context.Context, stages []stage, o *Order) error {
	next := Doing
	for _, l := range stages {
		s := Step{Label: l.label, State: next, ChainID: uint64(l.network)}
		if next == Doing {
			hash, done, err := l.look(ctx)
			switch {
			case err != nil:
				return err
			case done:
				s.State, s.Hash = Done, hash
			default:
				next = Todo
			}
		}
		o.Steps = append(o.Steps, s)
	}
	if next == Doing {
		t.land(o)
	}
	return nil
}

// land completes an order all of whose stages are done.
func (t *tracker) land(o *Order) {
	o.State, o.Received = Landed, t.payment.Received.String()
	if !t.payment.Paid {
		o.Detail = "The recipient could not take the payment, and has to claim it from the pool."
	}
}

// opened returns the order that a receipt opens, if it does.
func (f *Front) opened(receipt *types.Receipt) *contract.Order {
	for _, log := range receipt.Logs {
		if log.Topics[0] != contract.Pool.ABI().Events["OrderOpened"].ID || !f.ours(log.Address) {
			continue
		}
		if opened, err := contract.ReadOpened(log); err == nil {
			return &opened.Order
		}
	}
	return nil
}

func (f *Front) ours(address common.Address) bool {
	for _, c := range f.net.Plan.Contracts {
		if common.Address(c.Address) == address {
			return true
		}
	}
	return false
}
