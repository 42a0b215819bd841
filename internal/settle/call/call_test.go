package call_test

import (
	"bytes"
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/third"
	"hubquote/internal/settle/call"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
	"hubquote/test/reference"
)

type key struct{ t testing.TB }

var secret, _ = crypto.GenerateKey()

func (k key) Address() swap.Address { return swap.Address(crypto.PubkeyToAddress(secret.PublicKey)) }

func (k key) Sign(_ context.Context, tx *types.Transaction) ([]byte, error) {
	signed, err := types.SignTx(tx, types.LatestSignerForChainID(tx.ChainId()), secret)
	if err != nil {
		return nil, err
	}
	return signed.MarshalBinary()
}

func world(t testing.TB) (roster.Roster, *third.Issuer, *sign.Signer) {
	t.Helper()
	cat := reference.Catalog(t)
	p, err := deployment.Recorded(cat)
	if err != nil {
		t.Fatal(err)
	}
	r, issuer := roster.Of(p), p.Issuer
	fees := map[swap.ChainID]swap.Amount{}
	for _, c := range r {
		fees[c.Chain] = *uint256.NewInt(100)
	}
	for chain := range issuer.Domains {
		fees[chain] = *uint256.NewInt(100)
	}
	return r, issuer, sign.New(key{t}, call.List(r, issuer, fees))
}

func body(n int64) (order.ID, []byte) {
	o := contract.Order{
		SrcPlace: big.NewInt(1), Nonce: big.NewInt(n), Amount: big.NewInt(3), DstPlace: big.NewInt(4), Deadline: big.NewInt(5),
		Recipient: bytes.Repeat([]byte{6}, 20),
	}
	return order.ID(o.ID()), o.Bytes()
}

// kinds is every kind of task at every kind of contract that has it.
var kinds = []struct {
	name   string
	kind   order.Kind
	alone  bool
	orders int
	at     []roster.Kind
	want   string
	fixed  bool // the gas limit is computed and not estimated
}{
	{"a payment", order.Pay, false, 3, pools, "fulfilMany", true},
	{"a payment alone", order.Pay, true, 1, pools, "fulfil", false},
	{"a release", order.Release, false, 3, all, "releaseMany", true},
	{"a cancellation", order.Cancel, false, 1, pools, "cancel", false},
	{"a refund", order.Refund, false, 1, all, "refund", false},
	{"a reclaim", order.Reclaim, false, 1, all, "reclaim", false},
	{"a claim", order.Claim, false, 1, pools, "claimFor", false},
}

var (
	pools = []roster.Kind{roster.Pool, roster.GatewayPool, roster.ShieldPool}
	all   = append(pools, roster.Receiver)
)

// TestEveryCallIsOnTheList writes every call for every contract and has it
// signed.
func TestEveryCallIsOnTheList(t *testing.T) {
	r, issuer, signer := world(t)
	for _, tt := range kinds {
		t.Run(tt.name, func(t *testing.T) {
			for _, c := range r {
				if !has(tt.at, c.Kind) {
					continue
				}
				b := lane.Batch{Kind: tt.kind, At: c.Pool}
				bodies := map[order.ID][]byte{}
				for i := range tt.orders {
					id, data := body(int64(i))
					bodies[id] = data
					b.Tasks = append(b.Tasks, step.Task{Order: id, Kind: tt.kind, At: c.Pool, Alone: tt.alone})
				}
				got, err := call.Of(b, bodies, r)
				if err != nil {
					t.Fatal(err)
				}
				if want := contract.Pool.ABI().Methods[tt.want].ID; !bytes.Equal(got.Data[:4], want) || got.At != c.Pool || (got.Least != 0) != tt.fixed {
					t.Errorf("call %x at %v, least gas %d, want %s at %v", got.Data[:4], got.At, got.Least, tt.want, c.Pool)
				}
				if got.Gas == 0 || got.Least > got.Gas {
					t.Errorf("gas of at most %d and at least %d, want room", got.Gas, got.Least)
				}
				mustSign(t, signer, got)
			}
		})
	}
	for _, c := range r {
		if c.Kind == roster.Receiver {
			mustSign(t, signer, call.Sweep(c.Pool))
			mustSign(t, signer, call.Call{At: c.Pool, Data: contract.Receiver.Call("relay", []byte{1}, []byte{2}), Gas: 1})
		}
	}
	for chain := range issuer.Domains {
		at := order.Pool{Chain: chain, Address: third.Transmitter}
		mustSign(t, signer, call.Call{At: at, Data: contract.Transmitter.Call("receiveMessage", []byte{1}, []byte{2}), Gas: 1})
	}
}

func mustSign(t testing.TB, s *sign.Signer, c call.Call) {
	t.Helper()
	tx := sign.Transaction{Chain: c.At.Chain, To: c.At.Address, Data: c.Data, Gas: c.Gas, Cap: *uint256.NewInt(100)}
	if _, err := s.Sign(t.Context(), tx); err != nil {
		t.Errorf("call %x of %v: %v", c.Data[:4], c.At, err)
	}
}

func has(list []roster.Kind, k roster.Kind) bool {
	return bytes.IndexByte(kindBytes(list), byte(k)) >= 0
}

func kindBytes(list []roster.Kind) (b []byte) {
	for _, k := range list {
		b = append(b, byte(k))
	}
	return b
}

// TestNothingElseIsOnTheList has every other function of our contracts refused:
// those that move money by other roles, and those that change roles.
func TestNothingElseIsOnTheList(t *testing.T) {
	r, _, signer := world(t)
	allowed := map[string]bool{"fulfil": true, "fulfilMany": true, "cancel": true, "refund": true, "releaseMany": true, "reclaim": true, "claimFor": true, "relay": true, "sweep": true}
	for _, c := range r {
		code := map[roster.Kind]*contract.Compiled{
			roster.Pool: contract.Pool, roster.GatewayPool: contract.GatewayPool, roster.ShieldPool: contract.ShieldPool, roster.Receiver: contract.Receiver,
		}[c.Kind]
		for name, method := range code.ABI().Methods {
			tx := sign.Transaction{Chain: c.Chain, To: c.Address, Data: method.ID, Gas: 1, Cap: *uint256.NewInt(1)}
			want := allowed[name] && (name != "claimFor" || c.Kind != roster.Receiver) // a receiver owes no recipient
			if _, err := signer.Sign(t.Context(), tx); (err == nil) != want {
				t.Errorf("%s of %v: %v, want allowed %v", name, c.Pool, err, want)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	r, _, _ := world(t)
	id, data := body(1)
	other, _ := body(2)
	for _, tt := range []struct {
		name  string
		batch lane.Batch
	}{
		{"an order without a body", lane.Batch{Kind: order.Pay, Tasks: []step.Task{{Order: order.ID{9}}}}},
		{"a body of another order", lane.Batch{Kind: order.Cancel, Tasks: []step.Task{{Order: other}}}},
		{"two orders for one cancellation", lane.Batch{Kind: order.Cancel, Tasks: []step.Task{{Order: id}, {Order: id}}}},
		{"a kind that is not an order's", lane.Batch{Kind: order.Relay, Tasks: []step.Task{{Order: id}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if c, err := call.Of(tt.batch, map[order.ID][]byte{id: data, other: data}, r); err == nil {
				t.Errorf("Of = %x, want an error", c.Data)
			}
		})
	}
}

// TestReadOrder reads back what was written.
func TestReadOrder(t *testing.T) {
	id, data := body(7)
	o, err := contract.ReadOrder(data)
	if err != nil || order.ID(o.ID()) != id || !bytes.Equal(o.Bytes(), data) || o.Deadline.Int64() != 5 || common.Address(o.SrcPool) != (common.Address{}) {
		t.Errorf("ReadOrder = %+v, %v, want what was written", o, err)
	}
	for _, bad := range [][]byte{nil, {1, 2, 3}, data[:len(data)-40]} {
		if _, err := contract.ReadOrder(bad); err == nil {
			t.Errorf("ReadOrder(%d bytes), want an error", len(bad))
		}
	}
}
