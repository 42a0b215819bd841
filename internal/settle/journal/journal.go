// Package journal is the settler's write-ahead log: what was seen, what was
// decided, and every byte that was signed, committed before it is sent. The
// chain is the truth; losing the journal costs gas, never money.
package journal

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// What a journal answers besides the failures of its database.
var (
	// ErrHeld means that another writer holds the journal. Try again later.
	ErrHeld = errors.New("the journal is held by another settler: wait until its lease ends, or stop it")

	// ErrLost means that another writer took the journal over, or that its
	// server may have lost writes. This one must stop; what it had committed is
	// known to its successor.
	ErrLost = errors.New("the journal was taken over by another settler, or its server was restarted: stop this one")

	// ErrUnknown means that the connection broke during the commit. Call Renew,
	// which waits until the commit is decided, then ask for the attempt by its
	// hash before sending anything.
	ErrUnknown = errors.New("the outcome of the commit is unknown: renew the lease and read the attempt back")

	// ErrExposure means that a payment would exceed the exposure.
	ErrExposure = errors.New("not reserved: the exposure to deposits that are not final would exceed its cap")

	// ErrNonce means that a nonce would leave a hole or is used.
	ErrNonce = errors.New("not the next nonce of this key")

	// ErrTask means that a task is not ready to be sent.
	ErrTask = errors.New("the task is not ready: it was sent already, or is no longer wanted")
)

// A Journal is opened by every replica. Reading needs no lease.
type Journal interface {
	Reader

	// Acquire takes the journal for writing, or fails with [ErrHeld].
	Acquire(ctx context.Context, holder string) (Writer, error)

	// AddWish records what an operator asks for. The writer obeys it under the
	// same rules as everything else.
	AddWish(ctx context.Context, w Wish) error

	Close() error
}

// A Writer is the one that may write. It fails with [ErrLost] from the moment
// another has taken over.
type Writer interface {
	// Write runs fn in one transaction. Nothing of it is kept unless it
	// returns nil. Writes come one after the other, so that what fn reads stays
	// true until it is kept.
	Write(ctx context.Context, fn func(Tx) error) error

	// Renew extends the lease. It returns after every earlier Write of this
	// writer is decided.
	Renew(ctx context.Context) error

	Epoch() int64
	Release(ctx context.Context) error
}

// A Reader answers questions.
type Reader interface {
	Order(ctx context.Context, id order.ID) (Order, bool, error)
	OrdersDue(ctx context.Context, now time.Time, limit int) ([]Order, error) // open, not before their time, oldest first
	OrdersBySource(ctx context.Context, tx order.Hash) ([]Order, error)
	NotBefore(ctx context.Context, ids []order.ID) (map[order.ID]time.Time, error) // of those that are there
	Facts(ctx context.Context, id order.ID) ([]Fact, error)
	FactsBy(ctx context.Context, ids []order.ID) (map[order.ID][]Fact, error)
	FactsByTx(ctx context.Context, tx order.Hash) ([]Fact, error)
	FactsOpen(ctx context.Context, chain swap.ChainID) ([]Fact, error)                  // neither final nor gone, by block
	FactsFrom(ctx context.Context, chain swap.ChainID, block uint64) ([]Fact, error)    // not gone, in that block or later, latest first
	FactFinal(ctx context.Context, chain swap.ChainID) (Fact, bool, error)              // the latest that is final and not gone
	FactsOf(ctx context.Context, chain swap.ChainID, event order.Event) ([]Fact, error) // not gone
	Holding(ctx context.Context, source order.Pool, block uint64) (Holding, error)      // after that block
	Tasks(ctx context.Context, subject order.Hash) ([]Task, error)
	TasksBy(ctx context.Context, subjects []order.Hash) (map[order.Hash][]Task, error)
	TasksReady(ctx context.Context, chain swap.ChainID) ([]Task, error)
	NoncesOf(ctx context.Context, task int64) ([]Nonce, error) // that carry the task
	TasksOf(ctx context.Context, chain swap.ChainID, key swap.Address, nonce uint64) ([]Task, error)
	TxsOpen(ctx context.Context, chain swap.ChainID, key swap.Address) ([]Nonce, error)               // not final, lowest first
	TxsFrom(ctx context.Context, chain swap.ChainID, key swap.Address, nonce uint64) ([]Nonce, error) // that one and above, in any state, lowest first
	TxLast(ctx context.Context, chain swap.ChainID, key swap.Address) (Nonce, bool, error)            // the highest, in any state
	TxsSent(ctx context.Context) (map[swap.Address]uint64, error)                                     // by key: how many are sent and not known to be mined
	Attempts(ctx context.Context, chain swap.ChainID, key swap.Address, nonce uint64) ([]Attempt, error)
	Attempt(ctx context.Context, hash order.Hash) (Attempt, bool, error)
	BurnsUnsigned(ctx context.Context, now time.Time, limit int) ([]Burn, error) // due, without the issuer's signature, those that endpoints agree on first, then the least asked about
	BurnsSigned(ctx context.Context, now time.Time, limit int) ([]Burn, error)   // due, with the issuer's signature, oldest first
	Burn(ctx context.Context, key order.Hash) (Burn, bool, error)
	BurnByNonce(ctx context.Context, source swap.Domain, nonce []byte) (Burn, bool, error)
	WishesOpen(ctx context.Context) ([]Wish, error)
	Cursors(ctx context.Context) ([]Cursor, error)
	Alarms(ctx context.Context) ([]Alarm, error)                                  // also those that were accepted
	Exposure(ctx context.Context) (map[order.Pool]swap.Amount, error)             // by chain and token
	Unreleased(ctx context.Context) (map[order.Pool]swap.Amount, error)           // by source: deposits of paid orders that it still holds
	Losses(ctx context.Context, since time.Time) (map[swap.ChainID]uint64, error) // tasks at a loss, but for those that were never signed
	TasksMined(ctx context.Context) ([]Mined, error)                              // sent, and their nonce is used
	OrdersPaying(ctx context.Context) ([]Order, error)                            // those with a payment that is sent
	OrdersBy(ctx context.Context, f Filter) ([]Order, error)                      // oldest first
	BurnsByTx(ctx context.Context, tx order.Hash) ([]Burn, error)
	BurnsDoubted(ctx context.Context, some Doubted, limit int) ([]Burn, error) // by key
	BurnsByMint(ctx context.Context, tx order.Hash) ([]Burn, error)
	BurnAges(ctx context.Context) ([]BurnAge, error)          // of burns that are not done
	BurnsOf(ctx context.Context, id order.ID) ([]Burn, error) // that became the order, or came from its payment or refund
	WishesOf(ctx context.Context, subject order.ID) ([]Wish, error)
	Ages(ctx context.Context) ([]Age, error)
	Owed(ctx context.Context) ([]Owed, error) // of orders that are not paid and have a paying pool, and whose deposit several endpoints have

	// All reads everything at one moment, for audits.
	All(ctx context.Context) (*Image, error)
}

// A Tx is a write transaction. It reads its own writes.
type Tx interface {
	Reader

	SetCursor(ctx context.Context, c Cursor) error
	SetCensus(ctx context.Context, c Census) error

	// PutOrder records a deposit and its proof, which makes the order due. A
	// final deposit frees what its tasks reserved. State is only set when the
	// order is new.
	PutOrder(ctx context.Context, o Order) error

	// SetState records a decision. A state on an earlier step raises the
	// revision.
	SetState(ctx context.Context, id order.ID, d Decision) error
	SetRefusal(ctx context.Context, id order.ID, r order.Refusal) error

	// PutFact records an event and makes its order due, so that news is looked
	// at after a crash too.
	PutFact(ctx context.Context, f Fact) error

	// Due makes an order due at once. Its NotBefore is then another than before,
	// in the past, so that a decision made in between can be thrown away.
	Due(ctx context.Context, id order.ID) error
	// PutBurn records a burn and makes its order due. One that had arrived and
	// has not any more raises the order's revision.
	PutBurn(ctx context.Context, b Burn) error

	// AddTask records a ready task and returns its number. One like it that is
	// ready or sent is an error.
	AddTask(ctx context.Context, t Task) (int64, error)

	// EndTask makes a task done or void, and its order due. A void one reserves
	// nothing.
	EndTask(ctx context.Context, id int64, p order.Progress) error

	// Commit records a signed transaction with its nonce and its tasks, which
	// are sent from then on, and reserves the exposure of each within caps, but
	// for those whose deposit became final meanwhile.
	Commit(ctx context.Context, a Attempt, tasks []Reserved, caps map[order.Pool]swap.Amount) error

	// AddAttempt records a replacement for a nonce that is not mined.
	AddAttempt(ctx context.Context, a Attempt) error

	// MarkSent counts a broadcast. A failure is kept as text; it does not mean
	// that the bytes were not sent.
	MarkSent(ctx context.Context, hash order.Hash, at time.Time, failure string) error
	SetNonce(ctx context.Context, n Nonce) error

	// PutAlarm raises an alarm, or records that it is accepted. EndAlarm forgets
	// one whose cause is gone.
	PutAlarm(ctx context.Context, a Alarm) error
	EndAlarm(ctx context.Context, a Alarm) error
	EndWish(ctx context.Context, id order.Hash, at time.Time, result string) error
}
