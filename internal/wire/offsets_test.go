package wire_test

import (
	"encoding/hex"
	"testing"

	"hubquote/internal/wire"
	"hubquote/internal/wire/decoded"
	"hubquote/swap"
	"hubquote/test/quotes"
)

// The offsets point at the amount and the recipient on every route.
func TestOffsets(t *testing.T) {
	for _, q := range quotes.OnEveryRoute(t) {
		v := wire.NewV3(q, wire.Includes{Decoded: true})
		call, at := q.Payload.Calldata, v.Decoded.Offsets
		var amount swap.Amount
		amount.SetBytes32(call[at.Amount : at.Amount+32])
		recipient := recipientOf(v.Decoded)
		if got := "0x" + hex.EncodeToString(call[at.Recipient:at.Recipient+len(recipient)/2-1]); amount != q.Amount || got != recipient {
			t.Errorf("%s on %d: amount %s and recipient %s at the offsets, want %s and %s",
				q.Route.SrcToken.Symbol, q.Route.Src.ID, amount.Dec(), got, q.Amount.Dec(), recipient)
		}
	}
}

func recipientOf(d *decoded.Call) string {
	if d.Hook != nil {
		return d.Hook.Recipient
	}
	return d.Arguments.(decoded.PoolArguments).Recipient
}
