package memory

import (
	"time"

	"hubquote/internal/ratelimit"
)

// NewSized returns a limiter for another number of clients, with another clock.
func NewSized(p ratelimit.Policy, clients int, now func() time.Time) (*Memory, error) {
	return newMemory(p, clients, now)
}

// DefaultClients is the number of clients that [New] has room for.
const DefaultClients = defaultClients
