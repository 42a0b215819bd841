package follow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hubquote/swap"
)

// How long the caller's nodes may be behind the server's, and how often they are
// asked meanwhile.
const (
	behindFor = 2 * time.Minute
	askAgain  = 2 * time.Second
)

var errTold = errors.New("the status is told, and your nodes do not show it: they do not have a transaction, or do not call it final yet; ask again later, or check --rpc and --pins")

// prove requires the end of a swap to be proved if the caller has nodes: an exit
// code that follows from the server's word alone would make them useless. Nodes
// that are behind are waited for.
func (f *follower) prove(ctx context.Context, tx swap.Hash, t *swap.Tracking) error {
	if len(f.Nodes) == 0 || len(t.Orders) == 0 || !resting(t) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, behindFor)
	defer cancel()
	for !f.proved() {
		if missing := f.missing(t); len(missing) > 0 {
			return fmt.Errorf("the status is told, and cannot be proved without a node of chain %d: give --rpc %d=URL", missing[0], missing[0])
		}
		if f.Once || !sleep(ctx, askAgain) {
			return errTold
		}
		if err := f.show(ctx, tx, t); err != nil {
			return err
		}
	}
	return nil
}

func (f *follower) proved() bool {
	for _, r := range f.last {
		if !r.Proved {
			return false
		}
	}
	return true
}

// missing are the chains of legs that the caller has no node of.
func (f *follower) missing(t *swap.Tracking) (list []swap.ChainID) {
	for i := range t.Orders {
		for _, l := range t.Orders[i].Legs {
			if f.Nodes[l.Chain] == nil {
				list = append(list, l.Chain)
			}
		}
	}
	slices.Sort(list)
	return list
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
