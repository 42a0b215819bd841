package burns_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/fake/endpoint"
)

// blocks edits the JSON of blocks that are asked for by number.
func blocks(change func(map[string]any)) endpoint.Fault {
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, r)
		var m map[string]any
		if r.Method == "eth_getBlockByNumber" && strings.Contains(string(r.Params[0]), "0x") && json.Unmarshal(a.Result, &m) == nil && m != nil {
			change(m)
			a.Result, _ = json.Marshal(m)
		}
		return a
	}
}

func dated(stamp string) endpoint.Fault {
	return blocks(func(m map[string]any) { m["timestamp"] = stamp })
}

func datedNow() endpoint.Fault { return dated(fmt.Sprintf("0x%x", time.Now().Unix())) }

func misnumbered() endpoint.Fault { return blocks(func(m map[string]any) { m["number"] = "0x1" }) }

func (b *bench) sweep() {
	b.t.Helper()
	if err := b.burns.Sweep(b.t.Context()); err != nil {
		b.t.Errorf("Sweep = %v, want nil", err)
	}
}

// wantSignedOf fails the test unless the issuer signed the burn of a transaction.
func (b *bench) wantSignedOf(tx order.Hash) {
	b.t.Helper()
	if x := must(b.journal.BurnsByTx(b.t.Context(), tx))(b.t); len(x) != 1 || x[0].Attestation == nil {
		b.t.Errorf("the burns are %+v, want one that is signed", x)
	}
}

// One endpoint of three that lies about the time of blocks decides nothing by it.
func TestFalseTimes(t *testing.T) {
	b := newBench(t, swap.Hub, gateway, source)
	for _, stamp := range []string{
		"0x0", "0x1", "0x7fffffffffffffff", "0xffffffffffffffff",
		"0x80038d7ea4c68000", // before now, once it is cut to a number with a sign
	} {
		t.Run("a burn at "+stamp+" is signed", func(t *testing.T) {
			b := b.fresh(t)
			e := b.three(source)
			e[0].Set(dated(stamp))
			tx := b.burn(burned{})
			b.round()
			b.wantSignedOf(tx)
			if x := b.only(); !x.Agreed || time.Since(x.Mined).Abs() > time.Hour {
				t.Errorf("agreed %v, mined at %v, want the time of the block", x.Agreed, x.Mined)
			}
		})
	}
	t.Run("a time that one endpoint gave is corrected", func(t *testing.T) {
		b := b.fresh(t)
		e := b.three(source)
		e[0].Set(dated("0x1"))
		e[1].Set(endpoint.Down)
		e[2].Set(endpoint.Down)
		tx := b.burn(burned{})
		b.round()
		b.wantAgreed(0)
		for i := range e {
			e[i].Set()
		}
		b.mine(source, 1)
		b.round()
		b.sweep()
		if x := must(b.journal.BurnsByTx(t.Context(), tx))(t)[0]; !x.Agreed || time.Since(x.Mined).Abs() > time.Hour {
			t.Errorf("agreed %v, mined at %v, want the time of the block", x.Agreed, x.Mined)
		}
	})
	t.Run("a wrong number stops no sweep", func(t *testing.T) {
		b := b.fresh(t)
		e := b.three(source)
		b.burn(burned{})
		b.round()
		e[1].Set(misnumbered())
		b.sweep()
	})
}
