package integrator

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// A Visit is one endpoint's part in one lookup, as told to [Options].Observe.
type Visit struct {
	Chain    swap.ChainID
	Endpoint int            // counted from one, in the order of the configuration
	Took     time.Duration  // waiting for its answers
	Fault    upstream.Fault // empty when it did its part
	Breaker  BreakerState   // after the visit
}

// A visit asks one endpoint what one lookup needs to know.
type visit struct {
	*endpoint
	took time.Duration
	head block
	vote vote
	err  error // why there is no head or vote, naming the endpoint by number
}

// A vote is what an endpoint says the registry's answer is, and at which block.
type vote struct {
	hash  [32]byte
	entry entry
}

// visit starts a visit, which must be ended, unless the endpoint is to be left
// alone.
func (e *endpoint) visit() (*visit, error) {
	if !e.breaker.enter() {
		return nil, e.named(BreakerOpen)
	}
	return &visit{endpoint: e}, nil
}

// end says how the endpoint did.
func (v *visit) end(f upstream.Fault) {
	v.breaker.leave(f)
	v.chain.opts.Observe(Visit{
		Chain:    v.chain.ID,
		Endpoint: v.number,
		Took:     v.took,
		Fault:    f,
		Breaker:  v.breaker.health().Breaker,
	})
}

// dismiss ends the visit to an endpoint that failed, and returns why.
func (v *visit) dismiss() error {
	v.end(upstream.FaultOf(v.err))
	return v.err
}

// findHead learns the endpoint's latest block.
func (v *visit) findHead(ctx context.Context) {
	var err error
	v.head, err = v.block(ctx, "latest")
	v.err = v.named(err)
}

// castVote learns the registry's answer about id at block number n.
func (v *visit) castVote(ctx context.Context, n uint64, id swap.IntegratorID) {
	b, err := v.head, error(nil)
	if b.number != n {
		b, err = v.block(ctx, formatQuantity(n))
	}
	if err == nil {
		v.vote.hash = b.hash
		v.vote.entry, err = v.entry(ctx, b, id)
	}
	v.err = v.named(err)
}

func (v *visit) block(ctx context.Context, which string) (block, error) {
	var answer *wireBlock
	if err := v.ask(ctx, &answer, "eth_getBlockByNumber", which, false); err != nil {
		return block{}, err
	}
	if answer == nil {
		return block{}, OutOfStep
	}
	b, err := answer.parse()
	if err == nil && !b.near(time.Now(), v.chain.MaxBlockAge) {
		err = StaleBlock
	}
	return b, err
}

func (v *visit) entry(ctx context.Context, b block, id swap.IntegratorID) (entry, error) {
	call := map[string]string{"to": v.chain.Registry.String(), "data": question(id)}
	// By hash, because a server may be many machines, and one that has not got
	// that block must say so instead of answering from another.
	at := map[string]string{"blockHash": "0x" + hex.EncodeToString(b.hash[:])}
	var answer string
	if err := v.ask(ctx, &answer, "eth_call", call, at); err != nil {
		return entry{}, err
	}
	return parseEntry(answer, v.chain.opts.MaxRate)
}

// ask is [endpoint.ask] with a stopwatch.
func (v *visit) ask(ctx context.Context, result any, method string, args ...any) error {
	start := time.Now()
	defer func() { v.took += time.Since(start) }()
	return v.endpoint.ask(ctx, result, method, args...)
}

// named says which endpoint err is about, without its URL.
func (e *endpoint) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("endpoint %d: %w", e.number, err)
}
