package vote

import (
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/peer"
)

// A Verdict is what the endpoints say about the logs of a block.
type Verdict struct {
	Logs   []types.Log    // that K endpoints give
	Denied map[Place]bool // wanted, and so many do not have it that K never will
}

// Logs asks for the logs of a block. Wanted are those that are hoped for: as
// long as fewer than K endpoints have them, further ones are asked. An endpoint
// that cannot be asked by block is asked for their transactions.
func (v Voters) Logs(ctx context.Context, f peer.Filter, b peer.Block, wanted []Place) (Verdict, error) {
	enough := func(got []answer[[]types.Log]) bool {
		return len(got) == len(v.Peers) || len(got) >= v.K && has(agreed(got, v.K), wanted)
	}
	all, err := ask(ctx, v, nil, enough, func(ctx context.Context, p *peer.Peer) ([]types.Log, error) {
		return p.LogsIn(ctx, f, b, transactions(wanted))
	})
	if len(all) < v.K {
		return Verdict{}, fmt.Errorf("logs of block %d: %w", b.Number, err)
	}
	verdict := Verdict{agreed(all, v.K), v.denied(all, wanted)}
	for _, a := range all {
		if !slices.Equal(digests(a.value), digests(verdict.Logs)) {
			a.from.Disagrees()
		}
	}
	return verdict, nil
}

func (v Voters) denied(all []answer[[]types.Log], wanted []Place) map[Place]bool {
	denied := map[Place]bool{}
	for _, w := range wanted {
		no := 0
		for _, a := range all {
			if !has(a.value, []Place{w}) {
				no++
			}
		}
		denied[w] = no > len(v.Peers)-v.K
	}
	return denied
}

// A Place is where a log is in its block.
type Place struct {
	Tx  order.Hash
	Log uint64
}

// PlaceOf returns where a log is.
func PlaceOf(log *types.Log) Place { return Place{order.Hash(log.TxHash), uint64(log.Index)} }

func places(logs []types.Log) (list []Place) {
	for i := range logs {
		list = append(list, PlaceOf(&logs[i]))
	}
	return list
}

func transactions(wanted []Place) (list []order.Hash) {
	for _, w := range wanted {
		if !slices.Contains(list, w.Tx) {
			list = append(list, w.Tx)
		}
	}
	return list
}

func has(logs []types.Log, wanted []Place) bool {
	there := places(logs)
	return !slices.ContainsFunc(wanted, func(w Place) bool { return !slices.Contains(there, w) })
}

// agreed returns the logs that k endpoints gave, in the order of the first that
// gave them. An endpoint that repeats a log is counted once.
func agreed(got []answer[[]types.Log], k int) (list []types.Log) {
	givers := map[string]map[*peer.Peer]bool{}
	for _, a := range got {
		for i := range a.value {
			key := digest(&a.value[i])
			if givers[key] == nil {
				givers[key] = map[*peer.Peer]bool{}
			}
			if !givers[key][a.from] && len(givers[key]) == k-1 {
				list = append(list, a.value[i])
			}
			givers[key][a.from] = true
		}
	}
	return list
}

func digests(logs []types.Log) (list []string) {
	for i := range logs {
		list = append(list, digest(&logs[i]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// digest is all that a log says, and where it is.
func digest(log *types.Log) string {
	return fmt.Sprintf("%x %x %d %x %x %x", log.BlockHash, log.TxHash, log.Index, log.Address, log.Topics, log.Data)
}
