package watch_test

import (
	"context"
	"fmt"
	"testing"

	"hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/fake/endpoint"
)

func (r *rig) head(id swap.ChainID) uint64 {
	r.t.Helper()
	head, err := r.net.Chains[id].Head(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return head
}

// finalises calls a block final and safe.
func finalises(number uint64) endpoint.Fault {
	return func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		return endpoint.Names("finalized", number)(ctx, q, func(ctx context.Context, q endpoint.Request) endpoint.Answer {
			return endpoint.Names("safe", number)(ctx, q, next)
		})
	}
}

// except answers about one block and the tags as the chain does, and about all else as
// the fault does.
func except(number uint64, fault endpoint.Fault) endpoint.Fault {
	own := fmt.Sprintf(`"0x%x"`, number)
	return func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		if q.Method == "eth_getBlockByNumber" && string(q.Params[0]) == own {
			return next(ctx, q)
		}
		return fault(ctx, q, next)
	}
}

// A fork is a chain that has two branches: endpoints keep the one with a deposit,
// and the others have a longer one without.
type fork struct {
	at, head uint64 // the last block that both have, and of the branch with the deposit
	id       order.ID
	kept     endpoint.Fault
}

func (r *rig) fork() fork {
	r.t.Helper()
	r.mine(src, 20)
	r.round()
	f := fork{at: r.head(src)}
	_, f.id = r.deposit()
	r.mine(src, 6)
	var err error
	if f.kept, err = r.fronts[src].Endpoints[0].Keep(r.t.Context(), 12); err != nil {
		r.t.Fatal(err)
	}
	f.head = r.head(src)
	r.reorganise(src, int(f.head-f.at))
	r.mine(src, 2)
	return f
}

// A block is final when two endpoints that have it call it so. One that is late
// and calls nothing there final does not make up for one that does.
func TestFinalByTheSameEndpoints(t *testing.T) {
	for name, liar := range map[string]func(fork) endpoint.Fault{
		"the final block is on the branch":           func(f fork) endpoint.Fault { return f.kept },
		"the final block is not, and the deposit is": func(f fork) endpoint.Fault { return except(f.head, f.kept) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			f := r.fork()
			e := r.fronts[src].Endpoints
			e[0].Set(finalises(f.head), liar(f))
			e[1].Set(finalises(f.at), f.kept) // late, and calls nothing of the branch final
			e[2].Set(finalises(f.head))
			r.restart()
			for range 6 {
				r.round()
				if got := r.fact(f.id, order.EventOpened); got > order.Agreed {
					t.Fatalf("the deposit has proof %d: only one endpoint calls its block final", got)
				}
			}
		})
	}
}

// A final block is lost when two endpoints call another one final. Until then the
// chain has no tag to pay by.
func TestLostByTheSameEndpoints(t *testing.T) {
	r := newRig(t)
	f := r.fork()
	e := r.fronts[src].Endpoints
	e[1].Set(finalises(f.at), f.kept)
	r.fronts[src].Tag(1, 5)
	r.restart()
	r.until("a block is final by two", func() bool { return r.watcher.Final(src) == f.head-3 })
	e[0].Set(finalises(f.head), f.kept)
	for range 4 {
		r.round()
	}
	if lost := r.health(src).Broken; !lost.IsZero() {
		t.Errorf("Broken = %v, want none: only one endpoint calls another block final", lost)
	}
	if tag := r.tag(src); tag.Final != 0 {
		t.Errorf("tag = %+v, want none while endpoints have another block", tag)
	}
	e[0].Set()
	r.round()
	if tag := r.tag(src); tag.Final < f.head-3 || tag.Broken {
		t.Errorf("tag = %+v, want it back when two have the final block", tag)
	}
	e[0].Set(finalises(f.head), f.kept)
	e[1].Set(finalises(f.head), f.kept)
	r.until("the chain is broken", func() bool { return r.tag(src).Broken })
}
