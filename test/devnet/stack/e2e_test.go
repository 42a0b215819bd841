package stack_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
)

// Every pair, without and with an integrator, at the smallest, the largest and
// some other amount: the transactions succeed as they were returned, and the quoted
// amount arrives, to the unit.
func (w *trial) everyQuoteLands(t *testing.T) {
	trades := everyTrade(t, w)
	atOnce(t, "sending", trades, func(j *trade) error { return j.begin(t.Context(), w) })
	awaitAll(t, w, trades)
	atOnce(t, "receiving", trades, func(j *trade) error { return j.check(t.Context(), w) })
	checkFees(t, w, trades)
	checkPartner(t, w, trades)
	devnettest.CheckPaidOnce(t, w.Net, len(trades))
}

func everyTrade(t *testing.T, w *trial) (list []*trade) {
	wallets := zkWallets(t)
	for i, r := range w.Catalog.Routes() {
		for _, partner := range []string{"", devnet.Account(devnet.Partner).Address.String()} {
			for _, amount := range []*big.Int{r.Limits.Min.ToBig(), r.Limits.Max.ToBig(), between(r.Limits)} {
				j := newTrade(t, r, amount, partner)
				if r.Shields() {
					j.wallet = wallets[i%len(wallets)]
				}
				list = append(list, j)
			}
		}
	}
	return list
}

func between(l swap.Limits) *big.Int {
	min, max := l.Min.ToBig(), l.Max.ToBig()
	span := new(big.Int).Sub(max, min)
	fraction := new(big.Int).SetUint64(rand.Uint64())
	span.Mul(span, fraction).Rsh(span, 64)
	return span.Add(span, min)
}

// atOnce calls do for every trade, a few at a time.
func atOnce(t *testing.T, what string, trades []*trade, do func(*trade) error) {
	t.Helper()
	var working sync.WaitGroup
	tickets := make(chan struct{}, 16)
	for _, j := range trades {
		tickets <- struct{}{}
		working.Go(func() {
			defer func() { <-tickets }()
			if err := do(j); err != nil {
				t.Errorf("%s: %s: %v", j, what, err)
			}
		})
	}
	working.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

func awaitAll(t *testing.T, w *trial, trades []*trade) {
	waiting := trades
	devnettest.Eventually(t, "every order is paid", func() bool {
		var still []*trade
		for _, j := range waiting {
			there, err := j.arrived(t.Context(), w)
			if err != nil {
				t.Fatalf("%s: %v", j, err)
			}
			if !there {
				still = append(still, j)
			}
		}
		waiting = still
		return len(waiting) == 0
	})
}

// check compares the received amount with the quote.
func (j *trade) check(ctx context.Context, w *trial) error {
	got, err := w.Balance(ctx, j.route.DstToken, j.recipient)
	if j.wallet != nil {
		got, _, err = j.note(ctx, w)
	}
	if err != nil {
		return err
	}
	if got.String() != j.quote.DestAmount {
		return fmt.Errorf("received = %s, want the quoted %s", got, j.quote.DestAmount)
	}
	return nil
}

func (j *trade) calldata() []byte { return hexutil.MustDecode(j.quote.MethodParameters.Calldata) }

// checkPartner compares the integrator's balances on every chain with the quoted
// fees.
func checkPartner(t *testing.T, w *trial, trades []*trade) {
	quoted := map[*swap.Token]*big.Int{}
	for _, j := range trades {
		fee, _ := new(big.Int).SetString(j.quote.Fee.Integrator.Amount, 10)
		token := w.Paid(j.route)
		if quoted[token] == nil {
			quoted[token] = new(big.Int)
		}
		quoted[token].Add(quoted[token], fee)
	}
	for token, want := range quoted {
		got, err := w.Balance(t.Context(), token, devnet.Account(devnet.Partner).Address)
		if err != nil {
			t.Fatal(err)
		}
		if token.IsNative() {
			got.Sub(got, initialCoins())
		}
		if got.Cmp(want) != 0 {
			t.Errorf("balance of the integrator = %s %s on %d, want the quoted %s", got, token.Symbol, token.Chain, want)
		}
	}
}

// initialCoins is the balance of every known account on a local chain: 10,000.
func initialCoins() *big.Int {
	return new(big.Int).Mul(big.NewInt(10_000), big.NewInt(1_000_000_000_000_000_000))
}
