// Package redis is a rate limiter that the replicas of the service share. It can
// fail, so it is used through [ratelimit.Fallback]. No error contains the address
// of Redis.
package redis

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"hubquote/internal/ratelimit"
	"hubquote/internal/upstream"
)

const (
	timeout = 50 * time.Millisecond // of one decision, including the connection
	prefix  = "hubquote:rate:"      // of every key

	// connections is the number of concurrent decisions of a node: enough for
	// 25,000 a second at a round trip of 10 ms. They are made as they are needed.
	connections = 256

	// buffer is more than a command or an answer has. The library's 32 KiB would be
	// 16 MiB for all connections.
	buffer = 1 << 10

	// redirects is how many nodes of a cluster may pass a command on: one while
	// slots move, and one more after a failover.
	redirects = 2
)

// A Redis is a [ratelimit.Remote]. Each decision is one run of a script. The
// script uses the clock of Redis, so the clocks of the replicas do not matter.
// Keys expire one window after the last counted request.
//
// If the clock of Redis is set forward by a window, all counts are lost. If it is
// set back, a client waits for one window at most.
type Redis struct {
	client   redis.UniversalClient
	script   *redis.Script
	prefix   string
	timeout  time.Duration
	requests string
	window   string
	now      func() string // empty except in tests; then the script uses the clock of Redis
}

//go:embed window.lua
var windowScript string

// New returns a Redis that connects with the first decision.
func New(url upstream.URL, p ratelimit.Policy) (*Redis, error) { return newRedis(url, p, timeout) }

func newRedis(url upstream.URL, p ratelimit.Policy, timeout time.Duration) (*Redis, error) {
	client, err := connect(url, timeout)
	if err != nil {
		return nil, err
	}
	return &Redis{
		client:   client,
		script:   redis.NewScript(windowScript),
		prefix:   prefix,
		timeout:  timeout,
		requests: strconv.Itoa(p.Requests),
		window:   strconv.FormatInt(p.Window.Microseconds(), 10),
		now:      func() string { return "" },
	}, nil
}

// connect prepares a pool. No command is retried, and no wait is longer than the
// timeout of one decision, because the caller can decide without Redis.
func connect(url upstream.URL, timeout time.Duration) (redis.UniversalClient, error) {
	options, err := parse(url)
	if err != nil {
		return nil, err
	}
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.ContextTimeoutEnabled = true
	options.ReadTimeout, options.WriteTimeout = -1, -1 // the context's deadline is the only one
	options.DialTimeout, options.PoolTimeout = timeout, timeout
	options.PoolSize, options.MaxActiveConns = connections, connections
	options.ReadBufferSize, options.WriteBufferSize = buffer, buffer
	options.MaxRedirects = redirects
	options.PipelinePoolSize = -1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	// The library writes lines with host names to standard error. The same errors
	// are returned, and reported by the fallback.
	redis.SetLogger(silence{})
	return redis.NewUniversalClient(options), nil
}

type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// Take counts one request of c if it is allowed. It ignores the cancellation of
// ctx. A command that is interrupted costs its connection, so clients could make
// the service open new connections all the time. The timeout is short.
func (r *Redis) Take(ctx context.Context, c ratelimit.Client) (ratelimit.Decision, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
	defer cancel()
	key := r.prefix + c.String()
	answer, err := r.script.Run(ctx, r.client, []string{key}, r.requests, r.window, r.now()).Int64Slice()
	if err != nil {
		return ratelimit.Decision{}, anonymous(err)
	}
	if len(answer) != 3 {
		return ratelimit.Decision{}, errAnswer
	}
	return ratelimit.Decision{
		Allowed:   answer[0] == 1,
		Remaining: int(answer[1]),
		Reset:     time.Duration(answer[2]) * time.Microsecond,
	}, nil
}

// Close closes all connections.
func (r *Redis) Close() error { return r.client.Close() }

var (
	errSlow   = errors.New("redis: no answer in time")
	errLost   = errors.New("redis: cannot be reached")
	errAnswer = errors.New("redis: not an answer of the script")
)

// anonymous returns the kind of err without the host, user or key that the
// library's errors may contain.
func anonymous(err error) error {
	if reply, ok := errors.AsType[redis.Error](err); ok {
		kind, _, _ := strings.Cut(reply.Error(), " ")
		return fmt.Errorf("redis: refused with %.16s", kind)
	}
	if cause, ok := errors.AsType[syscall.Errno](err); ok {
		return fmt.Errorf("redis: %w", cause)
	}
	late, ok := errors.AsType[net.Error](err)
	if ok && late.Timeout() || errors.Is(err, redis.ErrPoolTimeout) {
		return errSlow
	}
	return errLost
}
