package pools_test

import (
	"bytes"
	"context"

	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake/endpoint"
)

// One of three nodes says that no pool has anything; the other two decide.
func (x *trial) oneNodeLies() {
	s := x.newService(func(id swap.ChainID) []string {
		nodes := endpoint.New(x.t, x.Chains[id].URL, 3).Endpoints
		nodes[1].Set(lie)
		return []string{nodes[0].URL, nodes[1].URL, nodes[2].URL}
	})
	x.known(s)
	for route, code := range x.codes(s) {
		if code != "" {
			x.t.Errorf("%s is refused with %s, want a quote", route, code)
		}
	}
	undo := x.setPauses(4663, "ETH@4663", false, true)
	defer undo()
	r := x.route("WETH@369", "ETH@4663")
	devnettest.Eventually(x.t, "the pause is believed", func() bool {
		return x.ask(s, r, &r.Limits.Min, devnet.Account(devnet.Bob).Address).Code == swap.PoolPaused
	})
}

// lie changes what the lens saw.
func lie(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
	a := next(ctx, r)
	if r.Method == "eth_call" {
		a.Result = bytes.ReplaceAll(a.Result, []byte("1"), []byte("0"))
	}
	return a
}
