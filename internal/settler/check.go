package settler

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settler/network"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// A Finding is one thing that was checked.
type Finding struct {
	Name   string
	Well   bool
	Detail string
}

// Check asks every endpoint, and every contract whether our keys may call it. It
// sends nothing. No finding holds a URL or key material.
func (s *Settler) Check(ctx context.Context) (list []Finding) {
	ids := slices.Sorted(maps.Keys(s.networks))
	answers := make([][]Finding, len(ids))
	done := make(chan struct{})
	for i, id := range ids {
		go func() {
			answers[i] = s.checkChain(ctx, s.networks[id])
			done <- struct{}{}
		}()
	}
	for range ids {
		<-done
	}
	return slices.Concat(answers...)
}

func (s *Settler) checkChain(ctx context.Context, n *network.Network) (list []Finding) {
	for i, one := range n.Nodes {
		list = append(list, endpoint(ctx, n, one, i+1))
	}
	for _, signer := range s.signers {
		list = append(list, s.purse(ctx, n, signer.Address()))
		for _, c := range roster.Of(s.plans...).On(n.ID) {
			list = append(list, s.role(ctx, n, c, signer.Address()))
		}
	}
	return list
}

func endpoint(ctx context.Context, n *network.Network, one *node.Node, number int) Finding {
	f := Finding{Name: fmt.Sprintf("chain %d endpoint %d", n.ID, number)}
	head, err := one.Latest(ctx)
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	var final *struct{ Number string }
	if err := one.Call(ctx, &final, "eth_getBlockByNumber", "finalized", false); err != nil || final == nil {
		f.Detail = fmt.Sprintf("block %d, and no finality tag: use another endpoint", head.Number)
		return f
	}
	f.Well = true
	f.Detail = fmt.Sprintf("block %d, %s old", head.Number, time.Since(head.Time).Round(time.Second))
	if n.K == 1 {
		f.Detail += ", TRUSTED ALONE"
	}
	return f
}

// The fewest usual calls that a purse should pay for.
const leastCalls = 20

func (s *Settler) purse(ctx context.Context, n *network.Network, key swap.Address) Finding {
	f := Finding{Name: fmt.Sprintf("chain %d purse of %v", n.ID, key)}
	var balance, price string
	err := first(n, func(one *node.Node) error {
		if err := one.Call(ctx, &balance, "eth_getBalance", key.String(), "latest"); err != nil {
			return err
		}
		return one.Call(ctx, &price, "eth_gasPrice")
	})
	var have, cost swap.Amount
	if err == nil && (have.SetFromHex(balance) != nil || cost.SetFromHex(price) != nil) {
		err = upstream.Malformed
	}
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	cost.Mul(&cost, new(swap.Amount).SetUint64(300_000))
	calls := have
	if !cost.IsZero() {
		calls.Div(&have, &cost)
	}
	f.Well = calls.GtUint64(leastCalls)
	f.Detail = fmt.Sprintf("%s usual calls left", calls.Dec())
	if !f.Well {
		f.Detail += fmt.Sprintf(": send coins to %v", key)
	}
	return f
}

func (s *Settler) role(ctx context.Context, n *network.Network, c roster.Contract, key swap.Address) Finding {
	f := Finding{Name: fmt.Sprintf("chain %d role at %v", n.ID, c.Address)}
	has, err := hasRole(ctx, n, c.Pool, key)
	switch {
	case err != nil:
		f.Detail = err.Error()
	case !has:
		f.Detail = fmt.Sprintf("%v is not a relayer: have the admin grant the role, or use its key", key)
	default:
		f.Well, f.Detail = true, "relayer"
	}
	return f
}

func hasRole(ctx context.Context, n *network.Network, at order.Pool, key swap.Address) (has bool, err error) {
	data := contract.Pool.Call("hasRole", contract.RelayerRole(), [20]byte(key))
	err = first(n, func(one *node.Node) error {
		var answer string
		call := map[string]string{"to": at.Address.String(), "data": fmt.Sprintf("0x%x", data)}
		if err := one.Call(ctx, &answer, "eth_call", call, "latest"); err != nil {
			return err
		}
		word, err := node.ParseBytes(answer, 32)
		has = err == nil && word[31] == 1
		return err
	})
	return has, err
}

// first asks the endpoints in turn until one answers.
func first(n *network.Network, ask func(*node.Node) error) (err error) {
	for _, one := range n.Nodes {
		if err = ask(one); err == nil {
			return nil
		}
	}
	return err
}
