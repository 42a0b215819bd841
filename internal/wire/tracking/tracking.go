// Package tracking is the JSON of a status: what the settler answers the quote
// service, and the quote service its clients. Both use this one form, and
// [Parse] refuses what [New] would not write.
package tracking

import (
	"encoding/hex"
	"time"

	"hubquote/swap"
)

// An Answer is the answer about one transaction.
type Answer struct {
	AsOf     time.Time `json:"asOf"`
	Revision uint64    `json:"revision"` // the sum of the orders'
	Step     uint64    `json:"step"`     // the sum of the orders'
	Reason   string    `json:"reason,omitempty"`
	Stale    bool      `json:"stale,omitempty"`
	Chains   []Looked  `json:"chains,omitempty"`
	Orders   []Status  `json:"orders"`
	Omitted  int       `json:"omitted,omitempty"` // more than are listed
}

// Looked is how far a chain was read.
type Looked struct {
	ChainID swap.ChainID `json:"chainId"`
	Head    uint64       `json:"head"`
	Final   uint64       `json:"final"`
}

// A Status is where one order is.
type Status struct {
	OrderID  *swap.Hash `json:"orderId,omitempty"`
	Status   swap.Stage `json:"status"`
	Reason   string     `json:"reason,omitempty"`
	Revision uint64     `json:"revision"`
	Step     uint64     `json:"step"`
	Since    time.Time  `json:"since,omitzero"`
	ETA      time.Time  `json:"eta,omitzero"`
	Delayed  bool       `json:"delayed"`
	Amounts  *Amounts   `json:"amounts,omitempty"`
	Legs     []Leg      `json:"legs"`
	Action   *Action    `json:"action,omitempty"`
	Order    *Order     `json:"order,omitempty"`
}

// Amounts are in the smallest units of the token deposited and of the token
// paid.
type Amounts struct {
	Deposited string `json:"deposited"`
	Pays      string `json:"pays"`
}

// A Leg is one transaction.
type Leg struct {
	Kind      swap.LegKind `json:"kind"`
	ChainID   swap.ChainID `json:"chainId"`
	TxHash    swap.Hash    `json:"txHash"`
	Block     uint64       `json:"block,omitempty"`
	BlockHash *swap.Hash   `json:"blockHash,omitempty"`
	Time      time.Time    `json:"time,omitzero"`
	Final     bool         `json:"final"`
}

// An Action is a call that any account can send.
type Action struct {
	Kind    string       `json:"kind"`
	ChainID swap.ChainID `json:"chainId"`
	To      swap.Address `json:"to"`
	Data    string       `json:"data"`
	After   time.Time    `json:"after,omitzero"`
}

// An Order is the order as its source contract recorded it.
type Order struct {
	SrcPlace      string       `json:"srcPlace"`
	SrcPool       swap.Address `json:"srcPool"`
	RefundTo      swap.Address `json:"refundTo"`
	Nonce         string       `json:"nonce"`
	SrcDecimals   uint8        `json:"srcDecimals"`
	Amount        string       `json:"amount"`
	DstPlace      string       `json:"dstPlace"`
	DstPool       swap.Address `json:"dstPool"`
	DstToken      swap.Address `json:"dstToken"`
	Rate          swap.Rate    `json:"rate"`
	IntegratorID  swap.Hash    `json:"integratorId"`
	RecipientType uint8        `json:"recipientType"`
	Recipient     string       `json:"recipient"`
	Deadline      uint64       `json:"deadline"`
}

// New shows t.
func New(t *swap.Tracking) *Answer {
	mark := t.Mark()
	a := &Answer{
		AsOf: t.AsOf.UTC(), Revision: mark.Revision, Step: mark.Step,
		Reason: t.Reason, Stale: t.Stale, Orders: make([]Status, len(t.Orders)), Omitted: t.Omitted,
	}
	for _, l := range t.Looked {
		a.Chains = append(a.Chains, Looked{l.Chain, l.Head, l.Final})
	}
	for i := range t.Orders {
		a.Orders[i] = NewStatus(&t.Orders[i])
	}
	return a
}

// NewStatus shows s.
func NewStatus(s *swap.Status) Status {
	out := Status{
		Status: s.Stage, Reason: s.Reason, Revision: s.Mark.Revision, Step: s.Mark.Step,
		Since: s.Since.UTC(), ETA: s.ETA.UTC(), Delayed: s.Delayed, Legs: make([]Leg, len(s.Legs)),
	}
	if s.Order != nil {
		out.OrderID = &s.ID
		out.Amounts = &Amounts{s.Deposited.Dec(), s.Pays.Dec()}
		out.Order = newOrder(s.Order)
	}
	for i, l := range s.Legs {
		out.Legs[i] = Leg{Kind: l.Kind, ChainID: l.Chain, TxHash: l.Tx, Block: l.Block, BlockHash: known(l.BlockHash), Time: l.Time.UTC(), Final: l.Final}
	}
	if a := s.Action; a != nil {
		out.Action = &Action{a.Kind, a.Chain, a.To, hexOf(a.Data), a.After.UTC()}
	}
	return out
}

func newOrder(o *swap.Order) *Order {
	return &Order{
		SrcPlace: o.SrcPlace.Dec(), SrcPool: o.SrcPool, RefundTo: o.RefundTo, Nonce: o.Nonce.Dec(), SrcDecimals: o.SrcDecimals,
		Amount: o.Amount.Dec(), DstPlace: o.DstPlace.Dec(), DstPool: o.DstPool, DstToken: o.DstToken, Rate: o.Rate,
		IntegratorID: swap.Hash(o.Integrator), RecipientType: uint8(o.RecipientType), Recipient: hexOf(o.Recipient), Deadline: o.Deadline,
	}
}

func known(h swap.Hash) *swap.Hash {
	if h.IsZero() {
		return nil
	}
	return &h
}

func hexOf(b []byte) string { return "0x" + hex.EncodeToString(b) }
