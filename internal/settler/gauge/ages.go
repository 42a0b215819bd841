package gauge

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
	source Source
	mu     sync.Mutex
	at     time.Time
	list   map[order.State]journal.Age
}

func (a *ages) age(of order.State) journal.Age {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Since(a.at) < time.Second {
		return a.list[of]
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	rows, err := a.source.Journal.Ages(ctx)
	if err != nil {
		a.source.Log.Warn("cannot count the orders", "err", err)
		return journal.Age{}
	}
	a.at, a.list = time.Now(), map[order.State]journal.Age{}
	for _, row := range rows {
		a.list[row.State] = row
	}
	return a.list[of]
}
