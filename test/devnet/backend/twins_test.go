package backend_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// twice is the code of a contract that calls the address in its first word twice
// with the bytes that follow.
const twice = "0x602036038060206000376000600082600060006000355af1506000600082600060006000355af15000"

// Two equal burns in one transaction have the same bytes. Each gets one of the two
// signatures, becomes an order of its own, and is paid once.
func TestTwoEqualBurns(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
		issuer := devnettest.Attester(t, n, 0)
		var o *order
		for _, one := range newOrders(t, n, len(routesOf(n))) {
			if one.quote.Route.Burn != nil && one.quote.Route.Src.Network == 42161 {
				o = one
			}
		}
		during(func() {
			o.burnTwice(t, n)
			want := new(big.Int).Lsh(o.quote.Received.ToBig(), 1)
			devnettest.Eventually(t, "both burns are paid", func() bool {
				got, err := n.Balance(t.Context(), o.quote.Route.DstToken, o.recipient)
				if err != nil {
					t.Fatal(err)
				}
				return got.Cmp(want) == 0
			})
			devnettest.CheckPaidOnce(t, n, 2)
		}, func(ctx context.Context) { run(ctx, t, n, issuer) })
	})
}

// burnTwice sends the burn of a quote two times in one transaction.
func (o *order) burnTwice(t *testing.T, n *devnet.Net) {
	t.Helper()
	c, at := n.Chains[o.quote.Route.Src.Network], common.Address{19: 77}
	token, both := common.Address(o.quote.Route.SrcToken.Address), new(big.Int).Lsh(o.quote.Amount.ToBig(), 1)
	messenger := common.Address(o.quote.Payload.To)
	if err := c.Do(t.Context(), "anvil_setCode", at, twice); err != nil {
		t.Fatal(err)
	}
	call := func(to common.Address, data []byte) evm.Tx {
		return evm.Tx{To: at, Data: append(common.LeftPadBytes(to[:], 32), data...)}
	}
	for _, step := range []struct {
		from evm.Account
		tx   evm.Tx
	}{
		{devnet.Account(devnet.Treasury), evm.Tx{To: token, Data: contract.Token.Call("mint", at, both)}},
		{o.sender, call(token, contract.Token.Call("approve", messenger, both))},
		{o.sender, call(messenger, o.quote.Payload.Calldata)},
	} {
		if _, err := c.Send(t.Context(), step.from, step.tx); err != nil {
			t.Fatal(err)
		}
	}
}
