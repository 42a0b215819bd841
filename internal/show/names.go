package show

import (
	"fmt"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

// names tell people what numbers mean. They come from the built-in catalog, and
// prove nothing.
type names struct{ routes []*swap.Route }

func newNames() (*names, error) {
	c, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	return &names{c.Routes()}, nil
}

func (n *names) place(id swap.PlaceID) string {
	for _, r := range n.routes {
		for _, p := range []swap.Place{r.Src, r.Dst} {
			if p.ID == id {
				return p.Name
			}
		}
	}
	return "chain " + id.String()
}

// token names a token by its address, which is all that a call says, at the
// place the call names.
func (n *names) token(at swap.PlaceID, a swap.Address) string {
	for _, r := range n.routes {
		if r.Dst.ID == at && r.DstToken.Address == a {
			return r.DstToken.Symbol
		}
	}
	return ""
}

// duration is how long the swap usually takes, for people; empty when unknown.
func (n *names) duration(q *swap.Route) string {
	for _, r := range n.routes {
		if r.Src.ID != q.Src.ID || r.Dst.ID != q.Dst.ID || r.SrcToken.Address != q.SrcToken.Address || r.DstToken.Address != q.DstToken.Address {
			continue
		}
		switch {
		case r.Duration == 0:
			return ""
		case r.Duration < 120:
			return fmt.Sprintf("about %d s", r.Duration)
		default:
			return fmt.Sprintf("about %d min", (r.Duration+30)/60)
		}
	}
	return ""
}
