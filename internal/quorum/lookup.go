package quorum

import (
	"context"
	"errors"

	"hubquote/internal/quorum/endpoint"
	"hubquote/internal/quorum/node"
	"hubquote/internal/quorum/poll"
	"hubquote/internal/upstream"
)

// A Caller calls methods of one node.
type Caller = endpoint.Caller

// BadValue returns the error of a read that finds a value it does not accept. It does
// not open the node's breaker.
func BadValue(f upstream.Fault) error { return endpoint.BadValue(f) }

// Ask returns the value that read finds, and the block at which enough nodes
// agree on it. It calls read once or more for every node, each time with the
// block to read at; for one block and one state of the chain, read must return
// one value. When a list is read, the value is its digest or its text.
//
// The end of ctx ends the calls. Until then, calls to nodes that are slower than
// the answer continue after Ask has returned, to record which of them fail or
// disagree.
func Ask[V comparable](ctx context.Context, n *Nodes, read func(context.Context, Caller, node.Block) (V, error)) (V, node.Block, error) {
	r := n.ask(ctx, func(ctx context.Context, c Caller, at node.Block) (any, error) { return read(ctx, c, at) })
	value, _ := r.Value.(V)
	return value, r.Block, r.Err
}

func (n *Nodes) ask(ctx context.Context, read poll.Reader) poll.Result {
	answer := make(chan poll.Result, 1)
	if err := n.start(func() { n.lookup(ctx, read, func(r poll.Result) { answer <- r }) }); err != nil {
		return poll.Result{Err: err}
	}
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		return poll.Result{Err: upstream.FaultOf(ctx.Err())}
	}
}

func (n *Nodes) start(lookup func()) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return errors.New("closed")
	}
	n.lookups.Go(lookup)
	return nil
}

func (n *Nodes) lookup(ctx context.Context, read poll.Reader, answer func(poll.Result)) {
	ctx, cancel := context.WithTimeout(ctx, n.opts.lookupTimeout)
	defer cancel()
	defer context.AfterFunc(n.life, cancel)()
	if n.opts.voting() {
		rules := poll.Rules{First: len(n.endpoints), Lag: n.opts.lag(), Patient: n.opts.Patient}
		if n.opts.Frugal {
			rules.First = poll.Need
		}
		poll.Run(ctx, n.endpoints, rules, read, answer)
	} else {
		answer(n.failOver(ctx, read))
	}
}

// failOver returns the value of the first node that has one.
func (n *Nodes) failOver(ctx context.Context, read poll.Reader) poll.Result {
	var errs []error
	for _, e := range n.endpoints {
		turn, err := e.Join()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r := askOne(ctx, turn, read)
		if r.Err == nil {
			turn.End("", false)
			return r
		}
		turn.End(turn.Failure(r.Err))
		errs = append(errs, turn.Named(r.Err))
	}
	return poll.Result{Err: errors.Join(errs...)}
}

func askOne(ctx context.Context, turn *endpoint.Turn, read poll.Reader) (r poll.Result) {
	if r.Block, r.Err = turn.Latest(ctx); r.Err != nil {
		return poll.Result{Err: r.Err}
	}
	if r.Value, r.Err = read(ctx, turn, r.Block); r.Err != nil {
		return poll.Result{Err: r.Err}
	}
	return r
}
