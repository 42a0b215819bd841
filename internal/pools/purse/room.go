package purse

import (
	"math/big"
	"time"

	"hubquote/swap"
)

// A room is what a cap lets out: now, and at once when nothing was spent. The
// difference comes back within a day. What is owed will use some of it.
type room struct{ now, most, owed swap.Amount }

func newRoom(now, dailyCap *big.Int, owed swap.Amount) room {
	return room{amount(now), amount(new(big.Int).Rsh(dailyCap, 1)), owed}
}

const (
	day = 24 * time.Hour

	never = time.Duration(1<<63 - 1)

	// far is how many seconds from now a time is no longer worth mentioning.
	far = 365 * 24 * 60 * 60
)

// wait returns how long it takes until need fits behind what is owed: the room
// grows from nothing to most in a day.
func (r *room) wait(need *swap.Amount) time.Duration {
	if need.Gt(&r.most) {
		return never
	}
	var wanted, perDay, seconds swap.Amount
	if _, over := wanted.AddOverflow(need, &r.owed); over {
		return never
	}
	missing := less(wanted, &r.now)
	if missing.IsZero() {
		return 0
	}
	perDay.SetUint64(uint64(day / time.Second))
	if _, over := seconds.MulDivOverflow(&missing, &perDay, &r.most); over || seconds.GtUint64(far) {
		return never
	}
	return time.Duration(seconds.Uint64()+1) * time.Second
}
