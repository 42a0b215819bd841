package deployment

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/swap"
)

// addCalls introduces the two ends of every route to each other: the source
// accepts orders for the destination, and the destination pays orders of the
// source at the route's rate.
func (p *Plan) addCalls() error {
	rates := map[[2]string]swap.Rate{}
	for _, r := range p.Routes() {
		from, to := p.Source(r), p.Payer(r)
		if rate, known := rates[[2]string{from, to}]; known && rate != r.Rate {
			return fmt.Errorf("%s pays orders of %s at two rates: a pool cannot tell them apart", to, from)
		}
		rates[[2]string{from, to}] = r.Rate
		p.payers[debt{r.Dst.ID, r.DstToken.Address}] = Payer{to, p.names[to], r.FeeChain, r.Dst}
		p.addSource(r, from)
		p.addPayer(r, from, to)
	}
	return nil
}

// A debt is a token that is owed at a place.
type debt struct {
	place swap.PlaceID
	token swap.Address
}

// A Payer is the pool that pays what is owed somewhere.
type Payer struct {
	Name    string
	Address swap.Address
	Network swap.ChainID
	Place   swap.Place // where it is owed; elsewhere than the pool when that burns
}

// PayerOf returns the pool that pays a token at a place. Both are as an order
// says them, so that they may be anything.
func (p *Plan) PayerOf(place *big.Int, token common.Address) (Payer, bool) {
	if !place.IsUint64() {
		return Payer{}, false
	}
	payer, ok := p.payers[debt{swap.PlaceID(place.Uint64()), swap.Address(token)}]
	return payer, ok
}

// Source is the name of the contract that opens orders of a route.
func (p *Plan) Source(r *swap.Route) string {
	if r.Kind == swap.CCTPInbound {
		return Receiver
	}
	return PoolName(r.Src, r.SrcToken)
}

// Payer is the name of the pool that pays orders of a route.
func (p *Plan) Payer(r *swap.Route) string {
	if name := PoolName(r.Dst, r.DstToken); p.names[name] != (swap.Address{}) {
		return name
	}
	return p.GatewayPool()
}

func (p *Plan) addSource(r *swap.Route, from string) {
	net, code := r.Src.Network, contract.Pool
	if r.Burn != nil {
		net, code = p.Issuer.Gateway, contract.Receiver
		p.tell(net, from, code, fmt.Sprintf("domain %d is %d", r.Burn.Source, r.Src.ID),
			"setSource", uint32(r.Burn.Source), place(r.Src))
	}
	delivery := contract.ToAddress
	if r.Shields() {
		delivery = contract.ToNote
	}
	p.tell(net, from, code, "accept orders for "+PoolName(r.Dst, r.DstToken),
		"setDestination", place(r.Dst), common.Address(r.DstToken.Address), delivery)
}

func (p *Plan) addPayer(r *swap.Route, from, to string) {
	source := contract.Source{Known: true, Decimals: r.SrcToken.Decimals, Rate: uint32(r.Rate)}
	p.tell(r.FeeChain, to, contract.Pool, fmt.Sprintf("pay orders of %s from %d at %s %%", from, r.Src.ID, r.Rate.Percent()),
		"setSource", place(r.Src), common.Address(p.names[from]), source)
	if r.FeeChain != r.Dst.Network {
		remote := contract.Remote{Domain: uint32(p.Issuer.Domains[r.Dst.Network]), Token: common.Address(r.DstToken.Address)}
		p.tell(r.FeeChain, to, contract.GatewayPool, "burn for "+PoolName(r.Dst, r.DstToken),
			"setRemote", place(r.Dst), remote)
	}
}

func place(p swap.Place) *big.Int { return new(big.Int).SetUint64(uint64(p.ID)) }
