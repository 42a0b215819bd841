// Package operator has the decisions of an operator about a deployment: roles, times
// and caps.
package operator

import (
	"errors"
	"fmt"
	"time"

	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/lane"
	"hubquote/swap"
)

// Settings are an operator's decisions. All but the lifetime must be made.
type Settings struct {
	Roles Roles

	// AdminDelay is how long the timelock that is the admin makes its calls
	// wait. The contracts have no delay of their own.
	AdminDelay time.Duration

	// Lifetime is how long an order can be paid. Zero means 72 hours.
	Lifetime time.Duration

	// FeeBound is the largest share of an order that a pool bears as the fee of
	// the issuer or of a privacy pool. An order that costs more waits.
	FeeBound swap.Rate

	// Caps are how much may leave each contract in any 24 hours.
	Caps caps.Table
}

// Roles are the accounts that run a deployment, the same on all networks.
type Roles struct {
	Admin      swap.Address // loosens: routes, rates, caps, roles; a timelock
	Relayer    swap.Address // acts on events of other networks: pays, cancels, releases, refunds
	Standby    swap.Address // a second relayer, for when the first is revoked or lost
	Guardian   swap.Address // only tightens: pauses, closes, lowers, revokes relayers
	Treasurer  swap.Address // moves free liquidity to listed accounts
	LastResort swap.Address // may claim a burn whose sender has no address
}

const (
	defaultLifetime = 72 * time.Hour
	minLifetime     = 6 * time.Hour // as in the contracts
	maxLifetime     = 7 * 24 * time.Hour

	// Seven days after a deadline a deposit can be taken back, even if the order
	// was paid. A guardian may have revoked both relayers by mistake: granting a new
	// one takes the admin's delay, and releasing takes up to two days more.
	minDelay = 24 * time.Hour
	maxDelay = 5 * 24 * time.Hour

	// slack is how much longer than the delay an order must live, so that a
	// pause which the admin ends does not end the orders too.
	slack = 24 * time.Hour

	maxFeeBound = 5_000 // as in the contracts
)

// Complete fills in the lifetime and checks everything.
func (s Settings) Complete(lanes []*lane.Lane) (Settings, error) {
	if s.Lifetime == 0 {
		s.Lifetime = defaultLifetime
	}
	for _, check := range []func() error{s.Roles.check, s.checkTimes, func() error { return s.checkFeeBound(lanes) }} {
		if err := check(); err != nil {
			return s, err
		}
	}
	return s, s.Caps.Check(lanes)
}

func (s *Settings) checkTimes() error {
	switch {
	case s.AdminDelay < minDelay || s.AdminDelay >= maxDelay:
		return fmt.Errorf("the admin's delay is %s, want at least %s and less than %s", s.AdminDelay, minDelay, maxDelay)
	case s.Lifetime < minLifetime || s.Lifetime > maxLifetime || s.Lifetime%time.Second != 0:
		return fmt.Errorf("the lifetime of orders is %s, want whole seconds from %s to %s", s.Lifetime, minLifetime, maxLifetime)
	case s.Lifetime < s.AdminDelay+slack:
		return fmt.Errorf("the lifetime of orders is %s, want at least the admin's delay and a day, %s: a pause by mistake would end every open order", s.Lifetime, s.AdminDelay+slack)
	}
	return nil
}

// checkFeeBound makes sure that no order costs more than it brings in.
func (s *Settings) checkFeeBound(lanes []*lane.Lane) error {
	if s.FeeBound > maxFeeBound {
		return fmt.Errorf("the fee bound is %s %%, the contracts allow %s %%", s.FeeBound.Percent(), swap.Rate(maxFeeBound).Percent())
	}
	for _, l := range lanes {
		if l.ThirdParty() && s.FeeBound > l.Rate {
			return fmt.Errorf("the fee bound is %s %%, but %s pays orders of %s at %s %%: they would lose money", s.FeeBound.Percent(), l.To, l.From, l.Rate.Percent())
		}
	}
	return nil
}

// check refuses an account that is missing or has two roles: one stolen key would
// have the powers of both.
func (r *Roles) check() error {
	roles := map[swap.Address]bool{}
	for _, account := range []swap.Address{r.Admin, r.Relayer, r.Standby, r.Guardian, r.Treasurer, r.LastResort} {
		if account.IsZero() {
			return errors.New("every role needs an account")
		}
		if roles[account] {
			return fmt.Errorf("%s has two roles: give each an account of its own", account)
		}
		roles[account] = true
	}
	return nil
}
