package backend_test

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/creation"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
)

// An index is the state of one contract as docs/events.md rebuilds it: the answer
// to each question that can be asked of it, by the call that asks.
type index struct {
	code    *contract.Compiled
	answers map[string][]any // what the call with these bytes must return

	orders, held, owed *big.Int
	deposits           map[common.Hash]*contract.Deposit
	buckets            map[string]*bucket
	releasedIn         common.Hash // the transaction of the last release
}

// A bucket is a cap: what was spent drains in a day.
type bucket struct{ cap, level, since *big.Int }

func newIndex(code *contract.Compiled) *index {
	return &index{
		code: code, answers: map[string][]any{}, orders: new(big.Int), held: new(big.Int), owed: new(big.Int),
		deposits: map[common.Hash]*contract.Deposit{}, buckets: map[string]*bucket{},
	}
}

// say records what a function returns from now on.
func (x *index) say(returns []any, function string, args ...any) {
	x.answers[string(x.code.Call(function, args...))] = returns
}

func (x *index) bucket(name string) *bucket {
	if x.buckets[name] == nil {
		x.buckets[name] = &bucket{new(big.Int), new(big.Int), new(big.Int)}
	}
	return x.buckets[name]
}

func (b *bucket) spend(amount *big.Int, at uint64) {
	now := new(big.Int).SetUint64(at)
	drained := new(big.Int).Sub(now, b.since)
	drained.Mul(drained, new(big.Int).Rsh(b.cap, 1)).Quo(drained, big.NewInt(86_400))
	left := new(big.Int).Sub(b.level, drained)
	if left.Sign() < 0 {
		left.SetInt64(0)
	}
	b.level, b.since = left.Add(left, amount), now
}

// release spends the releases of one transaction as one.
func (b *bucket) release(amount *big.Int, at uint64, again bool) {
	if again {
		b.level.Add(b.level, amount)
		return
	}
	b.spend(amount, at)
}

var (
	capOf    = func(kind uint8) string { return fmt.Sprint("cap ", kind) }
	sourceOf = func(place *big.Int, pool common.Address) string { return fmt.Sprint("source ", place, " ", pool) }
)

// A record is a log with its fields read.
type record struct {
	*types.Log
	name   string
	fields map[string]any
}

func (r *record) id() common.Hash                      { return r.Topics[1] }
func (r *record) number(topic int) *big.Int            { return r.Topics[topic].Big() }
func (r *record) big(field string) *big.Int            { return r.fields[field].(*big.Int) }
func (r *record) at(topic int) common.Address          { return common.BytesToAddress(r.Topics[topic][:]) }
func (x *index) depositOf(r *record) *contract.Deposit { return x.deposits[r.id()] }

// add takes a log into account.
func (x *index) add(t *testing.T, log *types.Log) {
	t.Helper()
	event, err := x.code.ABI().EventByID(log.Topics[0])
	if err != nil {
		t.Fatal(err)
	}
	r := &record{log, event.Name, map[string]any{}}
	if err := event.Inputs.UnpackIntoMap(r.fields, log.Data); err != nil {
		t.Fatal(err)
	}
	x.addOrder(t, r)
	x.addPayment(t, r)
	x.addSetting(t, r)
}

// addOrder is the part of the index that is about deposits.
func (x *index) addOrder(t *testing.T, r *record) {
	t.Helper()
	switch r.name {
	case "OrderOpened":
		opened, err := contract.ReadOpened(r.Log)
		if err != nil {
			t.Fatal(err)
		}
		if opened.Number.Cmp(x.orders) != 0 {
			t.Errorf("order number = %s, want %s: a log is missing", opened.Number, x.orders)
		}
		x.orders.Add(x.orders, big.NewInt(1))
		x.held.Add(x.held, opened.Deposit)
		x.deposits[r.id()] = &contract.Deposit{Amount: opened.Deposit, Deadline: opened.Order.Deadline, State: 1}
	case "BurnReceived":
		x.depositOf(r).Domain = uint32(r.number(3).Uint64())
	case "OrderReleased", "OrderRefunded", "OrderReclaimed":
		x.held.Sub(x.held, x.depositOf(r).Amount)
		x.deposits[r.id()] = &contract.Deposit{Amount: new(big.Int), Deadline: new(big.Int)}
	}
}

// addPayment is the part that is about what leaves.
func (x *index) addPayment(t *testing.T, r *record) {
	t.Helper()
	switch r.name {
	case "OrderReleased":
		x.bucket(capOf(contract.ReleasesCap)).release(r.big("amount"), r.BlockTimestamp, x.releasedIn == r.TxHash)
		x.releasedIn = r.TxHash
	case "OrderRefunded":
		x.bucket(capOf(contract.RefundsCap)).spend(r.big("amount"), r.BlockTimestamp)
	case "Withdrawn":
		x.bucket(capOf(contract.TreasuryCap)).spend(r.big("amount"), r.BlockTimestamp)
	case "OrderFulfilled":
		var p contract.Payment
		if err := x.code.Event(&p, r.name, r.Log); err != nil {
			t.Fatal(err)
		}
		left := new(big.Int).Add(p.Received, p.IntegratorFee)
		left.Add(left, p.ThirdPartyFee)
		x.bucket(capOf(contract.PaymentsCap)).spend(left, r.BlockTimestamp)
		x.bucket(sourceOf(p.SrcPlace, p.SrcPool)).spend(left, r.BlockTimestamp)
		x.say([]any{uint8(1)}, "settlements", [32]byte(r.id()))
	}
}

// addSetting is the part that is about what was set.
func (x *index) addSetting(t *testing.T, r *record) {
	t.Helper()
	switch r.name {
	case "CapSet":
		x.bucket(capOf(uint8(r.number(1).Uint64()))).cap = r.big("cap")
	case "SourceSet":
		b := x.bucket(sourceOf(r.number(1), r.at(2)))
		b.cap = r.big("cap")
		x.say([]any{r.fields["state"], r.fields["rate"], b}, "sources", r.number(1), r.at(2))
	case "DestinationSet":
		x.say(contractFields(t, r.name, r.Log), "destinations", r.number(1), r.at(2))
	case "PausesSet":
		x.say([]any{r.fields["deposits"]}, "depositsPaused")
		x.say([]any{r.fields["payments"]}, "paymentsPaused")
	case "TreasurySet":
		x.say([]any{r.fields["listed"]}, "treasury", r.at(1))
	case "FeeBoundSet":
		x.say([]any{r.fields["bound"]}, "feeBound")
	}
}

func contractFields(t *testing.T, event string, log *types.Log) []any {
	var set struct{ Destination contract.Destination }
	if err := contract.Pool.Event(&set, event, log); err != nil {
		t.Fatal(err)
	}
	d := set.Destination
	return []any{d.Delivery, d.State, d.Pool, d.Rate, d.Lifetime}
}

// finish adds the answers that are sums.
func (x *index) finish() {
	x.say([]any{x.orders.Uint64()}, "orders")
	x.say([]any{x.owed, x.held}, "totals")
	for id, d := range x.deposits {
		x.say([]any{d.Amount, d.Deadline, d.Domain, d.State}, "deposits", [32]byte(id))
	}
	for kind := contract.PaymentsCap; kind <= contract.TreasuryCap; kind++ {
		x.say([]any{x.bucket(capOf(kind))}, "caps", kind)
	}
}

// encode writes answers as a contract does.
func encode(answers []any) []byte {
	var out []byte
	word := func(n *big.Int) { out = append(out, common.BigToHash(n).Bytes()...) }
	for _, a := range answers {
		switch v := a.(type) {
		case *big.Int:
			word(v)
		case *bucket:
			word(v.cap)
			word(v.level)
			word(v.since)
		case common.Address:
			word(v.Big())
		case bool:
			word(big.NewInt(map[bool]int64{true: 1}[v]))
		default:
			n, _ := new(big.Int).SetString(fmt.Sprint(v), 10)
			word(n)
		}
	}
	return out
}

// checkLogsTellAll rebuilds the state of every contract of a plan from its logs
// alone and compares it with what the contract says.
func checkLogsTellAll(t *testing.T, n *devnet.Net, p *deployment.Plan) {
	t.Helper()
	for _, d := range p.Contracts {
		c := n.Chains[d.Network]
		if c == nil || d.Code == contract.Registry {
			continue
		}
		x := indexOf(t, c, &d)
		for call, want := range x.answers {
			got, err := c.Call(t.Context(), common.Address(d.Address), []byte(call))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, encode(want)) {
				t.Errorf("%s: call %x answers\n%x, the logs say\n%x", d.Name, call, got, encode(want))
			}
		}
	}
}

func indexOf(t *testing.T, c *evm.Chain, d *creation.Contract) *index {
	t.Helper()
	logs, err := c.Logs(t.Context(), ethereum.FilterQuery{FromBlock: new(big.Int), Addresses: []common.Address{common.Address(d.Address)}})
	if err != nil {
		t.Fatal(err)
	}
	x := newIndex(d.Code)
	for i := range logs {
		x.add(t, &logs[i])
	}
	x.finish()
	return x
}
