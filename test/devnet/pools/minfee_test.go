package pools_test

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/service"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// A burn of a quote goes through where the messenger asks for more than the
// issuer's list says, if the service can ask the messenger; if it cannot, the burn
// reverts as the issuer's own contracts make it.
func (x *trial) burnPaysTheLeastFee() {
	messenger := common.Address(x.Plan.Issuer.Messenger)
	x.send(10, devnet.Alice, messenger, contract.Messenger.Call("setMinFee", big.NewInt(20_000))) // 20 bps
	defer x.send(10, devnet.Alice, messenger, contract.Messenger.Call("setMinFee", new(big.Int)))
	blind := x.newService(func(id swap.ChainID) []string {
		if id == 10 {
			return nil
		}
		return []string{x.Chains[id].URL}
	})
	if err := x.burn(blind); err == nil {
		x.t.Error("a burn went through that offers less than the messenger accepts, want a revert")
	}
	devnettest.Eventually(x.t, "the messenger's fee is known", func() bool { return x.burn(x.service) == nil })
}

// burn asks for a quote of a burn, and tries what a wallet would send.
func (x *trial) burn(s *service.Service) error {
	x.t.Helper()
	r, alice := x.route("USDC@10", "USDC@369"), devnet.Account(devnet.Alice)
	a := x.ask(s, r, &r.Limits.Min, alice.Address)
	if a.Code != "" {
		x.t.Fatalf("the burn is refused with %s, want a quote: %s", a.Code, a.Detail)
	}
	x.send(10, devnet.Alice, common.Address(r.SrcToken.Address), hexutil.MustDecode(a.Approval.Calldata))
	_, err := x.Chains[10].Send(x.t.Context(), alice, evm.Tx{To: common.HexToAddress(a.To), Data: hexutil.MustDecode(a.MethodParameters.Calldata)})
	return err
}
