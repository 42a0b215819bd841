package attest_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

const (
	arbitrum     swap.ChainID = 42161
	domain       swap.Domain  = 3
	confirmation              = 2
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A bench has two chains and an attester.
type bench struct {
	*devnet.Net
	t      *testing.T
	client attest.Client
}

func newBench(t *testing.T) *bench {
	t.Helper()
	n := devnettest.Net(t, "../../..", 8453, arbitrum)
	client := attest.Client{URL: devnettest.Attester(t, n, confirmation), HTTP: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(client.HTTP.CloseIdleConnections)
	return &bench{n, t, client}
}

// burn burns a thousand USDC for Alice on the gateway.
func (b *bench) burn(maxFee int64, finality uint32) common.Hash {
	b.t.Helper()
	alice, usdc := devnet.Account(devnet.Alice), common.Address{}
	for _, token := range b.Catalog.Tokens() {
		if token.Chain == arbitrum {
			usdc = common.Address(token.Address)
		}
	}
	amount, messenger := big.NewInt(1_000_000_000), common.Address(b.Plan.Issuer.Messenger)
	b.send(alice, evm.Tx{To: usdc, Data: contract.Token.Call("approve", messenger, amount)})
	return b.send(alice, evm.Tx{To: messenger, Data: contract.Messenger.Call("depositForBurn",
		amount, uint32(6), [32]byte(swap.IntegratorIDOf(alice.Address)), usdc, [32]byte{}, big.NewInt(maxFee), finality)})
}

func (b *bench) send(from evm.Account, tx evm.Tx) common.Hash {
	b.t.Helper()
	r, err := b.Chains[arbitrum].Send(b.t.Context(), from, tx)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.TxHash
}

func (b *bench) mine() {
	b.t.Helper()
	if err := b.Chains[arbitrum].Do(b.t.Context(), "anvil_mine", confirmation); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) attested(tx common.Hash) *attest.Attested {
	b.t.Helper()
	a, err := b.client.Attested(b.t.Context(), domain, tx, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func TestAttestation(t *testing.T) {
	b := newBench(t)
	t.Run("an unknown transaction is not signed", func(t *testing.T) {
		if a := b.attested(common.Hash{1}); a != nil {
			t.Errorf("message = %x, want it unsigned", a.Message)
		}
	})
	t.Run("a burn is signed when it is final, and not before", func(t *testing.T) {
		tx := b.burn(156_000, 1000)
		if a := b.attested(tx); a != nil {
			t.Errorf("message = %x, want it unsigned", a.Message)
		}
		b.mine()
		if b.attested(tx) == nil {
			t.Error("message is unsigned, want it signed")
		}
	})
	t.Run("a burn has one nonce, however often it is asked for", func(t *testing.T) {
		tx := b.burn(156_000, 1000)
		b.mine()
		first := attest.Nonce(b.attested(tx).Message)
		b.mine()
		if diff := cmp.Diff(first, attest.Nonce(b.attested(tx).Message)); diff != "" {
			t.Errorf("nonce (-first +second):\n%s", diff)
		}
	})
	t.Run("a burn that a reorganisation removed is not signed", func(t *testing.T) {
		tx := b.burn(156_000, 1000)
		if err := b.Chains[arbitrum].Do(t.Context(), "anvil_reorg", 1, []any{}); err != nil {
			t.Fatal(err)
		}
		b.mine()
		if a := b.attested(tx); a != nil {
			t.Errorf("message = %x, want it unsigned", a.Message)
		}
	})
}

// Arbitrum's rate is 1.3 bps, so that a thousand USDC cost 0.13.
func TestFees(t *testing.T) {
	b := newBench(t)
	tests := []struct {
		name     string
		maxFee   int64
		finality uint32
		want     int64
	}{
		{"a fast burn costs its rate", 156_000, 1000, 130_000},
		{"and no more than it offers", 130_000, 1000, 130_000},
		{"a burn that offers a unit less is slow, and free", 129_999, 1000, 0},
		{"a burn that requests finality is free", 156_000, 2000, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tx := b.burn(tt.maxFee, tt.finality)
			b.mine()
			a := b.attested(tx)
			relayer := devnet.Account(devnet.Relayer)
			r, err := b.Chains[8453].Send(t.Context(), relayer, evm.Tx{
				To: common.Address(third.Transmitter), Data: contract.Transmitter.Call("receiveMessage", a.Message, a.Signature),
			})
			if err != nil {
				t.Fatal(contract.Explain(err))
			}
			var minted struct{ Amount, FeeCollected *big.Int }
			for _, log := range r.Logs {
				if log.Topics[0] == contract.Messenger.ABI().Events["MintAndWithdraw"].ID {
					if err := contract.Messenger.Event(&minted, "MintAndWithdraw", log); err != nil {
						t.Fatal(err)
					}
				}
			}
			if minted.FeeCollected.Int64() != tt.want || minted.Amount.Int64() != 1_000_000_000-tt.want {
				t.Errorf("%s minted after a fee of %s, want a fee of %d", minted.Amount, minted.FeeCollected, tt.want)
			}
		})
	}
}

func TestFeeTable(t *testing.T) {
	b := newBench(t)
	tests := []struct {
		name   string
		path   string
		status int
		want   string
	}{
		{"a source with a fast tier", "/v2/burn/USDC/fees/3/6", 200, `[{"finalityThreshold":1000,"minimumFee":1.3},{"finalityThreshold":2000,"minimumFee":0}]`},
		{"the gateway, which has none", "/v2/burn/USDC/fees/6/3", 200, `[{"finalityThreshold":1000,"minimumFee":0},{"finalityThreshold":2000,"minimumFee":0}]`},
		{"a domain that is not there", "/v2/burn/USDC/fees/5/6", 404, `{"error":"no such lane"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, err := b.client.HTTP.Get(b.client.URL + tt.path)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var body json.RawMessage
			if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(resp.StatusCode, string(body)); got != fmt.Sprint(tt.status, tt.want) {
				t.Errorf("answer %s, want %d %s", got, tt.status, tt.want)
			}
		})
	}
}
