package tracking

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"hubquote/internal/strictjson"
	"hubquote/swap"
)

// MaxAnswer is the longest answer that is read. One of a hundred orders has
// about 200 kB.
const MaxAnswer = 1 << 20

// Parse reads an answer. Fields that it does not know are left out, since the
// list of fields grows; a value that is malformed, and a mark that is not the
// sum of the orders', is an error.
func Parse(text []byte) (*swap.Tracking, error) {
	if len(text) > MaxAnswer {
		return nil, errors.New("the status is longer than any honest one")
	}
	if _, err := strictjson.Parse(text); err != nil {
		return nil, fmt.Errorf("the status: %w", err)
	}
	var a Answer
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, errors.New("the status is not in the form of one")
	}
	t := &swap.Tracking{AsOf: a.AsOf, Reason: a.Reason, Stale: a.Stale, Omitted: a.Omitted}
	for _, l := range a.Chains {
		t.Looked = append(t.Looked, swap.Looked{Chain: l.ChainID, Head: l.Head, Final: l.Final})
	}
	for i := range a.Orders {
		s, err := parseStatus(&a.Orders[i])
		if err != nil {
			return nil, fmt.Errorf("the status of order %d: %w", i, err)
		}
		t.Orders = append(t.Orders, *s)
	}
	if t.Omitted < 0 {
		return nil, errors.New("the status: omitted is below zero")
	}
	if t.Mark() != (swap.Mark{Revision: a.Revision, Step: a.Step}) {
		return nil, errors.New("the status: revision and step are not the sums of the orders'")
	}
	return t, nil
}

func parseStatus(in *Status) (*swap.Status, error) {
	if !slices.Contains(swap.Stages, in.Status) {
		return nil, errors.New("an unknown status")
	}
	s := &swap.Status{
		Stage: in.Status, Reason: in.Reason, Mark: swap.Mark{Revision: in.Revision, Step: in.Step},
		Since: in.Since, ETA: in.ETA, Delayed: in.Delayed,
	}
	for _, l := range in.Legs {
		leg := swap.Leg{Kind: l.Kind, Chain: l.ChainID, Tx: l.TxHash, Block: l.Block, Time: l.Time, Final: l.Final}
		if l.BlockHash != nil {
			leg.BlockHash = *l.BlockHash
		}
		s.Legs = append(s.Legs, leg)
	}
	return s, errors.Join(readOrder(s, in), readAction(s, in.Action))
}

var errOrder = errors.New("orderId, order and amounts come together")

func readOrder(s *swap.Status, in *Status) (err error) {
	if in.OrderID == nil && in.Order == nil && in.Amounts == nil {
		return nil
	}
	if in.OrderID == nil || in.Order == nil || in.Amounts == nil {
		return errOrder
	}
	o := in.Order
	s.ID = *in.OrderID
	s.Order = &swap.Order{
		SrcPool: o.SrcPool, RefundTo: o.RefundTo, SrcDecimals: o.SrcDecimals, DstPool: o.DstPool, DstToken: o.DstToken,
		Rate: o.Rate, Integrator: swap.IntegratorID(o.IntegratorID), RecipientType: swap.RecipientType(o.RecipientType), Deadline: o.Deadline,
	}
	if s.Order.Recipient, err = bytesOf(o.Recipient); err != nil {
		return err
	}
	for _, n := range []struct {
		into *swap.Amount
		text string
	}{
		{&s.Order.SrcPlace, o.SrcPlace}, {&s.Order.Nonce, o.Nonce}, {&s.Order.Amount, o.Amount},
		{&s.Order.DstPlace, o.DstPlace}, {&s.Deposited, in.Amounts.Deposited}, {&s.Pays, in.Amounts.Pays},
	} {
		if *n.into, err = number(n.text); err != nil {
			return err
		}
	}
	return nil
}

// number reads an integer in its one spelling, zero included.
func number(s string) (swap.Amount, error) {
	if s == "0" {
		return swap.Amount{}, nil
	}
	return swap.ParseAmount(s)
}

func readAction(s *swap.Status, in *Action) (err error) {
	if in == nil {
		return nil
	}
	s.Action = &swap.Action{Kind: in.Kind, Chain: in.ChainID, To: in.To, After: in.After}
	s.Action.Data, err = bytesOf(in.Data)
	return err
}

func bytesOf(s string) ([]byte, error) {
	if len(s) < 2 || s[:2] != "0x" {
		return nil, errors.New("write bytes as 0x and hexadecimal digits")
	}
	return hex.DecodeString(s[2:])
}
