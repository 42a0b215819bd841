package order_test

import (
	"math/big"
	"testing"

	"hubquote/internal/contract"
	"hubquote/internal/settle/order"
)

// The place is read from the bytes that the contracts' encoding has.
func TestPlace(t *testing.T) {
	body := contract.Order{SrcPlace: big.NewInt(42161), Nonce: big.NewInt(1), Amount: big.NewInt(2), DstPlace: big.NewInt(369), Deadline: big.NewInt(3)}
	o := order.Order{Body: body.Bytes()}
	if got := o.Place(); got != 42161 {
		t.Errorf("Place = %d, want 42161", got)
	}
	if got := (&order.Order{}).Place(); got != 0 {
		t.Errorf("Place without a body = %d, want 0", got)
	}
}
