// Package alert keeps the alerts that are up: those that orders raise, and the
// alarms of the journal, which outlive a settler. It tells which chains they
// stop.
package alert

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/swap"
)

// An Alert is one that is up.
type Alert struct {
	step.Alert
	Orders int       // that raise it
	Since  time.Time // when the first of them did
}

// An Alarm is an alert of an order, or of a lost block, that the journal keeps.
type Alarm struct {
	step.Alert
	Subject order.Hash
	Since   time.Time
}

// A Board has all alerts. It may be used from many goroutines.
type Board struct {
	log  *slog.Logger
	mu   sync.Mutex
	up   raised // by orders
	kept raised // by the journal
}

type raised map[step.Alert]map[order.Hash]time.Time

// NewBoard returns a board without alerts, which logs each that is raised.
func NewBoard(log *slog.Logger) *Board {
	return &Board{log: log, up: raised{}, kept: raised{}}
}

// Clear takes all down: another settler has the orders now, and raises its own.
func (b *Board) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.up, b.kept = raised{}, raised{}
}

// Set replaces the alerts of one order.
func (b *Board) Set(now time.Time, id order.ID, alerts []step.Alert) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for a, orders := range b.up {
		if !slices.Contains(alerts, a) {
			delete(orders, id)
		}
		if len(orders) == 0 {
			delete(b.up, a)
		}
	}
	for _, a := range alerts {
		if b.up.add(a, id, now) {
			b.tell(a, id)
		}
	}
}

// Keep replaces the alarms.
func (b *Board) Keep(alarms []Alarm) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.kept
	b.kept = raised{}
	for _, a := range alarms {
		b.kept.add(a.Alert, a.Subject, a.Since)
		if _, known := before[a.Alert][a.Subject]; !known {
			b.tell(a.Alert, a.Subject)
		}
	}
}

// add reports whether the alert is new for this subject.
func (r raised) add(a step.Alert, subject order.Hash, since time.Time) bool {
	if r[a] == nil {
		r[a] = map[order.Hash]time.Time{}
	}
	if _, known := r[a][subject]; known {
		return false
	}
	r[a][subject] = since
	return true
}

func (b *Board) tell(a step.Alert, subject order.Hash) {
	level := slog.LevelWarn
	if a.Page {
		level = slog.LevelError
	}
	b.log.Log(context.Background(), level, "alert", "name", a.Name, "page", a.Page, "stop", a.Stop, "subject", subject, "chain", a.Chain, "do", a.Remedy())
}

// List returns what is up, by name.
func (b *Board) List() (list []Alert) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, all := range []raised{b.up, b.kept} {
		for a, orders := range all {
			up := Alert{Alert: a, Orders: len(orders)}
			for _, at := range orders {
				if up.Since.IsZero() || at.Before(up.Since) {
					up.Since = at
				}
			}
			list = append(list, up)
		}
	}
	slices.SortFunc(list, func(a, b Alert) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Chain, b.Chain)) })
	return list
}

// Stops reports whether an alert stops payments of a chain.
func (b *Board) Stops(chain swap.ChainID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, all := range []raised{b.up, b.kept} {
		for a := range all {
			if a.Stop && a.Chain == chain {
				return true
			}
		}
	}
	return false
}
