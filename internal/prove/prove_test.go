package prove_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/internal/prove"
	"hubquote/internal/record"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

var (
	hubPool  = swap.Address{0x11}
	basePool = swap.Address{0x22}
	receiver = swap.Address{0x33}
	alice    = swap.Address{0x44}
	noon     = time.Unix(1_800_000_000, 0).UTC()
)

// A chain answers as a node does, about a few transactions.
type chain struct {
	receipts    map[string]any
	settlements map[string]int
	head        uint64
	finalized   uint64
}

func (c *chain) CallContext(_ context.Context, result any, method string, args ...any) error {
	var answer any
	switch method {
	case "eth_getTransactionReceipt":
		answer = c.receipts[args[0].(string)]
	case "eth_getBlockByNumber":
		number := args[0].(string)
		switch number {
		case "finalized":
			number = fmt.Sprintf("0x%x", c.finalized)
		case "latest":
			number = fmt.Sprintf("0x%x", c.head)
		}
		answer = map[string]string{"number": number, "hash": blockHash(number).String(), "timestamp": fmt.Sprintf("0x%x", noon.Unix())}
	case "eth_call":
		if at := args[1].(string); at != fmt.Sprintf("0x%x", c.head) {
			return fmt.Errorf("the state of block %s is not known", at)
		}
		data := args[0].(map[string]string)["data"]
		answer = fmt.Sprintf("0x%064x", c.settlements["0x"+data[10:]])
	default:
		return errors.New("no such method")
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

func blockHash(number string) (h swap.Hash) {
	copy(h[:], number)
	return h
}

// A world is the chains, and the honest status of one order on them.
type world struct {
	hub, base, op *chain
	s             swap.Status
	asked         swap.Hash
}

const block = 0x10

// mine puts a transaction with these logs into a block.
func mine(c *chain, kind swap.LegKind, id swap.ChainID, n byte, logs ...any) swap.Leg {
	l := swap.Leg{Kind: kind, Chain: id, Tx: swap.Hash{n}, Block: block, BlockHash: blockHash("0x10"), Time: noon, Final: true}
	for i, log := range logs { // of transactions whose number is their order in the block
		log.(map[string]any)["logIndex"] = fmt.Sprintf("0x%x", 10*int(n)+i)
	}
	c.receipts[l.Tx.String()] = map[string]any{"status": "0x1", "blockNumber": "0x10", "blockHash": l.BlockHash, "logs": logs}
	return l
}

func event(t *testing.T, code *contract.Compiled, at swap.Address, name string, topics []swap.Hash, args ...any) any {
	t.Helper()
	e := code.ABI().Events[name]
	data, err := e.Inputs.NonIndexed().Pack(args...)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"address": at, "topics": append([]swap.Hash{swap.Hash(e.ID)}, topics...), "data": fmt.Sprintf("0x%x", data)}
}

func topic(a swap.Address) (h swap.Hash) { copy(h[12:], a[:]); return h }

func newChain() *chain {
	return &chain{receipts: map[string]any{}, settlements: map[string]int{}, head: block + 1, finalized: block}
}

// begin opens an order at a source.
func begin(t *testing.T, srcPlace uint64, src swap.Address, dstPlace uint64, dst swap.Address) *world {
	t.Helper()
	w := &world{hub: newChain(), base: newChain(), op: newChain()}
	o := &swap.Order{
		SrcPlace: *uint256.NewInt(srcPlace), SrcPool: src, RefundTo: swap.Address{0x55}, Nonce: *uint256.NewInt(7), SrcDecimals: 6,
		Amount: *uint256.NewInt(100), DstPlace: *uint256.NewInt(dstPlace), DstPool: dst, DstToken: swap.Address{0x66}, Rate: 3000,
		Integrator: swap.IntegratorID{0x77}, Recipient: alice[:], Deadline: 1_800_100_000,
	}
	w.s = swap.Status{ID: record.ID(o), Order: o, Stage: swap.StageDone, Since: noon, Deposited: *uint256.NewInt(99), Pays: *uint256.NewInt(98), Mark: swap.Mark{Step: 8}}
	return w
}

func (w *world) opened(t *testing.T, at swap.Address) any {
	o := w.s.Order
	their := contract.Order{
		SrcPlace: o.SrcPlace.ToBig(), SrcPool: common.Address(o.SrcPool), RefundTo: common.Address(o.RefundTo), Nonce: o.Nonce.ToBig(), SrcDecimals: o.SrcDecimals,
		Amount: o.Amount.ToBig(), DstPlace: o.DstPlace.ToBig(), DstPool: common.Address(o.DstPool), DstToken: common.Address(o.DstToken), Rate: uint32(o.Rate),
		IntegratorId: o.Integrator, Recipient: o.Recipient, Deadline: new(big.Int).SetUint64(o.Deadline),
	}
	return event(t, contract.Pool, at, "OrderOpened", []swap.Hash{w.s.ID, topic(o.RefundTo), {}}, common.Address{1}, big.NewInt(0), big.NewInt(99), their)
}

func (w *world) fulfilled(t *testing.T, at swap.Address, paid bool) any {
	return event(t, contract.Pool, at, "OrderFulfilled", []swap.Hash{w.s.ID, {}, topic(alice)},
		big.NewInt(369), common.Address{}, big.NewInt(97), big.NewInt(1), big.NewInt(0), big.NewInt(0), paid)
}

// A burn is what the issuer's message says of one.
type burn struct{ from, mintTo swap.Address }

// message is the issuer's, with the words that it fills in when it signs.
func (b burn) message(signed byte) []byte {
	m := make([]byte, 400)
	for i := range m {
		m[i] = byte(i)
	}
	for _, at := range []int{0, 148} { // the versions
		copy(m[at:], []byte{0, 0, 0, 1})
	}
	for at, a := range map[int]swap.Address{184: b.mintTo, 248: b.from} {
		copy(m[at:], make([]byte, 12))
		copy(m[at+12:], a[:])
	}
	for i := 312; i < 376; i++ {
		m[i] = signed
	}
	return m
}

func (b burn) sent(t *testing.T) any {
	return event(t, contract.Transmitter, third.Transmitter, "MessageSent", nil, b.message(0))
}

func (b burn) received(t *testing.T) any {
	return event(t, contract.Transmitter, third.Transmitter, "MessageReceived", []swap.Hash{{1}, {31: 7}, {3}}, uint32(2), [32]byte(b.message(5)[44:76]), b.message(5)[148:])
}

var (
	out = burn{from: basePool, mintTo: alice}
	in  = burn{from: alice, mintTo: receiver}
)

func direct(t *testing.T) *world {
	w := begin(t, 369, hubPool, 8453, basePool)
	w.s.Legs = []swap.Leg{
		mine(w.hub, swap.LegDeposit, 369, 1, w.opened(t, hubPool)), mine(w.base, swap.LegPayment, 8453, 2, w.fulfilled(t, basePool, true)),
	}
	w.base.settlements[w.s.ID.String()] = 1
	w.asked = w.s.Legs[0].Tx
	return w
}

func outbound(t *testing.T) *world {
	w := begin(t, 369, hubPool, 10, basePool)
	w.s.Legs = []swap.Leg{
		mine(w.hub, swap.LegDeposit, 369, 1, w.opened(t, hubPool)), mine(w.base, swap.LegPayment, 8453, 2, out.sent(t), w.fulfilled(t, basePool, true)),
		mine(w.op, swap.LegMint, 10, 3, out.received(t)),
	}
	w.base.settlements[w.s.ID.String()] = 1
	w.asked = w.s.Legs[2].Tx
	return w
}

func inbound(t *testing.T) *world {
	w := begin(t, 10, receiver, 369, hubPool)
	w.s.Legs = []swap.Leg{
		mine(w.op, swap.LegBurn, 10, 1, in.sent(t)), mine(w.base, swap.LegDeposit, 8453, 2, w.opened(t, receiver), in.received(t)),
		mine(w.hub, swap.LegPayment, 369, 3, w.fulfilled(t, hubPool, true)),
	}
	w.hub.settlements[w.s.ID.String()] = 1
	w.asked = w.s.Legs[0].Tx
	return w
}

func refunded(t *testing.T) *world {
	w := begin(t, 369, hubPool, 8453, basePool)
	w.s.Stage = swap.StageRefunded
	w.s.Legs = []swap.Leg{
		mine(w.hub, swap.LegDeposit, 369, 1, w.opened(t, hubPool)),
		mine(w.base, swap.LegCancel, 8453, 2, event(t, contract.Pool, basePool, "OrderCancelled", []swap.Hash{w.s.ID})),
		mine(w.hub, swap.LegRefund, 369, 3, event(t, contract.Pool, hubPool, "OrderRefunded", []swap.Hash{w.s.ID, topic(w.s.Order.RefundTo)}, big.NewInt(99), uint8(0))),
	}
	w.base.settlements[w.s.ID.String()] = 2
	w.asked = w.s.Legs[0].Tx
	return w
}

func claimable(t *testing.T) *world {
	w := direct(t)
	w.s.Stage, w.s.Mark.Step = swap.StageClaimable, 5
	w.s.Legs[1] = mine(w.base, swap.LegPayment, 8453, 2, w.fulfilled(t, basePool, false))
	w.s.Action = &swap.Action{Kind: "claim", Chain: 8453, To: basePool, Data: record.ClaimFor(alice)}
	return w
}

func paying(t *testing.T) *world {
	w := direct(t)
	w.s.Stage, w.s.Mark.Step, w.s.Legs = swap.StagePaying, 3, w.s.Legs[:1]
	w.base.settlements[w.s.ID.String()] = 0
	w.s.Action = &swap.Action{Kind: "reclaim", Chain: 369, To: hubPool, Data: record.Reclaim(w.s.Order), After: noon}
	return w
}

func delivering(t *testing.T) *world {
	w := outbound(t)
	w.s.Stage, w.s.Mark.Step, w.s.Legs, w.asked = swap.StageDelivering, 5, w.s.Legs[:2], w.s.Legs[0].Tx
	w.s.Action = &swap.Action{Kind: "mint", Chain: 10, To: third.Transmitter, Data: record.ReceiveMessage(out.message(5), []byte{1, 2, 3})}
	return w
}

// attesting is a burn that is signed, and no order yet. No chain shows more than
// the burn itself.
func attesting(t *testing.T) *world {
	w := inbound(t)
	w.s = swap.Status{Stage: swap.StageAttesting, Mark: swap.Mark{Step: 1}, Legs: w.s.Legs[:1]}
	w.s.Action = &swap.Action{Kind: "relay", Chain: 8453, To: receiver, Data: record.Relay(in.message(5), []byte{1, 2, 3})}
	return w
}

var worlds = map[string]func(*testing.T) *world{
	"direct": direct, "outbound": outbound, "inbound": inbound, "refunded": refunded, "claimable": claimable, "paying": paying, "delivering": delivering,
	"claimed": claimed, "returned": returned, "minted": minted,
}

func (w *world) prover() *prove.Prover {
	return &prove.Prover{
		Nodes: map[swap.ChainID]prove.Node{369: w.hub, 8453: w.base, 10: w.op},
		Pinned: map[prove.Contract]bool{
			{Chain: 369, Address: hubPool}: true, {Chain: 8453, Address: basePool}: true, {Chain: 8453, Address: receiver}: true,
		},
		Gateway: 8453,
	}
}

func TestHonestAnswerIsProved(t *testing.T) {
	for name, make := range worlds {
		w := make(t)
		r, err := w.prover().Check(t.Context(), w.asked, &w.s)
		if err != nil || !r.Proved {
			t.Errorf("%s: Check = %+v, %v, want proved", name, r, err)
			continue
		}
		for _, l := range r.Legs {
			if !l.Proved {
				t.Errorf("%s: the %s is told (%s), want proved", name, l.Kind, l.Why)
			}
		}
	}
}

// A call is offered only if the order and the pins make it.
func TestActionsAreDerived(t *testing.T) {
	mint := func(to swap.Address, b burn) *swap.Action {
		return &swap.Action{Kind: "mint", Chain: 10, To: to, Data: record.ReceiveMessage(b.message(5), []byte{1})}
	}
	relay := func(chain swap.ChainID, to swap.Address, b burn) *swap.Action {
		return &swap.Action{Kind: "relay", Chain: chain, To: to, Data: record.Relay(b.message(5), []byte{1})}
	}
	trailing := mint(third.Transmitter, out)
	trailing.Data = append(trailing.Data, 0)
	otherChain := mint(third.Transmitter, out)
	otherChain.Chain = 1
	for _, tt := range []struct {
		name   string
		world  func(*testing.T) *world
		action *swap.Action
		unpin  swap.Address
		kept   bool
	}{
		{"a mint for the recipient", delivering, mint(third.Transmitter, out), swap.Address{}, true},
		{"a mint for another account", delivering, mint(third.Transmitter, burn{basePool, swap.Address{1}}), swap.Address{}, false},
		{"a mint of another burner", delivering, mint(third.Transmitter, burn{swap.Address{1}, alice}), swap.Address{}, false},
		{"a mint at another contract", delivering, mint(basePool, out), swap.Address{}, false},
		{"a mint elsewhere", delivering, otherChain, swap.Address{}, false},
		{"a mint with a byte more", delivering, trailing, swap.Address{}, false},
		{"a mint of another burn than the payment's", direct, mint(third.Transmitter, out), swap.Address{}, false},
		{"a mint without an order", attesting, mint(third.Transmitter, out), swap.Address{}, false},
		{"a relay to the receiver", attesting, relay(8453, receiver, in), swap.Address{}, true},
		{"a relay of another burn", attesting, relay(8453, receiver, burn{swap.Address{1}, receiver}), swap.Address{}, false},
		{"a relay to another contract", attesting, relay(8453, swap.Address{1}, in), swap.Address{}, false},
		{"a relay for another receiver", attesting, relay(8453, receiver, burn{alice, swap.Address{1}}), swap.Address{}, false},
		{"a relay on another chain", attesting, relay(10, receiver, in), swap.Address{}, false},
		{"a claim", claimable, nil, swap.Address{}, true},
		{"a claim to a pool that is not pinned", claimable, nil, basePool, false},
		{"a reclaim", paying, nil, swap.Address{}, true},
		{"a reclaim to a pool that is not pinned", paying, nil, hubPool, false},
		{"a claim without an order", attesting, &swap.Action{Kind: "claim", Chain: 8453, To: receiver}, swap.Address{}, false},
	} {
		w := tt.world(t)
		p := w.prover()
		delete(p.Pinned, prove.Contract{Chain: 8453, Address: tt.unpin})
		delete(p.Pinned, prove.Contract{Chain: 369, Address: tt.unpin})
		if tt.action != nil {
			w.s.Action = tt.action
		}
		r, err := p.Check(t.Context(), w.asked, &w.s)
		if err != nil || (r.Status.Action != nil) != tt.kept {
			t.Errorf("%s: Check = %+v, %v, want the call offered: %t", tt.name, r, err, tt.kept)
		}
	}
}

func TestWithoutNodesAllIsTold(t *testing.T) {
	w := direct(t)
	p := w.prover()
	p.Nodes = nil
	r, err := p.Check(t.Context(), w.asked, &w.s)
	if err != nil || r.Proved || r.Legs[0].Proved || r.Legs[0].Why == "" {
		t.Errorf("Check = %+v, %v, want all legs told, with a reason", r, err)
	}
}

// told are the parts of an answer that no chain can prove: the settler's own
// words and estimates. The legs of the status are told too; those of the report,
// which are compared, have block, time and finality from the node.
var told = cmp.Options{
	cmpopts.IgnoreFields(swap.Status{}, "Reason", "Since", "ETA", "Delayed", "Mark", "Pays", "Legs"),
	cmpopts.IgnoreFields(swap.Action{}, "After"),
	cmpopts.EquateEmpty(),
}

// TestAlteredAnswersAreNotProved alters every field of every correct answer, one at a
// time. Each altered answer is refused, or a part of it is told instead of proved,
// or it changes only what is told anyway.
func TestAlteredAnswersAreNotProved(t *testing.T) {
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			w := make(t)
			honest, err := w.prover().Check(t.Context(), w.asked, &w.s)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(tracking.New(&swap.Tracking{Orders: []swap.Status{w.s}}))
			if err != nil {
				t.Fatal(err)
			}
			var root any
			if err := json.Unmarshal(text, &root); err != nil {
				t.Fatal(err)
			}
			lies := 0
			visit("", root.(map[string]any)["orders"], func(path string) {
				lies++
				altered, err := json.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				got, err := tracking.Parse(altered)
				if err != nil || len(got.Orders) != 1 {
					return
				}
				r, err := w.prover().Check(t.Context(), w.asked, &got.Orders[0])
				if err != nil || !r.Proved || countProved(r) < countProved(honest) {
					return
				}
				if understated[[2]swap.Stage{w.s.Stage, r.Status.Stage}] {
					return // true as well
				}
				if strings.Contains(path, "action") && r.Status.Action == nil {
					return // a call that is not offered harms no wallet
				}
				if diff := cmp.Diff(honest, r, told); diff != "" {
					t.Errorf("the answer with another %s is accepted, want the first report or an error (-want +got):\n%s", path, diff)
				}
			})
			if lies < 40 {
				t.Errorf("%d fields were altered, want all of them", lies)
			}
		})
	}
}

// understated are stages that are true of the same chains: a settler that is
// behind says them.
var understated = map[[2]swap.Stage]bool{
	{swap.StageDone, swap.StagePaid}: true, {swap.StageDone, swap.StageDelivering}: true, {swap.StageClaimable, swap.StagePaid}: true, {swap.StageDelivering, swap.StagePaid}: true,
	{swap.StageRefunded, swap.StageRefunding}: true, {swap.StagePaying, swap.StageConfirming}: true,
}

func countProved(r *prove.Report) (n int) {
	for _, l := range r.Legs {
		if l.Proved {
			n++
		}
	}
	return n
}

// visit alters each leaf in turn, calls fn, and puts the honest value back.
func visit(path string, v any, fn func(path string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			honest := v[key]
			for _, lie := range lies(key, honest) {
				v[key] = lie
				fn(path + "." + key)
			}
			delete(v, key)
			fn(path + "." + key + " left out")
			v[key] = honest
			visit(path+"."+key, honest, fn)
		}
	case []any:
		for i := range v {
			visit(fmt.Sprintf("%s[%d]", path, i), v[i], fn)
		}
	}
}

func lies(key string, honest any) []any {
	switch honest := honest.(type) {
	case bool:
		return []any{!honest}
	case float64:
		return []any{honest + 1, honest + 8453}
	case string:
		switch {
		case key == "status":
			var all []any
			for _, s := range swap.Stages {
				if string(s) != honest {
					all = append(all, string(s))
				}
			}
			return all
		case strings.HasPrefix(honest, "0x") && len(honest) > 2:
			last := "0"
			if strings.HasSuffix(honest, "0") {
				last = "1"
			}
			return []any{strings.ToLower(honest[:len(honest)-1] + last)}
		case strings.HasSuffix(honest, "Z"):
			return []any{"2027-01-15T08:00:01Z"}
		case key == "kind":
			return []any{"deposit", "payment", "refund", "mint", "claim", "reclaim"}
		}
		return []any{honest + "1"}
	}
	return nil
}
