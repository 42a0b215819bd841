package drift

import (
	"fmt"
	"math/big"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/lens"
)

// states are the words for a link's.
var states = map[contract.Link]string{contract.Draft: "not open", contract.Open: "open", contract.Closed: "closed"}

// From compares what the contract that opens a route's orders promises. Its code
// must be its own.
func From(l *atlas.Leg, s *lens.Seen) []Row {
	r, got, to := &rows{contract: l.From}, l.Destination(&s.Snapshot), l.Route.To().String()
	r.add("to "+to, states[contract.Open], states[got.State])
	r.must("payer for "+to, l.Terms.Pool, got.Pool)
	r.must("delivery to "+to, l.Terms.Delivery, got.Delivery)
	r.add("rate to "+to, l.Terms.Rate, got.Rate)
	r.list[len(r.list)-1].Harmful = got.Rate > l.Terms.Rate
	if got.State == contract.Draft {
		r.excuse() // a draft promises nothing, and can still be changed
	}
	if place := l.Place(&s.Snapshot); place != nil {
		want := new(big.Int).SetUint64(uint64(l.Route.Src.ID))
		r.add(fmt.Sprintf("place of domain %d", l.Route.Burn.Source), want, place)
		r.list[len(r.list)-1].Harmful = place.Sign() != 0 && place.Cmp(want) != 0
	}
	return r.list
}

// To compares what the payer of a route knows. Its code must be its own. The rate
// that it has for the source is no concern of a quote: it pays by the lower of
// that and the order's.
func To(l *atlas.Leg, s *lens.Seen) []Row {
	r := &rows{contract: l.To}
	source, _ := l.Source(&s.Snapshot)
	from := fmt.Sprintf("from %s", l.Route.From())
	r.add(from, states[contract.Open], states[source.State])
	if remote := l.RemoteOf(&s.Snapshot); remote != nil {
		to := "burn for " + l.Route.To().String()
		r.add(to, states[contract.Open], states[remote.State])
		if remote.State != contract.Draft {
			r.must(to+": domain", l.Remote.Domain, remote.Domain)
			r.must(to+": token", l.Remote.Token, remote.Token)
		}
	}
	if l.To.Operator != nil {
		r.add("rate "+from, l.Route.Rate, source.Rate)
		r.add("cap "+from, l.To.Operator.Caps.Sources[l.From.Name], source.Cap)
	}
	return r.list
}
