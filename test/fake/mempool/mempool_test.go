package mempool_test

import (
	"bytes"
	"crypto/ecdsa"
	"fmt"
	"math/big"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"hubquote/test/devnet/anvil"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake/mempool"
)

const chainID = 369

type rig struct {
	*testing.T
	*mempool.Pool
	key  *ecdsa.PrivateKey
	from common.Address
}

func newRig(t *testing.T) *rig {
	t.Helper()
	chain, err := anvil.Start(t.Context(), devnettest.Anvil(t, "../../.."), chainID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(chain.Stop)
	pool, err := mempool.New(t.Context(), chain.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t, pool, key, crypto.PubkeyToAddress(key.PublicKey)}
	c, err := rpc.DialContext(t.Context(), chain.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.CallContext(t.Context(), nil, "anvil_setBalance", r.from, "0x16345785d8a0000"); err != nil { // 0.1 coins
		t.Fatal(err)
	}
	return r
}

// call sends a request to the pool and returns the response.
func (r *rig) call(method, params string) string {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params)
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("POST", "/", bytes.NewBufferString(body)))
	return w.Body.String()
}

// send offers a transaction, and wants this answer: nil for taken.
func (r *rig) send(nonce uint64, tip, fee int64, want error) {
	r.Helper()
	tx, err := types.SignNewTx(r.key, types.LatestSignerForChainID(big.NewInt(chainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(chainID), Nonce: nonce, To: &r.from, Gas: 21_000, GasTipCap: big.NewInt(tip), GasFeeCap: big.NewInt(fee),
	})
	if err != nil {
		r.Fatal(err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		r.Fatal(err)
	}
	got := r.call("eth_sendRawTransaction", fmt.Sprintf(`["0x%x"]`, raw))
	if want == nil && strings.Contains(got, "error") || want != nil && !strings.Contains(got, want.Error()) {
		r.Errorf("nonce %d, tip %d, cap %d: %s, want %v", nonce, tip, fee, got, want)
	}
}

func (r *rig) mine(base int64, want int) {
	r.Helper()
	got, err := r.Mine(r.Context(), big.NewInt(base))
	if err != nil || len(got) != want {
		r.Errorf("Mine at %d took %d, %v; want %d", base, len(got), err, want)
	}
}

func (r *rig) wantPending(want uint64) {
	r.Helper()
	got := r.call("eth_getTransactionCount", fmt.Sprintf(`["%v","pending"]`, r.from))
	if !strings.Contains(got, fmt.Sprintf(`"0x%x"`, want)) {
		r.Errorf("the pending count is %s, want %d", got, want)
	}
}

func TestReplacementNeedsATenthMoreOfBothFees(t *testing.T) {
	r := newRig(t)
	r.send(0, 1e9, 10e9, nil)
	r.send(0, 1e9, 10e9, mempool.ErrKnown)
	r.send(0, 1.1e9, 10.9e9, mempool.ErrUnderpriced)
	r.send(0, 1.09e9, 11e9, mempool.ErrUnderpriced)
	r.send(0, 1.1e9, 11e9, nil)
	r.mine(1e9, 1)
	r.send(0, 5e9, 50e9, mempool.ErrNonceLow)
	if got := r.Refusals()[mempool.ErrUnderpriced.Error()]; got != 2 {
		t.Errorf("%d replacements were refused, want 2", got)
	}
}

func TestBlocksTakeWhatPaysAndHasNoGap(t *testing.T) {
	r := newRig(t)
	r.send(0, 1, 10e9, nil)
	r.send(1, 1, 2e9, nil)
	r.send(3, 1, 10e9, nil)
	r.wantPending(2)
	r.mine(5e9, 1)
	r.mine(1e9, 1)
	r.mine(1e9, 0)
	r.wantPending(2)
	r.send(2, 1, 10e9, nil)
	r.wantPending(4)
	r.mine(1e9, 2)
}

func TestAccountLimits(t *testing.T) {
	r := newRig(t)
	for nonce := range uint64(mempool.Slots) {
		r.send(nonce, 1, 2e9, nil)
	}
	r.send(mempool.Slots, 1, 2e9, mempool.ErrLimit)
	r.mine(1e9, mempool.Slots)
	r.send(mempool.Slots, 1, 10_000e9, mempool.ErrFunds)
}

func TestDropLoseDelay(t *testing.T) {
	r := newRig(t)
	r.send(0, 1, 2e9, nil)
	r.Drop()
	r.mine(1e9, 0)
	r.Lose(true)
	r.send(0, 1, 2e9, nil)
	r.Lose(false)
	r.mine(1e9, 0)
	r.Delay(1)
	r.send(0, 1, 2e9, nil)
	r.mine(1e9, 0)
	r.mine(1e9, 1)
}

func TestReorganisedTransactionsReturnToThePool(t *testing.T) {
	r := newRig(t)
	r.send(0, 1, 2e9, nil)
	r.mine(1e9, 1)
	if err := r.Reorganise(t.Context(), 1, true); err != nil {
		t.Fatal(err)
	}
	r.mine(1e9, 1)
	if err := r.Reorganise(t.Context(), 1, false); err != nil {
		t.Fatal(err)
	}
	r.mine(1e9, 0)
}
