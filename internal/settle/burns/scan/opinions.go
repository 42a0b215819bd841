package scan

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

// Tx returns the burns of a transaction that are ours, as endpoints give them. Where
// two differ all others are asked as well. Complete is false if another look may
// bring more: no two endpoints say the same about the whole transaction.
func (s *Scanner) Tx(ctx context.Context, tx order.Hash) (list []journal.Burn, complete bool, err error) {
	times := map[uint64]moment{}
	for _, most := range slices.Compact([]int{s.chain.Opinions(), s.chain.Endpoints()}) {
		receipts, _, err := s.chain.Receipts(ctx, tx, most)
		if err != nil {
			return nil, false, err
		}
		o := newOpinions(s.chain.Opinions())
		for _, r := range receipts {
			if burns, ok := s.dated(ctx, times, tx, r); ok {
				o.add(burns)
			}
		}
		list = o.sum()
		if complete = o.complete; complete {
			break
		}
	}
	return list, complete, ctx.Err()
}

// Gone reports whether enough endpoints say that a burn is not there, as when its
// transaction was reorganised away.
func (s *Scanner) Gone(ctx context.Context, b *journal.Burn) (bool, error) {
	receipts, asked, err := s.chain.Receipts(ctx, b.Tx, s.chain.Endpoints())
	for _, r := range receipts {
		if slices.ContainsFunc(s.burns(b.Tx, r), func(x journal.Burn) bool { return bytes.Equal(x.Sent, b.Sent) }) {
			asked--
		}
	}
	return asked >= s.chain.Opinions(), err
}

// A moment is the time of a block.
type moment struct {
	at     time.Time
	agreed bool // whether enough endpoints say so
	err    error
}

// dated returns the burns of a receipt with the time of their block. One that
// would be later than now is now: the issuer is not asked before. A receipt of a
// block that no endpoint has is none.
func (s *Scanner) dated(ctx context.Context, times map[uint64]moment, tx order.Hash, r chain.Receipt) (burns []journal.Burn, ok bool) {
	burns = s.burns(tx, r)
	if len(burns) == 0 {
		return nil, true
	}
	mined, known := times[r.Block]
	if !known {
		mined.at, mined.agreed, mined.err = s.chain.Time(ctx, r.Block)
		if now := time.Now(); mined.at.After(now) {
			mined.at = now
		}
		times[r.Block] = mined
	}
	for i := range burns {
		burns[i].Mined, burns[i].Agreed = mined.at, mined.agreed
	}
	return burns, mined.err == nil
}

// opinions are what endpoints say about one transaction.
type opinions struct {
	enough   int // endpoints that must say the same
	complete bool
	order    []order.Hash // the keys, as they were first given
	given    map[order.Hash][]journal.Burn
	whole    map[string]int // how many say the same about the whole transaction
}

func newOpinions(enough int) *opinions {
	return &opinions{enough: enough, given: map[order.Hash][]journal.Burn{}, whole: map[string]int{}}
}

// add counts one endpoint's burns.
func (o *opinions) add(burns []journal.Burn) {
	var whole []byte
	for _, b := range burns {
		if o.given[b.Key] == nil {
			o.order = append(o.order, b.Key)
		}
		o.given[b.Key] = append(o.given[b.Key], b)
		whole = append(append(whole, b.Key[:]...), b.Order[:]...)
		whole = binary.BigEndian.AppendUint64(whole, b.Block)
	}
	o.whole[string(whole)]++
	o.complete = o.complete || o.whole[string(whole)] >= o.enough
}

// sum returns all burns, and says of each whether enough endpoints have it and say
// the same of it: its block, when that was made, and the order that it belongs to,
// which is not known otherwise. Of blocks that too few agree on the latest counts: the
// issuer is rarely asked about an old burn.
func (o *opinions) sum() (list []journal.Burn) {
	for _, key := range o.order {
		given := slices.SortedFunc(slices.Values(o.given[key]), func(a, b journal.Burn) int { return cmp.Compare(b.Block, a.Block) })
		block, placed := said(o.enough, given, func(b journal.Burn) uint64 { return b.Block })
		b := given[max(0, slices.IndexFunc(given, func(b journal.Burn) bool { return placed && b.Block == block }))]
		id, named := said(o.enough, given, func(b journal.Burn) order.ID { return b.Order })
		b.Order, b.Agreed = id, b.Agreed && placed && named
		list = append(list, b)
	}
	return list
}

// said returns what enough endpoints say about a burn, if they do.
func said[T comparable](enough int, given []journal.Burn, what func(journal.Burn) T) (v T, known bool) {
	votes := map[T]int{}
	for _, b := range given {
		v := what(b)
		if votes[v]++; votes[v] >= enough {
			return v, true
		}
	}
	return v, false
}
