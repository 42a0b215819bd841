// Package drift compares what the chains have with what the catalog says, field by
// field.
package drift

import (
	"fmt"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/lens"
	"hubquote/swap"
)

// A Row is one field of one contract.
type Row struct {
	Network  swap.ChainID
	Contract string // its name
	Field    string
	Want     string // by the catalog, or by the operator's settings
	Got      string // on chain

	// Harmful reports whether a quote would promise more than is paid, or
	// more than is known to be paid.
	Harmful bool
}

// Differs reports whether the chain has something else than it should.
func (r Row) Differs() bool { return r.Want != r.Got }

// rows collects those of one contract.
type rows struct {
	contract *atlas.Contract
	list     []Row
}

func (r *rows) add(field string, want, got any) {
	r.list = append(r.list, Row{Network: r.contract.Network, Contract: r.contract.Name, Field: field, Want: fmt.Sprint(want), Got: fmt.Sprint(got)})
}

// must adds a field in which a difference harms.
func (r *rows) must(field string, want, got any) {
	r.add(field, want, got)
	last := &r.list[len(r.list)-1]
	last.Harmful = last.Differs()
}

// excuse makes all differences so far harmless.
func (r *rows) excuse() {
	for i := range r.list {
		r.list[i].Harmful = false
	}
}

// Unread is the row of a contract that could not be read.
func Unread(c *atlas.Contract) Row {
	return Row{Network: c.Network, Contract: c.Name, Field: "readable", Want: "true", Got: "false"}
}

// Of compares one contract.
func Of(c *atlas.Contract, s *lens.Seen) []Row {
	r := &rows{contract: c}
	if s.Code != nil {
		r.must("code", c.Code.Name, s.Code)
		return r.list
	}
	r.add("code", c.Code.Name, c.Code.Name)
	r.fixed(&c.Fixed, &s.Fixed)
	if !c.Limits.Max.IsZero() {
		r.add("min", c.Limits.Min.Dec(), s.Limits.Min)
		r.add("max", c.Limits.Max.Dec(), s.Limits.Max)
	}
	if c.Query.Kind != contract.ReceiverKind {
		r.add("deposits paused", false, s.DepositsPaused)
	}
	r.add("payments paused", false, s.PaymentsPaused)
	if c.Operator != nil {
		r.operator(c.Operator, s)
	}
	return r.list
}

func (r *rows) fixed(want, got *contract.Fixed) {
	r.must("token", want.Token, got.Token)
	r.must("decimals", want.Decimals, got.Decimals)
	r.must("place", want.Place, got.Place)
	has(r, "registry", want.Registry, got.Registry)
	has(r, "messenger", want.Messenger, got.Messenger)
	has(r, "transmitter", want.Transmitter, got.Transmitter)
	has(r, "pool", want.Pool, got.Pool)
	has(r, "privacy pool", want.PrivacyPool, got.PrivacyPool)
	if r.contract.Query.Kind == contract.ReceiverKind {
		r.must("absorb rate", want.AbsorbRate, got.AbsorbRate)
	}
}

// has adds an address that only some kinds of contracts have, where it is one.
func has[Address comparable](r *rows, field string, want, got Address) {
	if none := *new(Address); want != none || got != none {
		r.must(field, want, got)
	}
}

func (r *rows) operator(want *atlas.Decisions, s *lens.Seen) {
	r.add("admin", want.Admin, s.Admin)
	if r.contract.Query.Kind == contract.ReceiverKind {
		r.add("last resort", r.contract.Fixed.LastResort, s.Fixed.LastResort)
	}
	for i, holder := range want.Holders {
		r.add(holder, true, s.Roles[i])
	}
	r.add("fee bound", want.FeeBound, s.FeeBound)
	r.add("cap of refunds", want.Caps.Refunds, s.Caps[contract.RefundsCap].Cap)
	r.add("cap of releases", want.Caps.Releases, s.Caps[contract.ReleasesCap].Cap)
	if r.contract.Query.Kind != contract.ReceiverKind {
		r.add("cap of payments", want.Caps.Payments, s.Caps[contract.PaymentsCap].Cap)
		r.add("cap of the treasurer", want.Caps.Treasury, s.Caps[contract.TreasuryCap].Cap)
	}
}

// Harmful returns the first row that harms, or nil.
func Harmful(rows []Row) *Row {
	for i := range rows {
		if rows[i].Harmful {
			return &rows[i]
		}
	}
	return nil
}
