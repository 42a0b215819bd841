// Package caps has the amounts that may leave each contract of a deployment in any
// 24 hours, and checks them against each other.
package caps

import (
	"math/big"

	"hubquote/internal/deployment/lane"
	"hubquote/swap"
)

// Caps are those of one contract, in its token's smallest units. The receiver
// has only refunds and releases.
type Caps struct {
	Payments *big.Int // all orders together
	Refunds  *big.Int
	Releases *big.Int
	Treasury *big.Int

	// Sources bound the payments for the orders of one source, by its name; for
	// the receiver, for each network that was burned on.
	Sources map[string]*big.Int
}

// A Table is the caps of every contract, by name.
type Table map[string]Caps

// The reference deployment's caps, in largest orders: a test of every pair sends
// some of them at once.
const (
	referenceOrders = 400
	referenceSource = 200
)

// Reference returns the caps of the reference deployment.
func Reference(lanes []*lane.Lane) Table {
	t := Table{}
	for name, end := range endsOf(lanes) {
		most := times(end.largest, referenceOrders)
		t[name] = Caps{Refunds: most, Releases: most}
		if name != lane.Receiver {
			t[name] = Caps{Payments: most, Refunds: most, Releases: most, Treasury: most}
		}
	}
	for _, l := range lanes {
		c := t[l.To]
		if c.Sources == nil {
			c.Sources = map[string]*big.Int{}
		}
		c.Sources[l.From] = times(inPaid(l), referenceSource)
		t[l.To] = c
	}
	for name, least := range t.leastReleases(lanes) {
		c := t[name]
		if c.Releases.Cmp(least) < 0 {
			c.Releases = least
		}
		t[name] = c
	}
	return t
}

// An end is a contract at either end of a lane.
type end struct {
	token   *swap.Token
	largest *big.Int // order that it opens or pays, in its own units
}

func endsOf(lanes []*lane.Lane) map[string]end {
	ends := map[string]end{}
	add := func(name string, token *swap.Token, largest *big.Int) {
		if known, ok := ends[name]; !ok || known.largest.Cmp(largest) < 0 {
			ends[name] = end{token, largest}
		}
	}
	for _, l := range lanes {
		add(l.From, l.FromToken, l.Largest.ToBig())
		add(l.To, l.ToToken, inPaid(l))
	}
	return ends
}

// inPaid is a lane's largest deposit in the units that it is paid in.
func inPaid(l *lane.Lane) *big.Int {
	return convert(l.Largest.ToBig(), l.FromToken.Decimals, l.ToToken.Decimals)
}

// leastReleases returns the smallest cap for releases of each source: twice the
// payments that all its payers may make for it.
func (t Table) leastReleases(lanes []*lane.Lane) map[string]*big.Int {
	least := map[string]*big.Int{}
	for _, l := range lanes {
		if least[l.From] == nil {
			least[l.From] = new(big.Int)
		}
		paid := convert(t[l.To].Sources[l.From], l.ToToken.Decimals, l.FromToken.Decimals)
		least[l.From].Add(least[l.From], times(paid, 2))
	}
	return least
}

// convert writes an amount with other decimals, rounded up.
func convert(amount *big.Int, from, to uint8) *big.Int {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(from, to)-min(from, to))), nil)
	if from <= to {
		return scale.Mul(scale, amount)
	}
	up := new(big.Int).Add(amount, scale)
	return up.Sub(up, big.NewInt(1)).Quo(up, scale)
}

func times(n *big.Int, factor int64) *big.Int { return new(big.Int).Mul(n, big.NewInt(factor)) }
