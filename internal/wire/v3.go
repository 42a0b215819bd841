package wire

import (
	"encoding/json"

	"hubquote/internal/wire/decoded"
	"hubquote/swap"
)

// V3 is a quote of the current version: exactly the fields of the
// specification, in its order, and those that were asked for with include.
type V3 struct {
	To               string           `json:"to"`
	SrcToken         Token            `json:"srcToken"`
	DestToken        Token            `json:"destToken"`
	SrcAmount        string           `json:"srcAmount"`
	DestAmount       string           `json:"destAmount"`
	Fee              Fee              `json:"fee"`
	Approval         *Approval        `json:"approval,omitempty"`
	MethodParameters MethodParameters `json:"methodParameters"`
	Route            Route            `json:"route"`
	Decoded          *decoded.Call    `json:"decoded,omitempty"`
	Calls            *Calls           `json:"calls,omitempty"`
	Proof            *Proof           `json:"proof,omitempty"`
}

// Fee is the breakdown of the costs of a swap, in the destination token's
// smallest units.
type Fee struct {
	ChainID    uint64        `json:"chainId"`
	Token      string        `json:"token"` // always "destination"
	Protocol   Share         `json:"protocol"`
	Integrator IntegratorFee `json:"integrator"`
	Total      Total         `json:"total"`
}

// A Share is one party's part of the fee.
type Share struct {
	Percentage json.Number `json:"percentage"`
	Amount     string      `json:"amount"`
}

// IntegratorFee is the partner's part; ID and Address are absent without one.
type IntegratorFee struct {
	Share
	ID      string `json:"id,omitempty"`
	Address string `json:"address,omitempty"`
}

// Total is the sum of the fee's parts.
type Total struct {
	Amount string `json:"amount"`
}

// Route is the kind of the route.
type Route struct {
	Type swap.RouteKind `json:"type"`
}

// Includes are the extra fields a request may ask for.
type Includes = swap.Includes

// FeeToken is the token that fees are counted in: always the destination's.
const FeeToken = "destination"

// NewV3 shows q in the current version.
func NewV3(q *swap.Quote, in Includes) *V3 {
	out := &V3{
		To:               q.Payload.To.String(),
		SrcToken:         NewToken(q.Route.SrcToken),
		DestToken:        NewToken(q.Route.DstToken),
		SrcAmount:        q.Amount.Dec(),
		DestAmount:       q.Received.Dec(),
		Fee:              fees(q),
		Approval:         approval(q.Payload.Approval),
		MethodParameters: methodParameters(&q.Payload),
		Route:            Route{q.Route.Kind},
	}
	if in.Decoded {
		out.Decoded = decoded.Of(q.Payload.Call)
	}
	if in.Calls {
		out.Calls = NewCalls(q)
	}
	if in.Proof {
		out.Proof = proof(q.Proof)
	}
	return out
}

func fees(q *swap.Quote) Fee {
	f := Fee{
		ChainID:    uint64(q.Route.FeeChain),
		Token:      FeeToken,
		Protocol:   share(q.Fees.Protocol),
		Integrator: IntegratorFee{Share: share(q.Fees.Integrator)},
		Total:      Total{q.Fees.Total.Dec()},
	}
	if p := q.Fees.Partner; p != nil {
		f.Integrator.ID, f.Integrator.Address = p.ID.String(), p.Wallet.String()
	}
	return f
}

func share(s swap.Share) Share {
	return Share{percentage(s.Rate), s.Amount.Dec()}
}

// A Proof lets the client check that the encrypted recipient is its own. Anyone
// who holds it can recognise the note on chain.
type Proof struct {
	Random     string `json:"random"`
	ShieldSeed string `json:"shieldPrivateKey"`
}

func proof(p *swap.Proof) *Proof {
	if p == nil {
		return nil
	}
	return &Proof{hexOf(p.Random[:]), hexOf(p.ShieldSeed[:])}
}
