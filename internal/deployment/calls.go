package deployment

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/swap"
)

// A Step is a part of a deployment. All of one is done before the next.
type Step string

// The steps of a deployment.
const (
	Deploy Step = "deploy" // the contracts
	Write  Step = "write"  // sources, and destinations as drafts, which promise nothing
	Open   Step = "open"   // the destinations, after the contracts were compared with the plan
)

// A Call is one transaction of the admin.
type Call struct {
	Step    Step
	Network swap.ChainID
	To      swap.Address
	Data    []byte
	Says    string // what it does, for people
}

// addCalls plans the calls that connect the two ends of every lane. The sources of
// the paying pool are set first: an order is opened only when it can be paid.
// A rate that was open once can only fall, so that destinations are written as
// drafts, and opened last.
func (p *Plan) addCalls() {
	for _, l := range p.Lanes {
		p.tellPayer(l)
	}
	for _, step := range []Step{Write, Open} {
		for _, l := range p.Lanes {
			for _, r := range l.Routes {
				p.tellSource(step, l, r)
			}
		}
	}
}

func (p *Plan) tellPayer(l *lane.Lane) {
	cap := p.Settings.Caps[l.To].Sources[l.From]
	p.tell(Write, l.Network, l.To, contract.Pool, fmt.Sprintf("pay orders of %s from %d at %s %%", l.From, l.At.ID, l.Rate.Percent()),
		"setSource", place(l.At), p.Address(l.From), contract.Open, big.NewInt(int64(l.Rate)), cap)
	for _, r := range l.Routes {
		p.payers[debt{r.Dst.ID, r.DstToken.Address}] = Payer{l.To, p.Book[l.To], l.Network, r.Dst}
		if r.FeeChain == r.Dst.Network {
			continue
		}
		remote := contract.Remote{
			Domain: uint32(p.Issuer.Domains[r.Dst.Network]), Token: common.Address(r.DstToken.Address), State: contract.Open,
		}
		p.tell(Write, l.Network, l.To, contract.GatewayPool, "burn for "+lane.PoolName(r.Dst, r.DstToken), "setRemote", place(r.Dst), remote)
	}
}

func (p *Plan) tellSource(step Step, l *lane.Lane, r *swap.Route) {
	network, state, says := r.Src.Network, contract.Draft, "draft orders for "
	if step == Open {
		state, says = contract.Open, "accept orders for "
	}
	if r.Burn != nil {
		network = p.Issuer.Gateway
		p.tell(step, network, l.From, contract.Receiver, fmt.Sprintf("domain %d is %d", r.Burn.Source, r.Src.ID),
			"setPlace", uint32(r.Burn.Source), place(r.Src))
	}
	p.tell(step, network, l.From, contract.Pool, says+lane.PoolName(r.Dst, r.DstToken),
		"setDestination", place(r.Dst), common.Address(r.DstToken.Address), p.Terms(r, p.Address(l.To), state))
}

// Terms are the promise of a route's source: that payer, at the route's rate.
func (p *Plan) Terms(r *swap.Route, payer common.Address, state contract.Link) contract.Destination {
	terms := contract.Destination{
		Delivery: contract.ToAddress, State: state, Pool: payer, Rate: uint32(r.Rate), Lifetime: uint32(p.Settings.Lifetime.Seconds()),
	}
	if r.Shields() {
		terms.Delivery = contract.ToNote
	}
	return terms
}

// tell plans a call, unless another route has planned the same one.
func (p *Plan) tell(step Step, network swap.ChainID, to string, code *contract.Compiled, says, function string, args ...any) {
	says = to + ": " + says
	if p.done[says] {
		return
	}
	p.done[says] = true
	p.Calls = append(p.Calls, Call{step, network, p.Book[to], code.Call(function, args...), says})
}

func place(p swap.Place) *big.Int { return new(big.Int).SetUint64(uint64(p.ID)) }
