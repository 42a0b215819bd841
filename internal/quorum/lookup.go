package quorum

import (
	"context"
	"errors"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

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
	value, _ := r.value.(V)
	return value, r.block, r.err
}

// A reader is the read of [Ask] without its type.
type reader func(ctx context.Context, c Caller, at node.Block) (any, error)

// A vote is a node's value at a block. Votes are compared with ==; the time of a
// block is part of its hash.
type vote struct {
	number uint64
	hash   [32]byte
	value  any
}

// A lookup is one question to the nodes. Its fields are used by one goroutine.
type lookup struct {
	nodes  *Nodes
	ctx    context.Context
	read   reader
	answer chan result // buffered, for the one result
}

type result struct {
	block node.Block
	value any
	err   error
}

func (n *Nodes) ask(ctx context.Context, read reader) result {
	l := &lookup{nodes: n, read: read, answer: make(chan result, 1)}
	if err := n.start(ctx, l); err != nil {
		return result{err: err}
	}
	select {
	case r := <-l.answer:
		return r
	case <-ctx.Done():
		return result{err: upstream.FaultOf(ctx.Err())}
	}
}

func (n *Nodes) start(ctx context.Context, l *lookup) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return errors.New("closed")
	}
	n.lookups.Go(func() { l.run(ctx) })
	return nil
}

func (l *lookup) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, l.nodes.opts.lookupTimeout)
	defer cancel()
	defer context.AfterFunc(l.nodes.life, cancel)()
	l.ctx = ctx
	if l.nodes.opts.voting() {
		newPoll(l).run()
	} else {
		l.failOver()
	}
}

// failOver returns the value of the first node that has one.
func (l *lookup) failOver() {
	var errs []error
	for _, e := range l.nodes.endpoints {
		m, err := e.join()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r := l.askOne(m)
		if r.err == nil {
			m.end("", false)
			l.answer <- r
			return
		}
		m.err = r.err
		m.end(m.failure())
		errs = append(errs, m.named(r.err))
	}
	l.answer <- result{err: errors.Join(errs...)}
}

func (l *lookup) askOne(m *member) result {
	head, err := m.latest(l.ctx)
	if err != nil {
		return result{err: err}
	}
	m.head = &head
	return l.readAt(m, head.Number)
}

// errTooOld means that a node does not vote at a block, because it is much older
// than its latest one. It is no fault: another node may have chosen the block.
var errTooOld = errors.New("the block is too old to vote at")

// readAt asks m for the value at the block with that number.
func (l *lookup) readAt(m *member, number uint64) (r result) {
	r.block, r.err = m.block(l.ctx, number)
	switch {
	case r.err == node.StaleBlock && number != m.head.Number, r.err == nil && l.nodes.opts.isOld(r.block, *m.head):
		return result{err: errTooOld}
	case r.err != nil:
		return result{err: r.err}
	}
	if r.value, r.err = l.read(l.ctx, m, r.block); r.err != nil {
		return result{err: r.err}
	}
	return r
}
