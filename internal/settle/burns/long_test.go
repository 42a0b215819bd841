package burns_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/test/fake/endpoint"
)

// aged has the blocks up to one made so long ago, as all endpoints say.
func aged(e []*endpoint.Endpoint, last uint64, ago time.Duration) {
	for i := range e {
		e[i].Set(blocks(func(m map[string]any) {
			number, err := hexutil.DecodeUint64(m["number"].(string))
			if err == nil && number <= last {
				m["timestamp"] = hexutil.EncodeUint64(uint64(time.Now().Add(-ago).Unix()))
			}
		}))
	}
}

// What an endpoint leaves out is found by another, however long it is that nothing was
// read, or that the other was not asked.
func TestLeftOutLongAgo(t *testing.T) {
	b := newBench(t, gateway, source)
	head := func(b *bench) uint64 { return must(b.Chains[source].Head(b.t.Context()))(b.t) }
	for _, tt := range []struct {
		name string
		test func(*bench)
	}{
		{"the settler was down", func(b *bench) {
			e := b.three(source)
			b.round()
			tx := b.burn(burned{})
			b.mine(source, 1500) // more than are read again
			aged(e, head(b), 5*time.Hour)
			e[0].Add(endpoint.LeaveOut(depositForBurn))
			b.again(e)
			for range 3 {
				b.mine(source, 1)
				b.round()
				b.sweep()
			}
			b.findsIn(tx)
		}},
		{"no sweep was made for long", func(b *bench) {
			e := b.three(source)
			b.mine(source, 1)
			b.round()
			for range 3 {
				b.sweep()
			}
			e[0].Set(endpoint.LeaveOut(depositForBurn))
			tx := b.burn(burned{})
			b.mine(source, 1)
			b.round()
			aged(e, head(b), 5*time.Hour)
			e[0].Add(endpoint.LeaveOut(depositForBurn))
			for range 3 {
				b.mine(source, 1)
				b.round()
				b.sweep()
			}
			b.findsIn(tx)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(b.fresh(t)) })
	}
}
