package event

import (
	"fmt"

	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/settle/order"
)

// refusals are the errors that a payment ends in. Only what no later state of
// any contract can change is for good.
var refusals = map[string]order.Refusal{
	"Expired":         {Why: order.Deadline, ForGood: true},
	"WrongPool":       {Why: order.Refused, ForGood: true},
	"NothingToPay":    {Why: order.Refused, ForGood: true},
	"TooManyDecimals": {Why: order.Refused, ForGood: true},

	"UnknownSource":  {Why: order.Shut},
	"SourceIsClosed": {Why: order.Shut},
	"Illiquid":       {Why: order.Liquidity},
	"CapExceeded":    {Why: order.Cap},
	"FeeTooHigh":     {Why: order.Fee},
	"CannotPay":      {Why: order.Recipient},

	"PaymentsArePaused": {Why: order.Paused},

	// Another payment or a cancellation came first. The contract's record says
	// which, so that this is no refusal.
	"AlreadySettled": {},
}

// RefusalOf returns what a contract's error says about paying an order. An
// error that is not known is one to try again after.
func RefusalOf(selector [4]byte) order.Refusal {
	if e, err := contract.Pool.ABI().ErrorByID(selector); err == nil {
		if r, known := refusals[e.Name]; known {
			return r
		}
	}
	return order.Refusal{Why: order.Refused}
}

func skipped(_ *Reader, log *types.Log, e *Event) ([]Event, error) {
	why, err := selector(log, "OrderSkipped")
	if err != nil {
		return nil, fmt.Errorf("order %v: %w", e.Fact.Order, err)
	}
	e.Event, e.Refusal = order.EventSkipped, RefusalOf(why)
	return []Event{*e}, nil
}

// releaseSkipped refuses nothing for good: a release is tried until the deposit
// is no longer held, and only the record says that.
func releaseSkipped(_ *Reader, log *types.Log, e *Event) ([]Event, error) {
	why, err := selector(log, "ReleaseSkipped")
	if err != nil {
		return nil, fmt.Errorf("order %v: %w", e.Fact.Order, err)
	}
	e.Event = order.EventSkipped
	if r := RefusalOf(why); r.Why == order.Cap {
		e.Refusal = r
	}
	return []Event{*e}, nil
}

func selector(log *types.Log, name string) ([4]byte, error) {
	var said struct{ Why [4]byte }
	err := contract.Pool.Event(&said, name, log)
	return said.Why, err
}
