package wire

import (
	"encoding/json"

	"hubquote/swap"
)

// V1 is a quote of the first version.
type V1 struct {
	To               string           `json:"to"`
	SrcToken         Token            `json:"srcToken"`
	DestToken        Token            `json:"destToken"`
	SrcAmount        string           `json:"srcAmount"`
	DestAmount       string           `json:"destAmount"`
	Fee              V1Fee            `json:"fee"`
	MethodParameters MethodParameters `json:"methodParameters"`
	Route            V1Route          `json:"route"`
}

// V1Fee is the protocol's fee, in the source token's smallest units.
type V1Fee struct {
	Percentage json.Number `json:"percentage"`
	Amount     string      `json:"amount"`
}

// V1Route is the way through the contracts: always one step.
type V1Route struct {
	Paths []string `json:"paths"` // the tokens passed, first to last
	Swaps []V1Swap `json:"swaps"`
}

// V1Swap is one step: the contract called, and the tokens in and out.
type V1Swap struct {
	Pool string `json:"pool"`
	In   string `json:"in"`
	Out  string `json:"out"`
}

// NewV1 shows q in the first version.
func NewV1(q *swap.Quote) *V1 {
	src, dst := NewToken(q.Route.SrcToken), NewToken(q.Route.DstToken)
	to := q.Payload.To.String()
	return &V1{
		To: to, SrcToken: src, DestToken: dst,
		SrcAmount:        q.Amount.Dec(),
		DestAmount:       q.Received.Dec(),
		Fee:              V1Fee{percentage(q.Fees.Protocol.Rate), q.Fees.InSource.Dec()},
		MethodParameters: methodParameters(&q.Payload),
		Route: V1Route{
			Paths: []string{src.Address, dst.Address},
			Swaps: []V1Swap{{to, src.Address, dst.Address}},
		},
	}
}

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
		Fee:              EarlyFee{percentage(p.Rate), p.Amount.Dec(), FeeToken},
		Approval:         approval(q.Payload.Approval),
		MethodParameters: methodParameters(&q.Payload),
		Route:            Route{q.Route.Kind},
	}
}
