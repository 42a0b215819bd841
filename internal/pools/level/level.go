// Package level decides what a pool is said to have, so that a pool that is nearly
// empty does not flicker between paying and not paying.
package level

import "hubquote/swap"

// A Level is what a pool is said to have. The zero Level is nothing.
type Level struct {
	shown  swap.Amount
	before swap.Amount // what was seen in the last look
}

// Shown returns what the pool is said to have.
func (l *Level) Shown() swap.Amount { return l.shown }

// See takes over what the next look at the pool saw. What is shown falls at once. It
// rises at once by a twentieth and more, or to a twentieth more than the largest
// order; by less when two looks in a row saw it, so that it is never held back for
// long.
func (l *Level) See(has, largest *swap.Amount) {
	both := l.before // what this look and the last one saw
	if has.Lt(&both) {
		both = *has
	}
	l.before = *has
	switch least, enough := more(&l.shown), more(largest); {
	case has.Lt(&l.shown), !has.Lt(&least), !has.Lt(&enough):
		l.shown = *has
	case both.Gt(&l.shown):
		l.shown = both
	}
}

// more is n and a twentieth.
func more(n *swap.Amount) (sum swap.Amount) {
	var twenty swap.Amount
	twenty.SetUint64(20)
	sum.Div(n, &twenty)
	sum.Add(&sum, n)
	return sum
}
