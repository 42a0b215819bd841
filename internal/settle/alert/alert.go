// Package alert keeps the alerts that orders raise: which are up, since when,
// and which chains they stop.
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

// A Board has all alerts. It may be used from many goroutines.
type Board struct {
	log *slog.Logger
	mu  sync.Mutex
	up  map[step.Alert]map[order.ID]time.Time
}

// NewBoard returns a board without alerts, which logs each that is raised.
func NewBoard(log *slog.Logger) *Board {
	return &Board{log: log, up: map[step.Alert]map[order.ID]time.Time{}}
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
		b.raise(now, id, a)
	}
}

func (b *Board) raise(now time.Time, id order.ID, a step.Alert) {
	if b.up[a] == nil {
		b.up[a] = map[order.ID]time.Time{}
	}
	if _, known := b.up[a][id]; known {
		return
	}
	b.up[a][id] = now
	level := slog.LevelWarn
	if a.Page {
		level = slog.LevelError
	}
	b.log.Log(context.Background(), level, "alert", "name", a.Name, "page", a.Page, "order", id, "chain", a.Chain)
}

// List returns what is up, by name.
func (b *Board) List() (list []Alert) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for a, orders := range b.up {
		up := Alert{Alert: a, Orders: len(orders)}
		for _, at := range orders {
			if up.Since.IsZero() || at.Before(up.Since) {
				up.Since = at
			}
		}
		list = append(list, up)
	}
	slices.SortFunc(list, func(a, b Alert) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Chain, b.Chain)) })
	return list
}

// Stops reports whether an alert stops payments of a chain.
func (b *Board) Stops(chain swap.ChainID) bool {
	return slices.ContainsFunc(b.List(), func(a Alert) bool { return a.Stop && a.Chain == chain })
}
