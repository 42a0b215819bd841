package lane

import (
	"github.com/holiman/uint256"

	"hubquote/swap"
)

// A Tx is a nonce of a key, and the last attempt to use it.
type Tx struct {
	Lowest   bool   // the lowest nonce of its key that is not mined
	Mined    bool   // in a block
	Void     bool   // its tasks are no longer wanted
	Filler   bool   // the last attempt is empty already
	Attempts int    // signed so far
	Sent     uint64 // the head when the last attempt was sent
	Tip, Cap swap.Amount
}

// Fees are what a chain asks for, in wei for a unit of gas.
type Fees struct {
	Base, Tip swap.Amount
	Mempool   bool // false: transactions are taken in order of arrival, and a higher fee buys nothing
}

// Limits are when a transaction is replaced and how much it may offer.
type Limits struct {
	After uint64 // blocks that left it out
	Cap   swap.Amount
}

// A Move is what to do about a nonce.
type Move struct {
	Do       Do
	Tip, Cap swap.Amount // for [Replace] and [Fill]
	Page     bool        // the fee cap is reached: a person has to look
}

// A Do is a kind of move.
type Do int

// The moves.
const (
	Keep    Do = iota // leave it alone
	Resend            // send the same bytes again
	Replace           // sign the same call with these fees
	Fill              // sign an empty transaction to oneself with this nonce and these fees
)

// Bump returns the move for a nonce at a head. Only the lowest nonce can hold up
// the others, so only it is replaced. A nonce whose tasks became void is filled
// at once: signed, its call is unwanted; unsigned, the gap holds up all that
// follow.
func Bump(head uint64, t Tx, f Fees, l Limits) Move {
	switch {
	case t.Mined:
		return Move{Do: Keep}
	case t.Attempts == 0 && t.Void:
		return offer(Fill, f, l)
	case t.Void && !t.Filler && f.Mempool:
		return raise(Fill, t, f, l)
	case t.Attempts == 0 || !t.Lowest || head < t.Sent+l.After:
		return Move{Do: Keep}
	case !f.Mempool:
		return Move{Do: Resend}
	}
	if t.Filler {
		return raise(Fill, t, f, l)
	}
	return raise(Replace, t, f, l)
}

// Offer returns the fees of a first attempt.
func Offer(f Fees, l Limits) Move { return offer(Replace, f, l) }

// offer covers two doublings of the base fee, which take six full blocks each.
func offer(do Do, f Fees, l Limits) Move {
	want := new(uint256.Int).Add(new(uint256.Int).Lsh(&f.Base, 1), &f.Tip)
	capped := lower(want, &l.Cap)
	return Move{Do: do, Tip: *lower(&f.Tip, capped), Cap: *capped, Page: want.Gt(&l.Cap)}
}

// raise offers an eighth more of both, as nodes demand a tenth more of both, and
// at least what a new transaction would offer. At the cap the last attempt is
// sent again: a smaller rise would be refused.
func raise(do Do, t Tx, f Fees, l Limits) Move {
	fresh := offer(do, f, l)
	tip, fee := eighth(&t.Tip), eighth(&t.Cap)
	if fee.Gt(&l.Cap) {
		return Move{Do: Resend, Page: true}
	}
	fee = higher(fee, &fresh.Cap)
	return Move{Do: do, Tip: *lower(higher(tip, &fresh.Tip), fee), Cap: *fee}
}

// eighth returns x × 1.125, rounded up, and always more than x.
func eighth(x *uint256.Int) *uint256.Int {
	more := new(uint256.Int).AddUint64(x, 7)
	more.Rsh(more, 3)
	if more.IsZero() {
		more.SetOne()
	}
	return more.Add(more, x)
}

func lower(a, b *uint256.Int) *uint256.Int {
	if a.Lt(b) {
		return a
	}
	return b
}

func higher(a, b *uint256.Int) *uint256.Int {
	if a.Gt(b) {
		return a
	}
	return b
}
