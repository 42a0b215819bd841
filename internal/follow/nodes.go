package follow

import (
	"context"
	"fmt"
	"time"

	"hubquote/client"
	"hubquote/internal/endpoints"
	jsonrpc "hubquote/internal/quorum/node"
	"hubquote/swap"
)

// Open makes a node of the first endpoint of each chain.
func Open(s *endpoints.Setting, env func(string) (string, bool)) (_ map[swap.ChainID]client.Node, end func(), err error) {
	list, err := s.List(nil, env, nil)
	if err != nil {
		return nil, nil, err
	}
	nodes := map[swap.ChainID]client.Node{}
	var opened []*jsonrpc.Node
	end = func() {
		for _, n := range opened {
			n.Close()
		}
	}
	for chain, urls := range list {
		n, err := jsonrpc.New(jsonrpc.Options{Chain: chain, URL: urls[0], MaxBlockAge: -1, Timeout: nodeTimeout})
		if err != nil {
			end()
			return nil, nil, fmt.Errorf("--rpc %d: %w", chain, err)
		}
		opened = append(opened, n)
		nodes[chain] = caller{n}
	}
	return nodes, end, nil
}

const nodeTimeout = 10 * time.Second

// A caller is a node as the client calls it.
type caller struct{ *jsonrpc.Node }

func (c caller) CallContext(ctx context.Context, result any, method string, args ...any) error {
	return c.Call(ctx, result, method, args...)
}
