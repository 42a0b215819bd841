package settler

import (
	"context"
	"fmt"
	"time"

	"hubquote/internal/listen"
	"hubquote/internal/metrics"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/track"
	"hubquote/internal/settle/track/look"
	"hubquote/internal/settler/term"
	"hubquote/swap"
)

// statusTimeout is longer than a status request may wait.
const statusTimeout = 35 * time.Second

// addServers opens nothing yet. The status comes first: it is drained.
func (s *Settler) addServers(context.Context) error {
	nodes := map[swap.ChainID]*node.Node{}
	for id, n := range s.networks {
		nodes[id] = n.Nodes[0]
	}
	var err error
	s.status, err = track.New(track.Options{
		Journal: s.journal, Catalogs: s.opts.Generations, Look: look.New(nodes).Look, Health: s.health, Log: s.opts.Log,
	})
	if err != nil {
		return err
	}
	m := metrics.Plain()
	m.Watch(s.gauges()...)
	s.servers = listen.Servers{
		{Name: "status", Address: s.opts.Listen, HTTP: listen.Public(s.status, s.opts.Log)},
		{Name: "admin", Address: s.opts.Admin, HTTP: listen.Admin(m.Handler(), s.opts.Log)},
	}
	s.servers[0].HTTP.WriteTimeout = statusTimeout
	return nil
}

func (s *Settler) present() *term.Term {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term
}

func (s *Settler) health() track.Health {
	writer, epoch := s.Role()
	h := track.Health{Role: "standby", Epoch: epoch}
	if !writer {
		return h
	}
	h.Role = "writer"
	for _, c := range s.present().Watcher.Health() {
		up := 0
		for _, e := range c.Endpoints {
			if e.Fault == "" {
				up++
			}
		}
		h.Chains = append(h.Chains, track.ChainHealth{ID: c.Chain, Head: c.Head, Final: c.Final, Stalled: c.Stalled, Endpoints: up})
	}
	return h
}

// patience is how long the journal may take for one figure.
const patience = 2 * time.Second

// gauges are what an operator's alerts are made from. No label has a value that
// a stranger chose.
func (s *Settler) gauges() []metrics.Gauge {
	list := []metrics.Gauge{
		{Name: "settler_writer", Help: "1 while this settler holds the journal.", Read: func() float64 {
			writer, _ := s.Role()
			return map[bool]float64{true: 1}[writer]
		}},
	}
	for _, state := range []order.State{
		order.Seen, order.Proved, order.Gone, order.Waiting, order.Parked, order.Paying, order.Paid, order.Claimable, order.Settled,
		order.Cancelling, order.Cancelled, order.Refunding, order.Refunded,
	} {
		labels := map[string]string{"state": string(state)}
		list = append(list,
			metrics.Gauge{Name: "settler_orders", Help: "Open orders, by state.", Labels: labels, Read: func() float64 { return float64(s.age(state).Orders) }},
			metrics.Gauge{Name: "settler_oldest_seconds", Help: "Time that the oldest order has been in its state.", Labels: labels, Read: func() float64 {
				if oldest := s.age(state).Oldest; !oldest.IsZero() {
					return time.Since(oldest).Seconds()
				}
				return 0
			}})
	}
	for _, name := range alerts {
		list = append(list, metrics.Gauge{Name: "settler_alert_orders", Help: "Orders that raise an alert.", Labels: map[string]string{"alert": name}, Read: func() float64 { return s.raised(name) }})
	}
	for id := range s.networks {
		list = append(list, s.chainGauges(id)...)
	}
	return list
}

// alerts are the names of all that an order can raise.
var alerts = []string{
	step.Unreleased, step.ReclaimAnnounced, step.PaidAndReturned, step.PaidNoDeposit, step.ReleasedUnpaid,
	step.FinalityBroken, step.FinalityStalled, step.Poisoned,
}

func (s *Settler) raised(name string) (orders float64) {
	for _, a := range s.alerts.List() {
		if a.Name == name {
			orders += float64(a.Orders)
		}
	}
	return orders
}

func (s *Settler) chainGauges(id swap.ChainID) []metrics.Gauge {
	labels := map[string]string{"chain": fmt.Sprint(id)}
	gauge := func(name, help string, read func(*term.Term) float64) metrics.Gauge {
		return metrics.Gauge{Name: name, Help: help, Labels: labels, Read: func() float64 {
			if t := s.present(); t != nil {
				return read(t)
			}
			return 0
		}}
	}
	return []metrics.Gauge{
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
