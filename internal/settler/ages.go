package settler

import (
	"context"
	"sync"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

// ages are how many orders are in each state, read at most once a second: a
// scrape asks for all of them.
type ages struct {
	mu   sync.Mutex
	at   time.Time
	list map[order.State]journal.Age
}

func (s *Settler) age(of order.State) journal.Age {
	s.ages.mu.Lock()
	defer s.ages.mu.Unlock()
	if time.Since(s.ages.at) < time.Second {
		return s.ages.list[of]
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	rows, err := s.journal.Ages(ctx)
	if err != nil {
		s.opts.Log.Warn("cannot count the orders", "err", err)
		return journal.Age{}
	}
	s.ages.at, s.ages.list = time.Now(), map[order.State]journal.Age{}
	for _, a := range rows {
		s.ages.list[a.State] = a
	}
	return s.ages.list[of]
}
