package wire_test

import (
	"fmt"
	"testing"

	"hubquote/internal/wire"
	"hubquote/test/quotes"
)

// Calls are the transactions of the other fields, in the order they are sent.
func TestCalls(t *testing.T) {
	for _, q := range quotes.OnEveryRoute(t) {
		v := wire.NewV3(q, wire.Includes{Calls: true})
		var want []wire.Call
		if a := v.Approval; a != nil {
			if a.Reset != "" {
				want = append(want, wire.Call{To: a.Token, Data: a.Reset, Value: "0x0"})
			}
			want = append(want, wire.Call{To: a.Token, Data: a.Calldata, Value: "0x0"})
		}
		want = append(want, wire.Call{To: v.To, Data: v.MethodParameters.Calldata, Value: v.MethodParameters.Value})
		c := v.Calls
		if fmt.Sprint(c.Calls) != fmt.Sprint(want) || c.Version != "2.0.0" || c.AtomicRequired != (len(want) > 1) {
			t.Errorf("calls = %v, want version 2.0.0 and %v, atomic if several", c, want)
		}
		if chain := fmt.Sprintf("0x%x", uint64(q.Route.Src.Network)); c.ChainID != chain {
			t.Errorf("%s on %d: calls on chain %s, want the network's, %s", q.Route.SrcToken.Symbol, q.Route.Src.ID, c.ChainID, chain)
		}
	}
}

// The default answer has the specification's fields and no others.
func TestIncludesAreAskedFor(t *testing.T) {
	for _, q := range quotes.OnEveryRoute(t) {
		if v := wire.NewV3(q, wire.Includes{}); v.Decoded != nil || v.Calls != nil || v.Proof != nil {
			t.Errorf("%s on %d: extra fields, want those of include only", q.Route.SrcToken.Symbol, q.Route.Src.ID)
		}
	}
}
