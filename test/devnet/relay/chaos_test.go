package relay_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/deployment"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
	"hubquote/test/devnet/relay"
	"hubquote/test/fake"
)

// depth is how deep reorganisations go, and therefore how many blocks the
// relayer and the attester wait for.
const depth = 3

var errKilled = errors.New("killed")

// A killer is a connection on which the relayer dies: after so many requests
// its life ends, before the request goes out or before the answer is read.
type killer struct {
	left  atomic.Int64
	early bool // before the request goes out
	kill  context.CancelFunc
	http.Transport
}

func (k *killer) RoundTrip(r *http.Request) (*http.Response, error) {
	left := k.left.Add(-1)
	if left < 0 || left == 0 && k.early {
		k.kill()
		return nil, errKilled
	}
	resp, err := k.Transport.RoundTrip(r)
	if left == 0 {
		k.kill()
		if err == nil {
			resp.Body.Close()
		}
		return nil, errKilled
	}
	return resp, err
}

// lives runs relayers one after the other until ctx ends, and returns how many
// were killed. Each begins with nothing but what the chains say.
func lives(ctx context.Context, t *testing.T, n *devnet.Net, issuer string, span func() int64) (killed int) {
	for ctx.Err() == nil {
		life, end := context.WithCancel(ctx)
		k := &killer{kill: end, early: rand.N(2) == 0}
		k.left.Store(span())
		live(life, t, n, issuer, k)
		k.CloseIdleConnections()
		end()
		killed++
	}
	return killed - 1
}

// live is one life of a relayer, on connections of its own.
func live(ctx context.Context, t *testing.T, n *devnet.Net, issuer string, transport http.RoundTripper) {
	chains := map[swap.ChainID]*evm.Chain{}
	for id, c := range n.Chains {
		own, err := evm.Dial(ctx, id, c.URL, transport)
		if err != nil {
			t.Error(err)
			return
		}
		defer own.Close()
		chains[id] = own
	}
	r, err := relay.New(relay.Options{
		Plans: []*deployment.Plan{n.Plan}, Chains: chains, Account: devnet.Account(devnet.Relayer), Issuer: issuer,
		Confirmations: depth, Every: 10 * time.Millisecond, Transport: transport,
	})
	if err != nil {
		t.Error(err)
		return
	}
	r.Run(ctx)
}

// weather makes blocks on every chain, and now and then takes some away, until
// ctx ends. It returns how often it did.
func weather(ctx context.Context, t *testing.T, n *devnet.Net) int {
	var reorganised atomic.Int64
	makeBlocks(ctx, t, n, func(c *evm.Chain) error {
		if rand.N(12) != 0 {
			return nil
		}
		reorganised.Add(1)
		return c.Do(ctx, "anvil_reorg", 1+rand.N(depth), []any{})
	})
	return int(reorganised.Load())
}

// calm makes blocks and takes none away.
func calm(ctx context.Context, t *testing.T, n *devnet.Net) {
	makeBlocks(ctx, t, n, func(*evm.Chain) error { return nil })
}

// makeBlocksByHand stops the chains from making blocks by themselves: anvil
// loses state when it mines a transaction while it reorganises.
func makeBlocksByHand(t *testing.T, n *devnet.Net) {
	for _, c := range n.Chains {
		if err := c.Do(t.Context(), "evm_setAutomine", false); err != nil {
			t.Fatal(err)
		}
	}
}

// makeBlocks makes every block of every chain, and does something after each.
func makeBlocks(ctx context.Context, t *testing.T, n *devnet.Net, after func(*evm.Chain) error) {
	var working sync.WaitGroup
	for _, c := range n.Chains {
		working.Go(func() {
			for ctx.Err() == nil {
				if err := errors.Join(c.Do(ctx, "evm_mine"), after(c)); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
				fake.Sleep(ctx, rand.N(30*time.Millisecond))
			}
		})
	}
	working.Wait()
}

// during runs things beside each other until do returns.
func during(do func(), beside ...func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, run := range beside {
		running.Go(func() { run(ctx) })
	}
	defer running.Wait()
	defer stop()
	do()
}
