// Package gauge has the figures that an operator's alerts are made from. They
// are read when they are asked for.
package gauge

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"hubquote/internal/metrics"
	"hubquote/internal/settle/alert"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/watch"
	"hubquote/internal/settler/term"
	"hubquote/swap"
)

// A Source is where the figures come from.
type Source struct {
	Journal journal.Reader
	Alerts  *alert.Board
	Term    func() *term.Term // nil while another settler holds the journal
	Chains  []swap.ChainID
	Keys    []swap.Address // of this settler
	Log     *slog.Logger
}

// patience is how long the journal may take for one figure.
const patience = 2 * time.Second

// List returns what an operator's alerts are made from. No label has a value that
// users choose.
func List(s Source) []metrics.Gauge {
	of := &ages{source: s}
	list := []metrics.Gauge{
		{Name: "settler_writer", Help: "1 while this settler holds the journal.", Read: func() float64 {
			return map[bool]float64{true: 1}[s.Term() != nil]
		}},
	}
	for _, state := range []order.State{
		order.Seen, order.Proved, order.Gone, order.Waiting, order.Parked, order.Paying, order.Paid, order.Claimable, order.Settled,
		order.Cancelling, order.Cancelled, order.Refunding, order.Refunded,
	} {
		labels := map[string]string{"state": string(state)}
		list = append(list,
			metrics.Gauge{Name: "settler_orders", Help: "Open orders, by state.", Labels: labels, Read: func() float64 { return float64(of.age(state).Orders) }},
			metrics.Gauge{Name: "settler_oldest_seconds", Help: "Time that the oldest order has been in its state.", Labels: labels, Read: func() float64 {
				if oldest := of.age(state).Oldest; !oldest.IsZero() {
					return time.Since(oldest).Seconds()
				}
				return 0
			}})
	}
	for _, name := range alerts {
		list = append(list, metrics.Gauge{Name: "settler_alert_orders", Help: "Orders that raise an alert.", Labels: map[string]string{"alert": name}, Read: func() float64 { return s.raised(name) }})
	}
	list = append(list, s.burns()...)
	list = append(list, metrics.Gauge{Name: "settler_left_behind", Help: "Transactions that are sent and not known to be mined, of keys that this settler does not have.", Read: s.leftBehind})
	for _, id := range s.Chains {
		list = append(list, s.chain(id)...)
	}
	return list
}

// alerts are the names of all that an order can raise.
var alerts = []string{
	step.Unreleased, step.ReclaimAnnounced, step.PaidAndReturned, step.PaidNoDeposit, step.ReleasedUnpaid,
	step.FinalityBroken, step.FinalityStalled, step.Poisoned,
}

func (s *Source) raised(name string) (orders float64) {
	for _, a := range s.Alerts.List() {
		if a.Name == name {
			orders += float64(a.Orders)
		}
	}
	return orders
}

// leftBehind counts what no lane looks after: it is neither sent again nor replaced.
func (s *Source) leftBehind() (count float64) {
	if s.Term() == nil {
		return 0
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	sent, err := s.Journal.TxsSent(ctx)
	if err != nil {
		s.Log.Warn("cannot count the transactions", "err", err)
	}
	for key, n := range sent {
		if !slices.Contains(s.Keys, key) {
			count += float64(n)
		}
	}
	return count
}

func (s *Source) chain(id swap.ChainID) []metrics.Gauge {
	labels := map[string]string{"chain": fmt.Sprint(id)}
	gauge := func(name, help string, read func(*term.Term) float64) metrics.Gauge {
		return metrics.Gauge{Name: name, Help: help, Labels: labels, Read: func() float64 {
			if t := s.Term(); t != nil {
				return read(t)
			}
			return 0
		}}
	}
	return []metrics.Gauge{
		gauge("settler_burn_source_down_seconds", "Time for which no endpoint has answered questions about burns.", func(t *term.Term) float64 {
			if since := t.Burns.Health().Chains[id].Since; !since.IsZero() {
				return time.Since(since).Seconds()
			}
			return 0
		}),
		gauge("settler_chain_down_seconds", "Time for which no look at the contracts' logs has succeeded.", func(t *term.Term) float64 {
			if since := watched(t, id).Down; !since.IsZero() {
				return time.Since(since).Seconds()
			}
			return 0
		}),
		gauge("settler_incomplete_contracts", "Contracts that have orders the journal does not know.", func(t *term.Term) float64 {
			return float64(len(watched(t, id).Missing))
		}),
		gauge("settler_head", "The block up to which logs are read.", func(t *term.Term) float64 { return float64(t.Watcher.Passed(id)) }),
		gauge("settler_purse_calls", "Usual calls that the keys can pay for.", func(t *term.Term) float64 { return float64(t.Calls(id)) }),
		gauge("settler_in_flight", "Transactions that are sent and not mined.", func(t *term.Term) (n float64) {
			for _, l := range t.Lanes[id] {
				n += float64(l.Health().Open)
			}
			return n
		}),
		gauge("settler_fee_capped", "1 while a transaction offers all that the fee cap allows.", func(t *term.Term) (n float64) {
			for _, l := range t.Lanes[id] {
				if l.Health().Capped {
					n = 1
				}
			}
			return n
		}),
		gauge("settler_foreign_nonces", "Nonces used by transactions that are not in the journal, since the start.", func(t *term.Term) (n float64) {
			for _, l := range t.Lanes[id] {
				n += float64(l.Health().Foreign)
			}
			return n
		}),
	}
}

// watched is the state of a chain with contracts.
func watched(t *term.Term, id swap.ChainID) watch.Health {
	for _, h := range t.Watcher.Health() {
		if h.Chain == id {
			return h
		}
	}
	return watch.Health{}
}
