package backend_test

import (
	"context"
	"log/slog"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

func TestFirst(t *testing.T) {
	n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
	at := devnettest.Attester(t, n, 0)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o, err := backend.Options(n, at, t.TempDir(), devnet.Account(devnet.Relayer), log)
	if err != nil {
		t.Fatal(err)
	}
	s, err := settler.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()
	defer func() { stop(); <-done; s.Close() }()
	q, err := quoter.New(quoter.Options{Catalog: n.Catalog, IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range n.Catalog.Routes() {
		if n.Chains[r.Src.Network] == nil || n.Chains[r.Dst.Network] == nil || r.SrcToken.IsNative() || r.Dst.Private() || r.Src.Private() {
			continue
		}
		began := time.Now()
		to := devnettest.NewAccount(t).Address
		quote, err := q.Quote(t.Context(), swap.Request{
			SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
			DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
			Amount: r.Limits.Min, Recipient: swap.MustRecipient(to.String()),
		})
		if err != nil {
			t.Fatal(err)
		}
		c := n.Chains[r.Src.Network]
		if a := quote.Payload.Approval; a != nil {
			if _, err := c.Send(t.Context(), devnet.Account(devnet.Alice), evm.Tx{To: common.Address(r.SrcToken.Address), Data: a.Calldata}); err != nil {
				t.Fatal(err)
			}
		}
		p := quote.Payload
		if _, err := c.Send(t.Context(), devnet.Account(devnet.Alice), evm.Tx{To: common.Address(p.To), Data: p.Calldata, Value: p.Value.ToBig()}); err != nil {
			t.Fatal(contract.Explain(err))
		}
		deadline := time.Now().Add(30 * time.Second)
		for {
			got, err := n.Balance(t.Context(), r.DstToken, to)
			if err != nil {
				t.Fatal(err)
			}
			if got.Cmp(quote.Received.ToBig()) == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%v -> %v: got %s, want %s", r.Src, r.Dst, got, quote.Received.ToBig())
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Logf("%s@%d -> %s@%d in %v", r.SrcToken.Symbol, r.Src.ID, r.DstToken.Symbol, r.Dst.ID, time.Since(began))
	}
	_ = big.NewInt
}
