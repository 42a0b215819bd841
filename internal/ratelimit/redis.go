package ratelimit

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
)

// RedisOptions configure a [Redis]. Only URL is required; the zero value of
// every other field is a working default.
type RedisOptions struct {
	// URL is where Redis is: redis://user:password@host:port/database,
	// rediss:// for TLS, unix:///path for a socket. It appears in no error.
	// Required.
	URL string

	// Policy is what a client may do. Zero means [Standard].
	Policy Policy

	// Prefix begins every key. Empty means "hubquote:rate:".
	Prefix string

	// Timeout is how long one decision may take, with connecting. Zero means
	// 50 ms.
	Timeout time.Duration

	// Connections is how many decisions may be under way at once. Zero means
	// 16.
	Connections int
}

// A Redis counts the requests that many replicas of the service receive, each
// decision being one run of a script. The clock is that of Redis, so the
// replicas' own do not matter. Keys vanish one window after the last counted
// request.
//
// Redis has only a clock that can be set: setting it forward by a window makes
// it forget, setting it back makes a client wait for one window at the most.
//
// It is not a [Limiter], because it can fail: see [Fallback].
type Redis struct {
	client   *redis.Client
	script   *redis.Script
	prefix   string
	timeout  time.Duration
	requests string
	window   string
	now      func() string // always empty but in tests: the script asks Redis
}

//go:embed window.lua
var windowScript string

var errURL = errors.New("redis URL: write redis://user:password@host:port/database, rediss:// for TLS, or unix:///path")

// NewRedis returns a Redis that connects when it is first asked.
func NewRedis(o RedisOptions) (*Redis, error) {
	policy, err := o.Policy.orStandard()
	if err != nil {
		return nil, err
	}
	if o.Timeout < 0 || o.Connections < 0 {
		return nil, errors.New("timeout and connections: must not be negative")
	}
	if o.Timeout == 0 {
		o.Timeout = 50 * time.Millisecond
	}
	if o.Connections == 0 {
		o.Connections = 16
	}
	if o.Prefix == "" {
		o.Prefix = "hubquote:rate:"
	}
	client, err := connect(o)
	if err != nil {
		return nil, err
	}
	return &Redis{
		client:   client,
		script:   redis.NewScript(windowScript),
		prefix:   o.Prefix,
		timeout:  o.Timeout,
		requests: strconv.Itoa(policy.Requests),
		window:   strconv.FormatInt(policy.Window.Microseconds(), 10),
		now:      func() string { return "" },
	}, nil
}

// connect prepares a pool. Whatever takes longer than one decision may is left
// to the next: nothing is tried twice, as the caller has another way.
func connect(o RedisOptions) (*redis.Client, error) {
	options, err := redis.ParseURL(o.URL)
	if err != nil {
		return nil, errURL // err repeats the URL, and with it the password
	}
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.ContextTimeoutEnabled = true
	options.ReadTimeout, options.WriteTimeout = -1, -1 // the context's deadline is the only one
	options.DialTimeout, options.PoolTimeout = o.Timeout, o.Timeout
	options.PoolSize, options.MaxActiveConns = o.Connections, o.Connections
	options.PipelinePoolSize = -1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	// The library writes plain lines with host names to standard error. All it
	// has to say is also returned, and reported by [Fallback].
	redis.SetLogger(silence{})
	return redis.NewClient(options), nil
}

type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// Take counts one request of c if it is allowed. The caller's cancellation is
// ignored, as a command cut off half-way costs its connection, and clients
// would decide how many of those are made; [RedisOptions.Timeout] bounds the
// wait. No error says where Redis is.
func (r *Redis) Take(ctx context.Context, c Client) (Decision, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
	defer cancel()
	key := string(c.appendTo([]byte(r.prefix)))
	answer, err := r.script.Run(ctx, r.client, []string{key}, r.requests, r.window, r.now()).Int64Slice()
	if err != nil {
		return Decision{}, anonymous(err)
	}
	if len(answer) != 3 {
		return Decision{}, errAnswer
	}
	return Decision{
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

// anonymous returns an error that says what is wrong without the host, user or
// key that the library's errors may contain.
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
