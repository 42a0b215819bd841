package roster

import (
	"hubquote/internal/catalog"
	"hubquote/internal/deployment/addresses"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// Recorded returns the contracts that catalogs record, one catalog for each
// generation, the first one first. It is [Of] for a program that knows the
// addresses and not what they were made with.
func Recorded(generations ...*catalog.Catalog) (r Roster, err error) {
	var receivers []order.Pool
	for i, cat := range generations {
		g := &generation{number: int64(i) + 1, catalog: cat, book: addresses.Of(cat)}
		if g.issuer, err = third.IssuerOf(cat); err != nil {
			return nil, err
		}
		if g.lanes, err = lane.Of(cat); err != nil {
			return nil, err
		}
		g.former = receivers
		r = append(r, g.contracts()...)
		receivers = append(receivers, g.receiver())
	}
	return r, nil
}

type generation struct {
	number  int64
	catalog *catalog.Catalog
	issuer  *third.Issuer
	lanes   []*lane.Lane
	book    addresses.Book
	former  []order.Pool // receivers of the generations before
}

func (g *generation) receiver() order.Pool {
	return order.Pool{Chain: g.issuer.Gateway, Address: g.book[lane.Receiver]}
}

func (g *generation) contracts() (list []Contract) {
	for _, router := range g.catalog.Routers() {
		if router.Kind != swap.Direct {
			continue
		}
		name := lane.PoolName(router.Place, router.Token)
		list = append(list, Contract{
			Pool: order.Pool{Chain: router.Place.Network, Address: router.Address}, Kind: g.kind(router, name), Generation: g.number,
			Token: router.Token.Address, Decimals: router.Token.Decimals, Sources: g.sources(name),
		})
	}
	return append(list, Contract{
		Pool: g.receiver(), Kind: Receiver, Generation: g.number, Token: g.issuer.Token.Address, Decimals: g.issuer.Token.Decimals,
	})
}

func (g *generation) kind(r catalog.Router, name string) Kind {
	switch {
	case r.Place.Private():
		return ShieldPool
	case name == lane.GatewayPool(g.issuer):
		return GatewayPool
	}
	return Pool
}

func (g *generation) sources(payer string) (list []Source) {
	for _, l := range g.lanes {
		if l.To != payer {
			continue
		}
		if l.From != lane.Receiver {
			list = append(list, Source{l.At.ID, order.Pool{Chain: l.At.Network, Address: g.book[l.From]}})
			continue
		}
		list = append(list, Source{l.At.ID, g.receiver()})
		for _, old := range g.former {
			list = append(list, Source{l.At.ID, old})
		}
	}
	return list
}
