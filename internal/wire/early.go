package wire

import (
	"encoding/json"

	"hubquote/swap"
)

// EarlyV3 is a quote of the earlier v3 revision, which knew no integrators and
// had a flat fee.
type EarlyV3 struct {
	To               string           `json:"to"`
	SrcToken         Token            `json:"srcToken"`
	DestToken        Token            `json:"destToken"`
	SrcAmount        string           `json:"srcAmount"`
	DestAmount       string           `json:"destAmount"`
	Fee              EarlyFee         `json:"fee"`
	Approval         *Approval        `json:"approval,omitempty"`
	MethodParameters MethodParameters `json:"methodParameters"`
	Route            Route            `json:"route"`
}

// EarlyFee is the protocol's fee in the destination token's smallest units.
type EarlyFee struct {
	Percentage json.Number `json:"percentage"`
	Amount     string      `json:"amount"`
	Token      string      `json:"token"` // always "destination"
}

// NewEarlyV3 shows q in the earlier v3 revision.
func NewEarlyV3(q *swap.Quote) *EarlyV3 {
	p := q.Fees.Protocol
	return &EarlyV3{
		To:               q.Payload.To.String(),
		SrcToken:         NewToken(q.Route.SrcToken),
		DestToken:        NewToken(q.Route.DstToken),
		SrcAmount:        q.Amount.Dec(),
		DestAmount:       q.Received.Dec(),
		Fee:              EarlyFee{percentage(p.Rate), p.Amount.Dec(), feeToken},
		Approval:         approval(q.Payload.Approval),
		MethodParameters: methodParameters(&q.Payload),
		Route:            Route{q.Route.Kind},
	}
}
