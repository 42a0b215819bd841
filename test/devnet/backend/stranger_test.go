package backend_test

import (
	"context"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake"
)

// Any account can send any bytes and have them attested. What looks like a burn of
// ours and was not sent by the messenger is neither asked for nor delivered: it
// would run a stranger's contract at the relayer's cost.
func TestStrangersMessagesAreLeftAlone(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
		issuer := devnettest.Attester(t, n, 0)
		asked := &fake.Recorder{}
		during(func() {
			messages := []common.Hash{
				sendMessage(t, n, common.Address{}, n.Plan.Address(lane.GatewayPool(n.Plan.Issuer))),
				sendMessage(t, n, n.Plan.Address(lane.Receiver), common.Address{1}),
			}
			for _, o := range newOrders(t, n, len(routesOf(n))) {
				if o.quote.Route.Burn == nil {
					continue
				}
				deposit(t, n, o)
				awaitAll(t, n, []*order{o})
			}
			for _, tx := range messages {
				if n := asked.Requests(tx.Hex()); n > 0 {
					t.Errorf("%d requests for the message of another sender in %s, want 0", n, tx)
				}
			}
		}, func(ctx context.Context) { run(ctx, t, n, issuer, func(o *settler.Options) { o.Transport = asked }) })
	})
}

// sendMessage sends a message as long as a burn, which names a sender in its body.
func sendMessage(t *testing.T, n *devnet.Net, caller, sender common.Address) common.Hash {
	t.Helper()
	stranger := devnet.Account(devnet.Bob)
	body := make([]byte, 228+105)
	copy(body[100+12:], sender[:])
	word := func(a common.Address) [32]byte { return common.BytesToHash(a[:]) }
	r, err := n.Chains[42161].Send(t.Context(), stranger, evm.Tx{
		To: common.Address(third.Transmitter), Data: contract.Transmitter.Call("sendMessage",
			uint32(n.Plan.Issuer.Domains[8453]), word(common.Address(stranger.Address)), word(caller), uint32(1000), body),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.TxHash
}
