package sign

import (
	"errors"
	"fmt"

	"hubquote/swap"
)

// A Call is a function of a contract on a chain.
type Call struct {
	Chain    swap.ChainID
	Contract swap.Address
	Selector [4]byte
}

// A Limit bounds what a transaction on a chain may cost.
type Limit struct {
	Cap swap.Amount // the highest fee cap, in wei for a unit of gas
	Gas uint64      // the highest gas limit
}

// A List is all that may be signed. What is not on it is refused; the zero list
// allows nothing.
type List struct {
	Calls  []Call
	Chains map[swap.ChainID]Limit
}

var errData = errors.New("data without a whole selector")

// allows returns why a transaction may not be signed, if so.
func (l *List) allows(t *Transaction, self swap.Address) error {
	limit, known := l.Chains[t.Chain]
	switch {
	case !known:
		return fmt.Errorf("chain %d is not on the list", t.Chain)
	case t.Cap.Gt(&limit.Cap):
		return fmt.Errorf("a fee cap of %s wei is above %s on chain %d", t.Cap.Dec(), limit.Cap.Dec(), t.Chain)
	case t.Tip.Gt(&t.Cap):
		return fmt.Errorf("a tip of %s wei is above the fee cap of %s", t.Tip.Dec(), t.Cap.Dec())
	case t.Gas == 0 || t.Gas > limit.Gas:
		return fmt.Errorf("a gas limit of %d is not between 1 and %d on chain %d", t.Gas, limit.Gas, t.Chain)
	case t.To == self && len(t.Data) == 0:
		return nil
	case len(t.Data) < 4:
		return errData
	}
	return l.calls(Call{t.Chain, t.To, [4]byte(t.Data)})
}

func (l *List) calls(c Call) error {
	for _, listed := range l.Calls {
		if listed == c {
			return nil
		}
	}
	return fmt.Errorf("function %x of %v on chain %d is not on the list", c.Selector, c.Contract, c.Chain)
}
