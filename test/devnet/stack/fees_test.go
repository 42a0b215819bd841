package stack_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/swap"
)

// checkFees compares the payments and fees in the events of each pool with the
// quotes.
func checkFees(t *testing.T, w *trial, trades []*trade) {
	payments := w.payments(t)
	for _, j := range trades {
		p, ok := payments[j.payee()]
		if !ok {
			t.Errorf("%s: no payment, want one", j)
			continue
		}
		fee := j.quote.Fee
		if !p.Paid || p.Received.String() != j.quote.DestAmount ||
			p.ProtocolFee.String() != fee.Protocol.Amount || p.IntegratorFee.String() != fee.Integrator.Amount {
			t.Errorf("%s: payment = %+v, want the quoted %s and fees %+v", j, p, j.quote.DestAmount, fee)
		}
	}
}

// payee is the recipient as an order names it: an address, or the note that the
// calldata ends in.
func (j *trade) payee() string {
	if j.wallet == nil {
		return string(j.recipient[:])
	}
	call := j.calldata()
	return string(call[len(call)-swap.NoteLen:])
}

// payments returns every payment on all chains, by its recipient, of which no
// two orders have the same.
func (w *trial) payments(t *testing.T) map[string]contract.Payment {
	recipients, payments := map[common.Hash]string{}, map[string]contract.Payment{}
	for _, log := range w.logs(t, "OrderOpened") {
		opened, err := contract.ReadOpened(&log)
		if err != nil {
			t.Fatal(err)
		}
		recipients[opened.Order.ID()] = string(opened.Order.Recipient)
	}
	for _, log := range w.logs(t, "OrderFulfilled") {
		var p contract.Payment
		if err := contract.Pool.Event(&p, "OrderFulfilled", &log); err != nil {
			t.Fatal(err)
		}
		payments[recipients[log.Topics[1]]] = p
	}
	return payments
}

func (w *trial) logs(t *testing.T, event string) (all []types.Log) {
	for _, c := range w.Chains {
		logs, err := c.Logs(t.Context(), ethereum.FilterQuery{
			FromBlock: new(big.Int), Topics: [][]common.Hash{{contract.Pool.ABI().Events[event].ID}},
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, logs...)
	}
	return all
}
