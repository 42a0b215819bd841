package burns_test

import (
	"context"
	"math/big"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/issuer"
	"hubquote/internal/quorum/node"
	"hubquote/internal/quoter"
	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/world"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake"
	"hubquote/test/fake/endpoint"
)

const (
	gateway swap.ChainID = 8453
	source  swap.ChainID = 42161
)

// A bench is the local chains, a journal, and what carries burns between them.
type bench struct {
	t *testing.T
	*devnet.Net
	terms   *terms.Terms
	journal journal.Journal
	writer  journal.Writer
	burns   *burns.Burns
	issuer  upstream.URL
	asked   *fake.Recorder
	left    map[world.Budget]swap.Amount
	nonces  map[swap.ChainID]uint64 // of the relayer in the journal, which counts its own
	fronts  map[swap.ChainID]string // endpoints that call a block final after 64 others
}

func newBench(t *testing.T, only ...swap.ChainID) *bench {
	t.Helper()
	n := devnettest.Net(t, "../../..", only...)
	b := &bench{t: t, Net: n, asked: &fake.Recorder{}, left: map[world.Budget]swap.Amount{}, nonces: map[swap.ChainID]uint64{}, fronts: map[swap.ChainID]string{}}
	b.terms = must(terms.Of(n.Plan))(t)
	for _, id := range only {
		b.allow(id, 100, 100)
		front := endpoint.New(t, n.Chains[id].URL, 1)
		front.Tag(32, 64)
		b.fronts[id] = front.Endpoints[0].URL
	}
	b.issuer = parse(t, devnettest.Attester(t, n, 0))
	return b
}

// allow sets how many calls the purse pays for on a network, and how many of
// them may be at a loss.
func (b *bench) allow(id swap.ChainID, calls, losses uint64) {
	b.left[world.Call(id).Budget] = *uint256.NewInt(calls)
	b.left[world.Loss(id).Budget] = *uint256.NewInt(losses)
}

func (b *bench) open() {
	j := must(sqlite.Open(b.t.Context(), filepath.Join(b.t.TempDir(), "journal")))(b.t)
	b.t.Cleanup(func() { _ = j.Close() })
	b.journal, b.writer = j, must(j.Acquire(b.t.Context(), "test"))(b.t)
}

func (b *bench) chains() (list []burns.Chain) {
	for id := range b.terms.Domains {
		if b.Chains[id] != nil {
			list = append(list, burns.Chain{ID: id, Nodes: []*node.Node{b.node(id, b.fronts[id])}, First: 1})
		}
	}
	return list
}

func (b *bench) node(id swap.ChainID, url string) *node.Node {
	n := must(node.New(node.Options{Chain: id, URL: parse(b.t, url), MaxBlockAge: -1, Timeout: 5 * time.Second}))(b.t)
	b.t.Cleanup(n.Close)
	return n
}

func (b *bench) carrier(chains []burns.Chain) *burns.Burns {
	return b.carrierWith(chains, func(*burns.Options) {})
}

func (b *bench) carrierWith(chains []burns.Chain, change func(*burns.Options)) *burns.Burns {
	client := must(attest.New(attest.Options{URL: b.issuer, Transport: b.asked}))(b.t)
	b.t.Cleanup(client.Close)
	opts := burns.Options{
		Terms: b.terms, Issuer: client, Chains: chains, Journal: b.journal, Write: b.writer.Write, Poll: time.Millisecond,
		World: func(context.Context) (world.World, error) {
			w := world.World{Left: b.left, Fees: map[swap.ChainID]world.Fees{}}
			for id := range b.Chains {
				w.Fees[id] = world.Fees{WithinCap: true}
			}
			return w, nil
		},
	}
	change(&opts)
	return must(burns.New(opts))(b.t)
}

func parse(t *testing.T, text string) upstream.URL { return must(upstream.Parse(text))(t) }

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// round makes every burn due and does everything once.
func (b *bench) round() {
	b.t.Helper()
	b.wake()
	if err := b.burns.Round(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// wake makes every burn due that is to be looked at again.
func (b *bench) wake() {
	b.t.Helper()
	list := b.image().Burns
	b.write(func(tx journal.Tx) error {
		for _, x := range list {
			if !x.NextAsk.IsZero() {
				x.NextAsk, x.Asked = time.UnixMilli(1), time.Time{}
				if err := tx.PutBurn(b.t.Context(), x); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (b *bench) write(do func(journal.Tx) error) {
	b.t.Helper()
	if err := b.writer.Write(b.t.Context(), do); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) image() *journal.Image {
	b.t.Helper()
	return must(b.journal.All(b.t.Context()))(b.t)
}

// only returns the one burn there is.
func (b *bench) only() journal.Burn {
	b.t.Helper()
	list := b.image().Burns
	if len(list) != 1 {
		b.t.Fatalf("%d burns, want 1", len(list))
	}
	return list[0]
}

// want fails the test unless there is one burn, in that state, and its tasks have
// that progress.
func (b *bench) want(state string, progress ...order.Progress) journal.Burn {
	b.t.Helper()
	x := b.only()
	if x.Status != state {
		b.t.Fatalf("the burn is %s (%s), want %s", x.Status, x.Reason, state)
	}
	var got []order.Progress
	for _, t := range must(b.journal.Tasks(b.t.Context(), x.Key))(b.t) {
		got = append(got, t.Progress)
	}
	if !slices.Equal(got, progress) {
		b.t.Fatalf("its tasks are %v, want %v", got, progress)
	}
	return x
}

// send does what a lane does with the ready tasks of a network: it commits and
// sends each, and records its nonce as mined.
func (b *bench) send(id swap.ChainID) {
	b.t.Helper()
	ctx := b.t.Context()
	for _, task := range must(b.journal.TasksReady(ctx, id))(b.t) {
		call := must(b.burns.Call(ctx, task))(b.t)
		nonce, hash := b.nonces[id], order.Hash{byte(id), byte(b.nonces[id]), 1}
		b.nonces[id]++
		key := devnet.Account(devnet.Relayer).Address
		b.write(func(tx journal.Tx) error {
			a := journal.Attempt{Hash: hash, Chain: id, Key: key, Nonce: nonce, Raw: []byte{1}, Made: time.Now()}
			return tx.Commit(ctx, a, []journal.Reserved{{Task: task.ID}}, nil)
		})
		r := b.tx(id, devnet.Account(devnet.Relayer), call.To, call.Data)
		b.write(func(tx journal.Tx) error {
			return tx.SetNonce(ctx, journal.Nonce{Chain: id, Key: key, Nonce: nonce, State: journal.NonceMined, Mined: hash, Block: r.BlockNumber.Uint64()})
		})
	}
}

// tx sends a transaction and waits until it is mined.
func (b *bench) tx(id swap.ChainID, from evm.Account, to swap.Address, data []byte) *types.Receipt {
	b.t.Helper()
	r, err := b.Chains[id].Send(b.t.Context(), from, evm.Tx{To: common.Address(to), Data: data})
	if err != nil {
		b.t.Fatal(contract.Explain(err))
	}
	return r
}

// A burned is what a test burns; zero fields are those of a good one.
type burned struct {
	amount int64
	hook   []byte
	to     swap.Address
	caller *swap.Address
}

// burn burns Alice's money on the source for the gateway.
func (b *bench) burn(x burned) order.Hash {
	b.t.Helper()
	receiver := b.receiver()
	if x.to.IsZero() {
		x.to = receiver
	}
	if x.caller == nil {
		x.caller = &receiver
	}
	if x.amount == 0 {
		x.amount = 100_000_000
	}
	if x.hook == nil {
		x.hook = b.hook()
	}
	alice, usdc := devnet.Account(devnet.Alice), b.terms.Tokens[source]
	b.tx(source, alice, usdc, contract.Token.Call("approve", common.Address(b.terms.Messenger), big.NewInt(x.amount)))
	return order.Hash(b.tx(source, alice, b.terms.Messenger, contract.Messenger.Call("depositForBurnWithHook",
		big.NewInt(x.amount), uint32(b.terms.Domains[gateway]), [32]byte(message.WordOf(x.to)), common.Address(usdc),
		[32]byte(message.WordOf(*x.caller)), big.NewInt(x.amount/1000), uint32(1000), x.hook)).TxHash)
}

func (b *bench) receiver() swap.Address { return swap.Address(b.Plan.Address(lane.Receiver)) }

// hook asks for a payment to Alice at the first destination of burns.
func (b *bench) hook() []byte {
	for _, r := range b.Plan.Routes() {
		if r.Burn != nil && r.Src.Network == source && !r.Shields() {
			h := make([]byte, 32)
			new(big.Int).SetUint64(uint64(r.Dst.ID)).FillBytes(h)
			h = append(append(h, r.DstToken.Address[:]...), make([]byte, 32+1)...)
			alice := devnet.Account(devnet.Alice).Address
			return append(h, alice[:]...)
		}
	}
	b.t.Fatal("no route for burns")
	return nil
}

// deposit opens an order on the hub that is paid on the source network, by a burn
// of the gateway's pool.
func (b *bench) deposit() (contract.Order, order.ID) {
	b.t.Helper()
	alice := devnet.Account(devnet.Alice)
	q := must(quoter.New(quoter.Options{Catalog: b.Catalog, IssuerFees: issuer.Published{}}))(b.t)
	for _, r := range b.Plan.Routes() {
		if r.Src.Network != swap.Hub || r.Src.Private() || r.Dst.Network != source || r.SrcToken.IsNative() {
			continue
		}
		quote := must(q.Quote(b.t.Context(), swap.Request{
			SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
			DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
			Amount: r.Limits.Min, Recipient: swap.MustRecipient(alice.Address.String()),
		}))(b.t)
		b.tx(swap.Hub, alice, r.SrcToken.Address, quote.Payload.Approval.Calldata)
		receipt := b.tx(swap.Hub, alice, quote.Payload.To, quote.Payload.Calldata)
		for _, l := range receipt.Logs {
			if l.Topics[0] == contract.Pool.ABI().Events["OrderOpened"].ID {
				return must(contract.ReadOpened(l))(b.t).Order, order.ID(l.Topics[1])
			}
		}
	}
	b.t.Fatal("no route from the hub to the source network")
	return contract.Order{}, order.ID{}
}

// opened returns an order that the receiver opened.
func (b *bench) opened(id order.ID) contract.Order {
	b.t.Helper()
	logs := must(b.Chains[gateway].Logs(b.t.Context(), query(b.receiver(), contract.Pool.ABI().Events["OrderOpened"].ID, common.Hash(id))))(b.t)
	if len(logs) != 1 {
		b.t.Fatalf("order %v was opened %d times, want once", id, len(logs))
	}
	return must(contract.ReadOpened(&logs[0]))(b.t).Order
}

// query selects the logs of a contract by event and topics; a zero
// topic stands for any.
func query(of swap.Address, topics ...common.Hash) ethereum.FilterQuery {
	q := ethereum.FilterQuery{FromBlock: new(big.Int), Addresses: []common.Address{common.Address(of)}}
	for _, t := range topics {
		if t == (common.Hash{}) {
			q.Topics = append(q.Topics, nil)
		} else {
			q.Topics = append(q.Topics, []common.Hash{t})
		}
	}
	return q
}

// sendMessage sends a message as long as a burn, which names a sender in its body.
// Any account can, and the issuer attests it.
func (b *bench) sendMessage(from, to swap.ChainID, caller, sender swap.Address) {
	b.t.Helper()
	stranger := devnet.Account(devnet.Bob)
	body := make([]byte, 228+105)
	body[3] = 1
	copy(body[36+12:], sender[:])
	copy(body[100+12:], sender[:])
	b.tx(from, stranger, b.terms.Transmitter, contract.Transmitter.Call("sendMessage", uint32(b.terms.Domains[to]),
		[32]byte(message.WordOf(b.terms.Messenger)), [32]byte(message.WordOf(caller)), uint32(1000), body))
}

func (b *bench) mine(id swap.ChainID, blocks int) {
	b.t.Helper()
	if err := b.Chains[id].Do(b.t.Context(), "anvil_mine", blocks); err != nil {
		b.t.Fatal(err)
	}
}

// balance returns how much of the issuer's token an account has.
func (b *bench) balance(id swap.ChainID, of swap.Address) *big.Int {
	b.t.Helper()
	out := must(b.Chains[id].Call(b.t.Context(), common.Address(b.terms.Tokens[id]), contract.Token.Call("balanceOf", common.Address(of))))(b.t)
	return must(contract.Result[*big.Int](contract.Token, "balanceOf", out))(b.t)
}
