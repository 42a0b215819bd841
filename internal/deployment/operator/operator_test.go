package operator_test

import (
	"strings"
	"testing"
	"time"

	"hubquote/internal/deployment/operator"
	"hubquote/swap"
	"hubquote/test/reference"
)

const day = 24 * time.Hour

func TestCompleteAccepts(t *testing.T) {
	tests := []struct {
		name            string
		delay, lifetime time.Duration
		want            time.Duration
	}{
		{"72 hours unless said", 2 * day, 0, 72 * time.Hour},
		{"the shortest delay", day, 2 * day, 2 * day},
		{"the longest delay", 5*day - time.Second, 7 * day, 7 * day},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := operator.Reference(reference.Lanes(t))
			s.AdminDelay, s.Lifetime = tt.delay, tt.lifetime
			got, err := s.Complete(reference.Lanes(t))
			if err != nil || got.Lifetime != tt.want {
				t.Errorf("lifetime %s, error %v; want %s", got.Lifetime, err, tt.want)
			}
		})
	}
}

func TestCompleteRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*operator.Settings)
		want   string
	}{
		{"a role without an account", func(s *operator.Settings) { s.Roles.Standby = swap.Address{} }, "every role"},
		{"a relayer that is its own standby", func(s *operator.Settings) { s.Roles.Standby = s.Roles.Relayer }, "two roles"},
		{"a guardian that is the admin", func(s *operator.Settings) { s.Roles.Guardian = s.Roles.Admin }, "two roles"},
		{"a treasurer that is the last resort", func(s *operator.Settings) { s.Roles.Treasurer = s.Roles.LastResort }, "two roles"},
		{"a delay of less than a day", func(s *operator.Settings) { s.AdminDelay = day - time.Second }, "admin's delay"},
		{"a delay that leaves no time to release", func(s *operator.Settings) { s.AdminDelay = 5 * day }, "admin's delay"},
		{"no delay", func(s *operator.Settings) { s.AdminDelay = 0 }, "admin's delay"},
		{"orders that end before the admin can end a pause", func(s *operator.Settings) { s.Lifetime = 3*day - time.Second }, "a day"},
		{"orders that live too long", func(s *operator.Settings) { s.Lifetime = 7*day + time.Second }, "lifetime"},
		{"a fraction of a second", func(s *operator.Settings) { s.Lifetime = 4*day + 1 }, "whole seconds"},
		{"a fee bound above the rate", func(s *operator.Settings) { s.FeeBound = 5_001 }, "fee bound"},
		{"caps that do not fit together", func(s *operator.Settings) { delete(s.Caps, "receiver") }, "receiver"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := operator.Reference(reference.Lanes(t))
			tt.change(&s)
			if _, err := s.Complete(reference.Lanes(t)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
}

// The bound is compared with the rate of lanes on which a third party takes a fee.
func TestFeeBoundIsComparedWithTheLowestRate(t *testing.T) {
	lanes := reference.Lanes(t)
	for _, l := range lanes {
		if l.ThirdParty() {
			l.Rate = 4_000
			break
		}
	}
	s := operator.Reference(lanes)
	if _, err := s.Complete(lanes); err == nil || !strings.Contains(err.Error(), "would lose money") {
		t.Errorf("error %v, want one about a lane that loses money", err)
	}
	s.FeeBound = 4_000
	if _, err := s.Complete(lanes); err != nil {
		t.Error(err)
	}
}
