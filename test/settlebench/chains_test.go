package settlebench

import (
	"context"
	"encoding/json"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake"
	"hubquote/test/fake/endpoint"
)

// Orders are deposited on src and paid on dst. Both make a block every two
// seconds, which is final with the block after it.
const (
	src swap.ChainID = 8453
	dst swap.ChainID = swap.Hub

	blockSeconds = 2
	finalDepth   = 1
)

// A rig is local chains behind three endpoints each, which note when they saw what.
type rig struct {
	*testing.B
	net    *devnet.Net
	fronts map[swap.ChainID]*endpoint.Chain
	issuer string
	route  *swap.Route
	quoter *quoter.Quoter

	mu    sync.Mutex
	heads []head                    // of src
	sent  map[common.Hash]time.Time // transactions, when they were first broadcast
}

type head struct {
	number uint64
	at     time.Time
}

func newRig(b *testing.B, others ...swap.ChainID) *rig {
	b.Helper()
	r := &rig{B: b, net: devnettest.Net(b, "../..", append(others, src, dst)...), fronts: map[swap.ChainID]*endpoint.Chain{}, sent: map[common.Hash]time.Time{}}
	r.issuer = devnettest.Attester(b, r.net, 0)
	var err error
	if r.quoter, err = quoter.New(quoter.Options{Catalog: r.net.Catalog, IssuerFees: issuer.Published{}}); err != nil {
		b.Fatal(err)
	}
	for _, route := range r.net.Catalog.Routes() {
		if route.Src.Network == src && route.Dst.Network == dst && route.Kind == swap.Direct && !route.Private() && !route.SrcToken.IsNative() {
			r.route = route
		}
	}
	for id, c := range r.net.Chains {
		r.fronts[id] = endpoint.New(b, c.URL, 3)
		r.fronts[id].Tag(finalDepth, finalDepth)
		for _, e := range r.fronts[id].Endpoints {
			e.Set(r.note)
		}
		r.do(c, "evm_setBlockGasLimit", "0x5f5e1000")
	}
	r.approve()
	for _, c := range r.net.Chains {
		r.do(c, "evm_setAutomine", false)
		r.do(c, "evm_setIntervalMining", blockSeconds)
	}
	r.beside(r.watchHead)
	return r
}

func (r *rig) do(c *evm.Chain, method string, args ...any) {
	r.Helper()
	if err := c.Do(r.Context(), method, args...); err != nil {
		r.Fatal(err)
	}
}

// beside runs something until the benchmark ends.
func (r *rig) beside(run func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
	r.Cleanup(func() {
		stop()
		running.Wait()
	})
}

// watchHead notes when blocks of src appear.
func (r *rig) watchHead(ctx context.Context) {
	for fake.Sleep(ctx, 10*time.Millisecond) {
		number, err := r.net.Chains[src].Head(ctx)
		if err != nil {
			continue
		}
		r.mu.Lock()
		if n := len(r.heads); n == 0 || r.heads[n-1].number < number {
			r.heads = append(r.heads, head{number, time.Now()})
		}
		r.mu.Unlock()
	}
}

// note is a fault that does nothing but note when transactions are broadcast.
func (r *rig) note(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
	var raw hexutil.Bytes
	if q.Method == "eth_sendRawTransaction" && json.Unmarshal(q.Params[0], &raw) == nil {
		var tx types.Transaction
		if tx.UnmarshalBinary(raw) == nil {
			r.mu.Lock()
			if r.sent[tx.Hash()].IsZero() {
				r.sent[tx.Hash()] = time.Now()
			}
			r.mu.Unlock()
		}
	}
	return next(ctx, q)
}

// calls is how many calls all endpoints of some chains had.
func (r *rig) calls(chains ...swap.ChainID) (sum int) {
	for id, front := range r.fronts {
		if len(chains) > 0 && !slices.Contains(chains, id) {
			continue
		}
		for _, e := range front.Endpoints {
			sum += e.Calls()
		}
	}
	return sum
}

// depositor is an account whose key the node has.
func depositor() common.Address { return common.Address(devnet.Account(devnet.Alice).Address) }

func (r *rig) approve() {
	r.Helper()
	c, token := r.net.Chains[src], common.Address(r.route.SrcToken.Address)
	pool := common.Address(r.quote().Payload.To)
	if _, err := c.Send(r.Context(), devnet.Account(devnet.Alice), evm.Tx{To: token, Data: contract.Token.Call("approve", pool, big.NewInt(1<<60))}); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) quote() *swap.Quote {
	r.Helper()
	q, err := r.quoter.Quote(r.Context(), swap.Request{
		SrcChain: r.route.Src.ID, SrcToken: swap.TokenName{Address: r.route.SrcToken.Address},
		DstChain: r.route.Dst.ID, DstToken: swap.TokenName{Address: r.route.DstToken.Address},
		Amount: r.route.Limits.Min, Recipient: swap.MustRecipient(devnettest.NewAccount(r).Address.String()),
	})
	if err != nil {
		r.Fatal(err)
	}
	return q
}

// deposit sends a deposit, and does not wait for its block.
func (r *rig) deposit() {
	r.Helper()
	p := r.quote().Payload
	err := r.net.Chains[src].Do(r.Context(), "eth_sendTransaction", map[string]any{
		"from": depositor(), "to": common.Address(p.To), "data": hexutil.Bytes(p.Calldata), "gas": "0x7a120",
	})
	if err != nil {
		r.Fatal(err)
	}
}

// logs are all logs of an event on a chain.
func (r *rig) logs(id swap.ChainID, event string) []types.Log {
	r.Helper()
	logs, err := r.net.Chains[id].Logs(r.Context(), ethereum.FilterQuery{
		FromBlock: new(big.Int), Topics: [][]common.Hash{{contract.Pool.ABI().Events[event].ID}},
	})
	if err != nil {
		r.Fatal(err)
	}
	return logs
}

// await waits until so many logs of an event are on a chain.
func (r *rig) await(id swap.ChainID, event string, count int) []types.Log {
	r.Helper()
	var logs []types.Log
	ctx, stop := context.WithTimeout(r.Context(), 4*time.Minute)
	defer stop()
	for len(logs) < count {
		if logs = r.logs(id, event); !fake.Sleep(ctx, 100*time.Millisecond) {
			r.Fatalf("%d of %s, want %d", len(logs), event, count)
		}
	}
	return logs
}

// latencies are how long after a deposit became final its payment was broadcast.
func (r *rig) latencies() (all []time.Duration) {
	r.Helper()
	opened := map[common.Hash]uint64{}
	for _, l := range r.logs(src, "OrderOpened") {
		opened[l.Topics[1]] = l.BlockNumber
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.logs(dst, "OrderFulfilled") {
		i := slices.IndexFunc(r.heads, func(h head) bool { return h.number >= opened[l.Topics[1]]+finalDepth })
		all = append(all, r.sent[l.TxHash].Sub(r.heads[i].at))
	}
	return all
}

// gas is what the transactions with an event used, by event.
func (r *rig) gas(id swap.ChainID, event string) float64 {
	r.Helper()
	logs, used, seen := r.logs(id, event), uint64(0), map[common.Hash]bool{}
	for _, l := range logs {
		if seen[l.TxHash] {
			continue
		}
		seen[l.TxHash] = true
		receipt, err := r.net.Chains[id].Receipt(r.Context(), l.TxHash)
		if err != nil {
			r.Fatal(err)
		}
		used += receipt.GasUsed
	}
	return float64(used) / float64(len(logs))
}
