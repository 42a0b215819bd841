package stack_test

import (
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/devnet/front"
)

// route finds one by its ends, written symbol@place.
func (w *trial) route(t *testing.T, from, to string) *swap.Route {
	t.Helper()
	for _, r := range w.Catalog.Routes() {
		if r.From().String() == from && r.To().String() == to {
			return r
		}
	}
	t.Fatalf("no route from %s to %s", from, to)
	return nil
}

// The first version of the API may leave the recipient out. The zero address is
// then in the payload, and the contracts read it as the sender.
func (w *trial) senderIsPaid(t *testing.T) {
	for _, from := range []string{"USDC@1", "USDC@42161"} {
		r := w.route(t, from, "USDC@369")
		j := newTrade(t, r, r.Limits.Min.ToBig(), "")
		j.path = firstVersion
		j.recipient = swap.Address{}
		if err := j.begin(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		j.recipient = j.sender.Address
		awaitAll(t, w, []*trade{j})
		if err := j.check(t.Context(), w); err != nil {
			t.Errorf("%s: %v", j, err)
		}
	}
}

// registered names a route for each chain that has a registry.
var registered = map[swap.ChainID][2]string{
	1: {"USDC@369", "USDC@1"}, 56: {"USDC@369", "USDC@56"}, 369: {"USDC@1", "USDC@369"},
	4663: {"WETH@369", "ETH@4663"}, 8453: {"USDC@369", "USDC@10"},
}

// stranger is an address that no registry has.
const stranger = "0x00000000000000000000000000000000deadbeef"

// wantRefusal requests a quote with an integrator and checks the refusal.
func (w *trial) wantRefusal(t *testing.T, chain swap.ChainID, integrator string, want swap.Code) {
	t.Helper()
	r := w.route(t, registered[chain][0], registered[chain][1])
	if r.FeeChain != chain {
		t.Fatalf("the registry of that route is on %d, not on %d", r.FeeChain, chain)
	}
	err := newTrade(t, r, r.Limits.Min.ToBig(), integrator).ask(w)
	if err == nil || !strings.Contains(err.Error(), string(want)) {
		t.Errorf("chain %d: error %v, want %s", chain, err, want)
	}
}

func (w *trial) partnersAreRefused(t *testing.T) {
	former := devnet.Account(devnet.FormerPartner).Address.String()
	for chain := range registered {
		w.wantRefusal(t, chain, former, swap.IntegratorInactive)
		w.wantRefusal(t, chain, stranger, swap.IntegratorUnknown)
	}
}

// When a registry's node is down, quotes with its integrators are refused; those of
// other chains, and quotes without an integrator, succeed.
func (w *trial) nodeDies(t *testing.T) {
	const dead = 56
	w.Kill(dead)
	w.wantRefusal(t, dead, "0x00000000000000000000000000000000deadbee1", swap.RegistryUnavailable)
	w.wantRefusal(t, 1, "0x00000000000000000000000000000000deadbee1", swap.IntegratorUnknown)
	for _, ends := range registered {
		r := w.route(t, ends[0], ends[1])
		if err := newTrade(t, r, r.Limits.Min.ToBig(), "").ask(w); err != nil {
			t.Errorf("%s to %s without an integrator: %v", ends[0], ends[1], err)
		}
	}
}

func (w *trial) orderIsFollowed(t *testing.T) {
	tests := []struct {
		from, to string
		want     []string
	}{
		{"USDC@1", "USDC@369", []string{"Deposited on Ethereum", "Paid out on PulseChain"}},
		{"USDC@42161", "USDC@369", []string{"Burned on Arbitrum One", "Attested by the issuer", "Minted on Base", "Paid out on PulseChain"}},
		{"USDC@369", "USDC@10", []string{"Deposited on PulseChain", "Burned on Base", "Attested by the issuer", "Minted on OP Mainnet"}},
		{"WETH@369", "WETH@96969696", []string{"Deposited on PulseChain", "Shielded on BNB Smart Chain"}},
	}
	for _, tt := range tests {
		t.Run(tt.from+" to "+tt.to, func(t *testing.T) {
			r := w.route(t, tt.from, tt.to)
			j := newTrade(t, r, r.Limits.Min.ToBig(), "")
			if r.Shields() {
				j.wallet = zkWallets(t)[0]
			}
			if err := j.begin(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			o := w.landed(t, j)
			var got []string
			for _, s := range o.Steps {
				got = append(got, s.Label)
				if s.State != front.Done || (s.ChainID == 0) != (s.Hash == "") {
					t.Errorf("step = %+v, want it done", s)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || o.Received != j.quote.DestAmount {
				t.Errorf("received %s of %s, steps (-want +got):\n%s", o.Received, j.quote.DestAmount, diff)
			}
		})
	}
	t.Run("a transaction that is nowhere is pending", func(t *testing.T) {
		if o := w.order(t, "0x"+strings.Repeat("1", 64)); o.State != front.Pending || o.Steps == nil {
			t.Errorf("order = %+v, want another state", o)
		}
	})
	t.Run("a transaction that opens no order has failed", func(t *testing.T) {
		to := common.Address(devnet.Account(devnet.Bob).Address)
		r, err := w.Chains[1].Send(t.Context(), devnet.Account(devnet.Alice), evm.Tx{To: to, Value: big.NewInt(1)})
		if err != nil {
			t.Fatal(err)
		}
		if o := w.order(t, r.TxHash.Hex()); o.State != front.Failed || o.Detail == "" {
			t.Errorf("order = %+v, want another state", o)
		}
	})
}

func (w *trial) order(t *testing.T, tx string) (o front.Order) {
	t.Helper()
	if err := getJSON(w.URL+"/devnet/orders/"+tx, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// landed asks until the order has landed, and makes sure that no step is done
// before the one before it.
func (w *trial) landed(t *testing.T, j *trade) (o front.Order) {
	t.Helper()
	rank := map[string]int{front.Done: 0, front.Doing: 1, front.Todo: 2}
	devnettest.Eventually(t, "the order has landed", func() bool {
		o = w.order(t, j.deposit.TxHash.Hex())
		for i := 1; i < len(o.Steps); i++ {
			if rank[o.Steps[i].State] < rank[o.Steps[i-1].State] {
				t.Fatalf("steps = %+v, want them done in order", o.Steps)
			}
		}
		return o.State == front.Landed
	})
	return o
}

func (w *trial) pageIsTold(t *testing.T) {
	var health struct {
		Checks []struct{ Name, Status string }
	}
	if err := getJSON(w.URL+"/v3/swap/healthcheck", &health); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, c := range health.Checks {
		names[c.Name] = c.Status
	}
	for _, want := range []string{"devnet", "registry 369", "issuer fee", "limiter"} {
		if names[want] != "ok" {
			t.Errorf("check %q = %q, want ok; all are %v", want, names[want], names)
		}
	}
	var config front.Config
	if err := getJSON(w.URL+"/devnet/config.json", &config); err != nil {
		t.Fatal(err)
	}
	want := []front.Account{
		{Name: "Alice", Address: devnet.Account(devnet.Alice).Address},
		{Name: "Bob", Address: devnet.Account(devnet.Bob).Address},
		{Name: "Carol", Address: devnet.Account(devnet.Carol).Address},
	}
	if diff := cmp.Diff(want, config.Accounts, cmpopts.EquateComparable()); diff != "" {
		t.Errorf("accounts (-want +got):\n%s", diff)
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`
	if len(w.Networks()) != 21 {
		t.Errorf("%d chains, want 21", len(w.Networks()))
	}
	for _, id := range w.Networks() {
		resp, err := http.Post(w.URL+front.RPCPath(id), "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: status = %d, want 200", front.RPCPath(id), resp.StatusCode)
		}
	}
	w.accountsHoldAllTokens(t, config.Accounts)
}

// accountsHoldAllTokens: the page lets every account swap every token.
func (w *trial) accountsHoldAllTokens(t *testing.T, accounts []front.Account) {
	for _, token := range w.Catalog.Tokens() {
		for _, a := range accounts {
			if got, err := w.Balance(t.Context(), token, a.Address); err != nil || got.Sign() == 0 {
				t.Errorf("%s has %s %s on %d, %v", a.Name, got, token.Symbol, token.Chain, err)
			}
		}
	}
}
