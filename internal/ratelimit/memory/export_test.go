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

// NewLargeSized is [NewLarge] with room for so many words, and another clock.
var NewLargeSized = newLarge

// ClientWords is what a client takes besides its requests.
const ClientWords = clientWords
