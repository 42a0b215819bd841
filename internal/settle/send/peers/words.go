package peers

import (
	"encoding/json"
	"errors"
	"strconv"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// An amount is a number of up to 256 bits as JSON-RPC writes it: 0x and
// hexadecimal digits without leading zeros.
type amount swap.Amount

func (a *amount) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	return (*swap.Amount)(a).SetFromHex(text)
}

// A number is an amount of 64 bits.
type number uint64

var errLarge = errors.New("a number of more than 64 bits")

func (n *number) UnmarshalJSON(b []byte) error {
	var a amount
	if err := a.UnmarshalJSON(b); err != nil {
		return err
	}
	if !(*swap.Amount)(&a).IsUint64() {
		return errLarge
	}
	*n = number((*swap.Amount)(&a).Uint64())
	return nil
}

func hexadecimal(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// A hash is 32 bytes behind 0x.
type hash order.Hash

func (h *hash) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	bytes, err := node.ParseBytes(text, len(h))
	if err == nil {
		*h = hash(bytes)
	}
	return err
}
