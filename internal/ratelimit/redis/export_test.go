package redis

import (
	"strconv"
	"time"

	"hubquote/internal/ratelimit"
	"hubquote/internal/upstream"
)

// NewPatient returns a Redis with another timeout and prefix of its keys.
func NewPatient(url upstream.URL, p ratelimit.Policy, timeout time.Duration, prefix string) (*Redis, error) {
	r, err := newRedis(url, p, timeout)
	if err == nil {
		r.prefix = prefix
	}
	return r, err
}

// SetClock makes the script use now instead of the clock of Redis.
func (r *Redis) SetClock(now func() time.Time) {
	r.script.now = func() string { return strconv.FormatInt(now().UnixMicro(), 10) }
}
