package deposit_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/calldata"
	"hubquote/internal/deposit"
	"hubquote/swap"
)

var (
	target   = swap.MustAddress("0x1111111111111111111111111111111111111111")
	srcToken = swap.MustAddress("0x2222222222222222222222222222222222222222")
	dstToken = swap.MustAddress("0x3333333333333333333333333333333333333333")
	receiver = swap.MustAddress("0x4444444444444444444444444444444444444444")
	payee    = swap.MustAddress("0x5555555555555555555555555555555555555555")
	refundTo = swap.MustAddress("0x7777777777777777777777777777777777777777")
	partner  = swap.IntegratorIDOf(swap.MustAddress("0x6666666666666666666666666666666666666666"))
	amount   = *uint256.NewInt(7_000_000)
)

func newDeposit(kind swap.RouteKind, src swap.Token) *deposit.Deposit {
	return &deposit.Deposit{
		Route: &swap.Route{
			Kind: kind, Target: target, SrcToken: &src, DstToken: &swap.Token{Address: dstToken}, Dst: swap.Place{ID: 369},
			Burn: &swap.Burn{Gateway: 6, Receiver: receiver, Finality: 1000},
		},
		Amount: amount, Recipient: calldata.ToAddress(payee), Integrator: partner, MaxFee: *uint256.NewInt(8),
	}
}

// withRefunds is a deposit that goes back to another account than its sender.
func withRefunds(kind swap.RouteKind, src swap.Token) *deposit.Deposit {
	d := newDeposit(kind, src)
	d.RefundTo = refundTo
	return d
}

func TestPayloads(t *testing.T) {
	pool := calldata.PoolCall{DstChain: 369, Amount: amount, Recipient: calldata.ToAddress(payee), DstToken: dstToken, Integrator: partner}
	poolFor := pool
	poolFor.RefundTo = refundTo
	hook := calldata.Hook{DstChain: 369, DstToken: dstToken, Integrator: partner, Recipient: calldata.ToAddress(payee)}
	burn := calldata.BurnCall{
		Amount: amount, Domain: 6, Recipient: receiver, Token: srcToken, Caller: receiver,
		MaxFee: *uint256.NewInt(8), Finality: 1000, Hook: hook.Append(nil),
	}
	approve, reset := calldata.ApproveCall{Spender: target, Amount: amount}, calldata.ApproveCall{Spender: target}
	approval := swap.Approval{Token: srcToken, Spender: target, Amount: amount, Calldata: approve.Bytes()}
	withReset := approval
	withReset.Reset = reset.Bytes()
	tests := []struct {
		name    string
		deposit *deposit.Deposit
		want    swap.Payload
	}{
		{"a pool may take the amount of a token and no more", newDeposit(swap.Direct, swap.Token{Address: srcToken}),
			swap.Payload{To: target, Calldata: pool.Bytes(), Approval: &approval}},
		{"the native coin goes with the call", newDeposit(swap.Direct, swap.Token{Address: swap.Native}),
			swap.Payload{To: target, Calldata: pool.Bytes(), Value: amount}},
		{"an allowance that must be zero first is set to zero", newDeposit(swap.Direct, swap.Token{Address: srcToken, ApproveReset: true}),
			swap.Payload{To: target, Calldata: pool.Bytes(), Approval: &withReset}},
		{"a call that names the account for refunds approves the same", withRefunds(swap.Direct, swap.Token{Address: srcToken}),
			swap.Payload{To: target, Calldata: poolFor.Bytes(), Approval: &approval}},
		{"a call that names the account for refunds sends the same value", withRefunds(swap.Direct, swap.Token{Address: swap.Native}),
			swap.Payload{To: target, Calldata: poolFor.Bytes(), Value: amount}},
		{"a burn is minted to the receiver, and by no other account", newDeposit(swap.CCTPInbound, swap.Token{Address: srcToken}),
			swap.Payload{To: target, Calldata: burn.Bytes(), Approval: &approval}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.deposit.Payload()); diff != "" {
				t.Errorf("payload (-want +got):\n%s", diff)
			}
		})
	}
}

// Check refuses every payload that is not the deposit's, whichever byte differs.
func TestCheckRefusesChangedPayloads(t *testing.T) {
	for name, d := range map[string]*deposit.Deposit{
		"token":  newDeposit(swap.Direct, swap.Token{Address: srcToken}),
		"native": newDeposit(swap.Direct, swap.Token{Address: swap.Native}),
		"burn":   newDeposit(swap.CCTPInbound, swap.Token{Address: srcToken}),

		"token with refunds":  withRefunds(swap.Direct, swap.Token{Address: srcToken}),
		"native with refunds": withRefunds(swap.Direct, swap.Token{Address: swap.Native}),
	} {
		t.Run(name, func(t *testing.T) {
			good := d.Payload()
			call, err := d.Check(&good)
			if err != nil || string(call.Bytes()) != string(good.Calldata) {
				t.Fatalf("Check of the payload itself = %v, %v, want its call", call, err)
			}
			for i := range good.Calldata {
				bad := d.Payload()
				bad.Calldata[i] ^= 1
				refuses(t, d, &bad, fmt.Sprintf("byte %d", i))
			}
			for what, spoil := range spoils {
				bad := d.Payload()
				spoil(&bad)
				refuses(t, d, &bad, what)
			}
		})
	}
}

// spoils make a payload that is not that of any deposit in this file.
var spoils = map[string]func(*swap.Payload){
	"the target":  func(p *swap.Payload) { p.To[0] ^= 1 },
	"no target":   func(p *swap.Payload) { p.To = swap.Address{} },
	"the value":   func(p *swap.Payload) { p.Value.AddUint64(&p.Value, 1) },
	"the spender": func(p *swap.Payload) { p.Approval = &swap.Approval{Token: srcToken, Spender: payee, Amount: amount} },
	"the amount": func(p *swap.Payload) {
		p.Approval = &swap.Approval{Token: srcToken, Spender: p.To, Amount: *uint256.NewInt(1)}
	},
	"the token": func(p *swap.Payload) { p.Approval = &swap.Approval{Token: payee, Spender: p.To, Amount: amount} },
}

func refuses(t *testing.T, d *deposit.Deposit, p *swap.Payload, changed string) {
	t.Helper()
	if call, err := d.Check(p); err == nil {
		t.Errorf("Check with %s changed = %v, want an error", changed, call)
	}
}

// Calldata of a deposit with an account for refunds is refused for one without,
// with another, and the reverse; a burn has none.
func TestCheckComparesTheAccountForRefunds(t *testing.T) {
	token := swap.Token{Address: srcToken}
	plain, named, other := newDeposit(swap.Direct, token), withRefunds(swap.Direct, token), withRefunds(swap.Direct, token)
	other.RefundTo = payee
	for _, tt := range []struct {
		name     string
		deposit  *deposit.Deposit
		calldata *deposit.Deposit
	}{
		{"an account that was not asked for", plain, named},
		{"no account where one was asked for", named, plain},
		{"another account", named, other},
	} {
		p := tt.calldata.Payload()
		refuses(t, tt.deposit, &p, tt.name)
	}
	burn := withRefunds(swap.CCTPInbound, token)
	p := burn.Payload()
	refuses(t, burn, &p, "an account for refunds of a burn")
}

// A burn that could be minted to no one is refused although its bytes agree.
func TestCheckRefusesABurnWithoutReceiver(t *testing.T) {
	d := newDeposit(swap.CCTPInbound, swap.Token{Address: srcToken})
	d.Route.Burn.Receiver = swap.Address{}
	p := d.Payload()
	refuses(t, d, &p, "the receiver")
}
