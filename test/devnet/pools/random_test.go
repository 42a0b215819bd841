package pools_test

import (
	"flag"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
)

var (
	quotes = flag.Int("pools.quotes", 600, "how many quotes are asked for while the pools change")
	seed   = flag.Uint64("pools.seed", 1, "of what happens")
)

// A run asks for quotes, deposits, and settles as a relayer does, while an operator
// changes the pools at random.
type run struct {
	*trial
	random *rand.Rand
	open   []*opened
	undo   []func()
	tally  map[string]int
}

// An opened is an order whose quote was executed.
type opened struct {
	route  *swap.Route
	quoted *big.Int // what the recipient was promised
	order  contract.Order
	tried  int
}

// No quote is paid less than it promises, and each that was executed is paid or
// refunded, whatever happens to the pools between the quote and the payment.
func (x *trial) noQuoteIsPaidLess() {
	r := &run{trial: x, random: rand.New(rand.NewPCG(*seed, 0)), tally: map[string]int{}}
	var routes []*swap.Route
	for _, route := range x.routes() {
		if route.Kind == swap.Direct {
			routes = append(routes, route)
		}
	}
	r.allow(routes)
	for range *quotes {
		if r.random.IntN(5) == 0 {
			r.change()
		}
		r.trade(routes[r.random.IntN(len(routes))])
		if len(r.open) > 0 && r.random.IntN(3) > 0 {
			r.settle(r.random.IntN(len(r.open)), false)
		}
	}
	for _, undo := range r.undo {
		undo()
	}
	for len(r.open) > 0 {
		r.settle(0, true)
	}
	for _, what := range slices.Sorted(maps.Keys(r.tally)) {
		x.t.Logf("%5d %s", r.tally[what], what)
	}
	if done := r.tally["paid"] + r.tally["refunded"]; done != r.tally["executed"] || done == 0 {
		x.t.Errorf("%d orders were paid or refunded, want all %d, and some", done, r.tally["executed"])
	}
}

// allow lets every pool take what Alice has, and gives her enough.
func (r *run) allow(routes []*swap.Route) {
	r.t.Helper()
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	allowed := map[swap.Address]bool{}
	for _, route := range routes {
		if allowed[route.Target] {
			continue
		}
		allowed[route.Target] = true
		enough := new(big.Int).Mul(route.Limits.Min.ToBig(), big.NewInt(int64(10**quotes)))
		if err := r.Mint(r.t.Context(), route.SrcToken, devnet.Account(devnet.Alice).Address, enough); err != nil {
			r.t.Fatal(err)
		}
		if !route.SrcToken.IsNative() {
			r.send(route.Src.Network, devnet.Alice, common.Address(route.SrcToken.Address), contract.Token.Call("approve", common.Address(route.Target), most))
		}
	}
}

// trade asks for a quote, and executes it.
func (r *run) trade(route *swap.Route) {
	r.t.Helper()
	var amount, times swap.Amount
	times.SetUint64(1 + r.random.Uint64N(9))
	amount.Mul(&route.Limits.Min, &times)
	var recipient swap.Address
	for i := range recipient {
		recipient[i] = byte(1 + r.random.IntN(255))
	}
	a := r.ask(r.service, route, &amount, recipient)
	if a.Code != "" {
		r.tally["not quoted: "+string(a.Code)]++
		return
	}
	r.tally["quoted"]++
	value, err := hexutil.DecodeBig(a.MethodParameters.Value)
	if err != nil {
		r.t.Fatal(err)
	}
	receipt, err := r.Chains[route.Src.Network].Send(r.t.Context(), devnet.Account(devnet.Alice), evm.Tx{
		To: common.HexToAddress(a.To), Data: hexutil.MustDecode(a.MethodParameters.Calldata), Value: value,
	})
	if err != nil {
		r.tally["quoted, and refused by the contract before any money moved"]++
		return
	}
	quoted, ok := new(big.Int).SetString(a.DestAmount, 10)
	if !ok {
		r.t.Fatalf("destAmount = %q, want an integer", a.DestAmount)
	}
	r.tally["executed"]++
	r.open = append(r.open, &opened{route: route, quoted: quoted, order: r.orderOf(receipt)})
}

func (r *run) orderOf(receipt *types.Receipt) contract.Order {
	r.t.Helper()
	log := find(receipt, "OrderOpened")
	if log == nil {
		r.t.Fatal("a swap opened no order")
	}
	o, err := contract.ReadOpened(log)
	if err != nil {
		r.t.Fatal(err)
	}
	return o.Order
}

func find(receipt *types.Receipt, event string) *types.Log {
	for _, log := range receipt.Logs {
		if log.Topics[0] == contract.Pool.ABI().Events[event].ID {
			return log
		}
	}
	return nil
}

// settle pays an order. One that cannot be paid is tried once more, and then
// cancelled and refunded. At last all changes are undone, so that everything ends.
func (r *run) settle(i int, last bool) {
	r.t.Helper()
	o := r.open[i]
	o.tried++
	done := r.pay(o) || o.tried > 1 && r.refund(o)
	if last && !done && o.tried > 3 {
		r.t.Fatalf("an order of %s can be neither paid nor refunded, want one of them: %+v", name(o.route), o.order)
	}
	if done {
		r.open = slices.Delete(r.open, i, i+1)
	}
}

func (r *run) pay(o *opened) bool {
	r.t.Helper()
	receipt, err := r.relay(o.route.FeeChain, o.order.DstPool, "fulfil", o.order, false)
	if err != nil {
		return false
	}
	var paid contract.Payment
	if err := contract.Pool.Event(&paid, "OrderFulfilled", find(receipt, "OrderFulfilled")); err != nil {
		r.t.Fatal(err)
	}
	if paid.Received.Cmp(o.quoted) < 0 {
		r.t.Errorf("an order of %s was paid %s, want at least the quoted %s", name(o.route), paid.Received, o.quoted)
	}
	r.tally["paid"]++
	return true
}

// refund gives a deposit back, after no pool can pay it any more.
func (r *run) refund(o *opened) bool {
	r.t.Helper()
	_, err := r.relay(o.route.FeeChain, o.order.DstPool, "cancel", o.order)
	if err != nil && !strings.Contains(contract.Explain(err).Error(), "AlreadySettled") {
		r.t.Fatal(contract.Explain(err))
	}
	receipt, err := r.relay(o.route.Src.Network, o.order.SrcPool, "refund", o.order)
	if err != nil {
		return false
	}
	var back struct {
		Amount *big.Int
		How    uint8
	}
	if err := contract.Pool.Event(&back, "OrderRefunded", find(receipt, "OrderRefunded")); err != nil {
		r.t.Fatal(err)
	}
	if back.Amount.Cmp(o.order.Amount) != 0 {
		r.t.Errorf("an order of %s got %s back, want %s", name(o.route), back.Amount, o.order.Amount)
	}
	r.tally["refunded"]++
	return true
}

func (r *run) relay(chain swap.ChainID, to common.Address, function string, args ...any) (*types.Receipt, error) {
	return r.Chains[chain].Send(r.t.Context(), devnet.Account(devnet.Relayer), evm.Tx{To: to, Data: contract.Pool.Call(function, args...)})
}

// change undoes something, or does one more thing to a pool.
func (r *run) change() {
	r.t.Helper()
	if n := len(r.undo); n > 0 && r.random.IntN(2) == 0 {
		i := r.random.IntN(n)
		r.undo[i]()
		r.undo = slices.Delete(r.undo, i, i+1)
		return
	}
	lanes := r.Plan.Lanes
	l := lanes[r.random.IntN(len(lanes))]
	for r.Chains[l.Network] == nil || l.Routes[0].Burn != nil {
		l = lanes[r.random.IntN(len(lanes))]
	}
	route, payer, source := l.Routes[0], r.pool(l.To), r.pool(l.From)
	from, to := route.Src.Network, l.Network
	set := func(chain swap.ChainID, pool common.Address, function string, before, after []any) {
		r.send(chain, devnet.Admin, pool, contract.Pool.Call(function, after...))
		r.undo = append(r.undo, func() { r.send(chain, devnet.Admin, pool, contract.Pool.Call(function, before...)) })
	}
	dailyCap, rate := r.Plan.Settings.Caps[l.To].Sources[l.From], big.NewInt(int64(l.Rate))
	place := new(big.Int).SetUint64(uint64(l.At.ID))
	terms := func(state contract.Link) []any {
		return []any{new(big.Int).SetUint64(uint64(route.Dst.ID)), common.Address(route.DstToken.Address), r.Plan.Terms(route, payer, state)}
	}
	most := route.Limits.Max.ToBig()
	switch r.random.IntN(7) {
	case 0:
		set(to, payer, "setPauses", []any{false, false}, []any{false, true})
	case 1:
		set(from, source, "setPauses", []any{false, false}, []any{true, false})
	case 2:
		set(to, payer, "setCap", []any{contract.PaymentsCap, r.Plan.Settings.Caps[l.To].Payments}, []any{contract.PaymentsCap, big.NewInt(1)})
	case 3:
		set(to, payer, "setSource", []any{place, source, contract.Open, rate, dailyCap}, []any{place, source, contract.Closed, rate, dailyCap})
	case 4: // a rate at the payer that is higher than what was promised
		set(to, payer, "setSource", []any{place, source, contract.Open, rate, dailyCap}, []any{place, source, contract.Open, big.NewInt(10_000), dailyCap})
	case 5:
		set(from, source, "setDestination", terms(contract.Open), terms(contract.Closed))
	case 6:
		least := route.Limits.Min.ToBig()
		set(from, source, "setLimits", []any{contract.Limits{Min: least, Max: most}}, []any{contract.Limits{Min: least, Max: new(big.Int).Mul(least, big.NewInt(3))}})
	}
}
