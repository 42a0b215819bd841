// Package peer reads blocks and logs at one endpoint of a chain. What it
// returns is one endpoint's word: well formed and within what was asked for,
// and not more than that.
package peer

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/upstream"
)

// The tags that an endpoint is asked to resolve. They are given to no other
// method, since not every endpoint understands them there.
const (
	Latest = "latest"
	Safe   = "safe"
	Final  = "finalized"
)

// retryAfter is how long an endpoint that keeps failing is left alone.
const retryAfter = 5 * time.Second

// Resting is the fault of an endpoint that failed too often to be asked now.
const Resting upstream.Fault = "resting"

// A Block is a block that an endpoint names.
type Block struct {
	Number uint64
	Hash   order.Hash
	Time   time.Time
}

// A Peer is one endpoint.
type Peer struct {
	node      *node.Node
	breaker   *upstream.Breaker
	calls     atomic.Uint64
	disagreed atomic.Uint64
	fault     atomic.Value // upstream.Fault

	lock sync.Mutex // guards part
	part part
}

// New returns the peer behind a node. The node's MaxBlockAge must be negative.
func New(n *node.Node) *Peer {
	p := &Peer{node: n, breaker: upstream.NewBreaker(retryAfter)}
	p.fault.Store(upstream.Fault(""))
	return p
}

// Health is the state of a peer.
type Health struct {
	Fault     upstream.Fault // of its last call; empty when that succeeded
	Calls     uint64
	Disagreed uint64 // how often enough others agreed on something else
}

// Health returns the present state.
func (p *Peer) Health() Health {
	return Health{p.fault.Load().(upstream.Fault), p.calls.Load(), p.disagreed.Load()}
}

// Disagrees counts that others agreed on something else.
func (p *Peer) Disagrees() { p.disagreed.Add(1) }

// Block resolves a tag.
func (p *Peer) Block(ctx context.Context, tag string) (Block, error) {
	var answer *struct {
		Number    hexutil.Uint64
		Hash      common.Hash
		Timestamp hexutil.Uint64
	}
	err := p.call(ctx, &answer, "eth_getBlockByNumber", tag, false)
	switch {
	case err != nil:
		return Block{}, err
	case answer == nil:
		return Block{}, node.OutOfStep
	case answer.Hash == common.Hash{}:
		return Block{}, upstream.Malformed
	}
	return Block{uint64(answer.Number), order.Hash(answer.Hash), time.Unix(int64(answer.Timestamp), 0).UTC()}, nil
}

// At returns the block with that number.
func (p *Peer) At(ctx context.Context, number uint64) (Block, error) {
	b, err := p.Block(ctx, quantity(number))
	if err == nil && b.Number != number {
		return Block{}, upstream.Malformed
	}
	return b, err
}

func quantity(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// call asks the endpoint, unless it rests. An answer that it refuses to give is
// no failure of the endpoint: it may lack an old block, or cap the range.
func (p *Peer) call(ctx context.Context, result any, method string, args ...any) error {
	if !p.breaker.Allow() {
		return Resting
	}
	p.calls.Add(1)
	err := p.node.Call(ctx, result, method, args...)
	fault := upstream.Fault("")
	if err != nil {
		fault = upstream.FaultOf(err)
	}
	p.fault.Store(fault)
	switch fault {
	case "":
		p.breaker.Succeed()
	case node.Refused, upstream.TooLarge, upstream.Canceled:
		p.breaker.Ignore()
	default:
		p.breaker.Fail()
	}
	return err
}
