package stack_test

import (
	"context"
	"math/big"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settler"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/devnet/stack"
	"hubquote/test/fake/endpoint"
	"hubquote/test/reference"
)

// A stage is a devnet of three chains on which swaps stand still where a test
// wants them: finality stops, the issuer does not sign, an endpoint takes no transactions.
type stage struct {
	*trial
	known   map[string]step
	tags    map[swap.ChainID]*endpoint.Chain
	silent  atomic.Bool // the issuer
	journal string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	w := &stage{tags: map[swap.ChainID]*endpoint.Chain{}}
	s, err := stack.Start(t.Context(), stack.Options{
		Catalog: reference.Catalog(t), Anvil: devnettest.Anvil(t, "../../.."), Only: []swap.ChainID{swap.Hub, 8453, 42161},
		Settler: func(n *devnet.Net, o *settler.Options) { w.between(t, n, o) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	w.trial = &trial{s}
	w.known = w.steps(t)
	return w
}

// between puts endpoints whose tags can be stopped, and an issuer that can be
// silent, before the settler.
func (w *stage) between(t *testing.T, n *devnet.Net, o *settler.Options) {
	quick := rules.Standard()
	quick.RetryAfter = time.Second // until a recipient that took nothing is paid alone
	w.journal, o.Rules = o.Journal, &quick
	for id, c := range n.Chains {
		w.tags[id] = endpoint.New(t, c.URL, 1)
		o.RPC[id] = []upstream.URL{parsed(t, w.tags[id].Endpoints[0].URL)}
	}
	real, err := url.Parse(o.Issuer.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(real)
	o.Issuer = parsed(t, devnettest.Serve(t, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if w.silent.Load() {
			http.NotFound(out, r)
			return
		}
		proxy.ServeHTTP(out, r)
	})))
}

func parsed(t *testing.T, text string) upstream.URL {
	t.Helper()
	u, err := upstream.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

type act = func(context.Context) error

// begins asks for a quote and sends the deposit.
func (w *stage) begins(j *trade) act {
	return func(ctx context.Context) error { return j.begin(ctx, w.trial) }
}

// hold keeps the newest blocks of a chain from being safe or final.
func (w *stage) hold(id swap.ChainID) act {
	return func(ctx context.Context) error {
		head, err := w.Chains[id].Head(ctx)
		w.tags[id].Stop(head, head)
		return err
	}
}

// free makes every block of a chain final.
func (w *stage) free(id swap.ChainID) act {
	return func(context.Context) error { w.tags[id].Tag(0, 0); return nil }
}

// signs has the issuer sign, or know nothing of any burn.
func (w *stage) signs(does bool) act {
	return func(context.Context) error { w.silent.Store(!does); return nil }
}

// refuses has the settler's endpoint of a chain take no transactions.
func (w *stage) refuses(id swap.ChainID) act {
	return func(context.Context) error {
		w.tags[id].Endpoints[0].Set(endpoint.Refuse("eth_sendRawTransaction"))
		return nil
	}
}

// takes has it take them again.
func (w *stage) takes(id swap.ChainID) act {
	return func(context.Context) error { w.tags[id].Endpoints[0].Set(); return nil }
}

// pause stops or resumes the payments of the pool that pays a swap.
func (w *stage) pause(j *trade, paused bool) act {
	return func(ctx context.Context) error {
		account := map[bool]int{true: devnet.Guardian, false: devnet.Admin}[paused]
		pool, _ := w.Plan.PayerOf(new(big.Int).SetUint64(uint64(j.route.Dst.ID)), common.Address(j.route.DstToken.Address))
		return w.sends(ctx, j.route.FeeChain, account, common.Address(pool.Address), contract.Pool.Call("setPauses", false, paused))
	}
}

// blocks has the token refuse the recipient of a swap, or not.
func (w *stage) blocks(j *trade, blocked bool) act {
	return func(ctx context.Context) error {
		call := contract.USDC.Call("setBlacklisted", common.Address(j.recipient), blocked)
		return w.sends(ctx, j.route.Dst.Network, devnet.Treasury, common.Address(j.route.DstToken.Address), call)
	}
}

func (w *stage) sends(ctx context.Context, id swap.ChainID, account int, to common.Address, call []byte) error {
	_, err := w.Chains[id].Send(ctx, devnet.Account(account), evm.Tx{To: to, Data: call})
	return err
}

// wish has an operator ask something for a swap.
func (w *stage) wish(j *trade, verb order.Verb) act {
	return func(ctx context.Context) error {
		book, err := sqlite.Open(ctx, w.journal)
		if err != nil {
			return err
		}
		defer func() { _ = book.Close() }()
		orders, err := book.OrdersBySource(ctx, order.Hash(j.deposit.TxHash))
		if err != nil {
			return err
		}
		for _, o := range orders {
			id := o.ID
			copy(id[:], verb)
			if err := book.AddWish(ctx, journal.Wish{ID: id, Subject: o.ID, Verb: verb, By: "test", At: time.Now()}); err != nil {
				return err
			}
		}
		return nil
	}
}
