package peers

import (
	"context"
	"errors"
	"sync"

	"hubquote/internal/quorum/node"
	"hubquote/swap"
)

// ErrGas means that a call needs more gas than its limit, by k nodes.
var ErrGas = errors.New("the call needs more gas than its limit: make the batch smaller or raise the limit")

// Estimate returns the gas that a call needs, at most limit, by k nodes. The most
// that one of them names counts: a limit that is too high costs nothing, one that is
// too low burns the gas. That the call reverts, or needs more than the limit,
// counts when k nodes say so: the error is then a [*node.Revert], or [ErrGas].
// Nodes spell a revert differently; its data are those that k give alike.
func (p *Peers) Estimate(ctx context.Context, to swap.Address, data []byte, limit uint64) (uint64, error) {
	e := estimate{limit: limit, reverts: map[string]*node.Revert{}, call: map[string]string{
		"from": p.key.String(), "to": to.String(), "data": text(data), "gas": hexadecimal(limit),
	}}
	said, err := agree(p, func(n *peer) (opinion, error) { return e.ask(ctx, n) })
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case err != nil && e.refused >= p.k:
		return 0, &node.Revert{}
	case err != nil:
		return 0, err
	case said.over:
		return 0, ErrGas
	case said.reverts:
		return 0, e.reverts[said.name]
	}
	return e.most, nil
}

// An opinion is what a node says about a call: by default, that it can be done.
type opinion struct {
	over    bool // it needs more gas than its limit
	reverts bool
	name    string // the four bytes that name the contract's error, or less
}

// An estimate is one call, and what nodes have said about it.
type estimate struct {
	call  map[string]string
	limit uint64

	mu      sync.Mutex
	most    uint64 // gas, of the nodes that can do it
	refused int    // nodes that say that it reverts
	reverts map[string]*node.Revert
}

func (e *estimate) ask(ctx context.Context, n *peer) (opinion, error) {
	var gas number
	err := n.Call(ctx, &gas, "eth_estimateGas", e.call)
	e.mu.Lock()
	defer e.mu.Unlock()
	if revert, reverted := errors.AsType[*node.Revert](err); reverted {
		name := string(revert.Data[:min(4, len(revert.Data))])
		e.reverts[name] = revert
		e.refused++
		return opinion{reverts: true, name: name}, nil
	}
	switch {
	case errors.Is(err, node.ErrGas) || err == nil && uint64(gas) > e.limit:
		return opinion{over: true}, nil
	case err == nil && gas < transfer:
		return opinion{}, errNoGas
	case err != nil:
		return opinion{}, err
	}
	e.most = max(e.most, uint64(gas))
	return opinion{}, nil
}

// transfer is what the least of transactions needs.
const transfer = 21_000

var errNoGas = errors.New("the node says that a call needs less gas than any transaction")
