package tracker

import (
	"container/list"
	"sync"
	"time"

	"hubquote/swap"
)

// A memory keeps the last answers about orders, those used last.
type memory struct {
	size  int
	mu    *sync.Mutex
	order *list.List // of *entry, the one used last in front
	byTx  map[swap.Hash]*list.Element
}

type entry struct {
	tx     swap.Hash
	answer *swap.Tracking
	at     time.Time
}

func newMemory(size int) memory {
	return memory{size: size, mu: new(sync.Mutex), order: list.New(), byTx: map[swap.Hash]*list.Element{}}
}

func (m *memory) get(tx swap.Hash) (*swap.Tracking, time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.byTx[tx]
	if !ok {
		return nil, time.Time{}
	}
	m.order.MoveToFront(e)
	kept := e.Value.(*entry)
	return kept.answer, kept.at
}

// put keeps an answer, unless a later one is kept already, and returns the later
// one: two requests may be answered in another order than they were sent, and
// one of the settler's replicas may be behind.
func (m *memory) put(tx swap.Hash, answer *swap.Tracking) *swap.Tracking {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.byTx[tx]; ok {
		if kept := e.Value.(*entry); !answer.Mark().Before(kept.answer.Mark()) {
			kept.answer, kept.at = answer, time.Now()
		}
		return e.Value.(*entry).answer
	}
	m.byTx[tx] = m.order.PushFront(&entry{tx, answer, time.Now()})
	if m.order.Len() > m.size {
		last := m.order.Back()
		m.order.Remove(last)
		delete(m.byTx, last.Value.(*entry).tx)
	}
	return answer
}
