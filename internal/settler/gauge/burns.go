package gauge

import (
	"context"
	"sync"
	"time"

	"hubquote/internal/metrics"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/burn"
)

// burnStates are those in which a burn waits for something.
var burnStates = []burn.State{burn.Seen, burn.Asking, burn.Attested, burn.Reattest, burn.Delivering, burn.Delivered}

// burns are how many burns wait in each state, for how long, and how late the
// issuer is.
func (s *Source) burns() (list []metrics.Gauge) {
	of := &burnAges{source: s}
	for _, way := range []burn.Way{burn.In, burn.Out, burn.Back} {
		for _, state := range burnStates {
			labels := map[string]string{"way": string(way), "state": string(state)}
			key := [2]string{string(way), string(state)}
			list = append(list,
				metrics.Gauge{Name: "settler_burns", Help: "Burns that are under way, by state.", Labels: labels, Read: func() float64 { return float64(of.age(key).Burns) }},
				metrics.Gauge{Name: "settler_burn_oldest_seconds", Help: "Time that the oldest burn has been in its state.", Labels: labels, Read: func() float64 {
					if oldest := of.age(key).Oldest; !oldest.IsZero() {
						return time.Since(oldest).Seconds()
					}
					return 0
				}})
		}
	}
	return append(list, metrics.Gauge{Name: "settler_burn_late_seconds", Help: "How much longer than usual the issuer has not signed a burn.", Read: s.late})
}

func (s *Source) late() float64 {
	t := s.Term()
	if t == nil {
		return 0
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	late, err := t.Burns.Late(ctx)
	if err != nil {
		s.Log.Warn("cannot read the burns", "err", err)
	}
	return max(0, late.Seconds())
}

// burnAges are read at most once a second: a scrape asks for all of them.
type burnAges struct {
	source *Source
	mu     sync.Mutex
	at     time.Time
	list   map[[2]string]journal.BurnAge
}

func (a *burnAges) age(of [2]string) journal.BurnAge {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Since(a.at) < time.Second {
		return a.list[of]
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	rows, err := a.source.Journal.BurnAges(ctx)
	if err != nil {
		a.source.Log.Warn("cannot count the burns", "err", err)
		return journal.BurnAge{}
	}
	a.at, a.list = time.Now(), sum(rows)
	return a.list[of]
}

// sum adds up the reasons of a state. A burn that is minted and final is only looked
// at again, and waits for nothing.
func sum(rows []journal.BurnAge) map[[2]string]journal.BurnAge {
	list := map[[2]string]journal.BurnAge{}
	for _, row := range rows {
		if row.Status == string(burn.Delivered) && row.Reason == "" {
			continue
		}
		key := [2]string{row.Way, row.Status}
		all := list[key]
		all.Burns += row.Burns
		if all.Oldest.IsZero() || row.Oldest.Before(all.Oldest) {
			all.Oldest = row.Oldest
		}
		list[key] = all
	}
	return list
}
