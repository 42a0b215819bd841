package ratelimit

import (
	"strconv"
	"time"
)

// What follows is visible to tests only.

// MaxHops lets a test write a header that is one proxy too long.
const MaxHops = maxHops

// SetClock makes the script use now instead of the clock of Redis.
func (r *Redis) SetClock(now func() time.Time) {
	r.now = func() string { return strconv.FormatInt(now().UnixMicro(), 10) }
}
