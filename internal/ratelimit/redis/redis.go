// Package redis is a rate limiter that the replicas of the service share. It can
// fail, so it is used through [ratelimit.Fallback]. No error contains the address
// of Redis.
package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/batch"
	"hubquote/internal/upstream"
)

const (
	timeout = 50 * time.Millisecond // of one decision, including the connection
	prefix  = "hubquote:rate:"      // of every key

	// connections is how many batches of decisions may be under way at each node,
	// and largest how many decisions a batch may have. At a round trip of 10 ms
	// they are enough for 100,000 decisions a second.
	connections = 8
	largest     = 128

	// redirects is how many nodes of a cluster may pass a command on: one while
	// slots move, and one more after a failover.
	redirects = 2
)

// A Redis is a [ratelimit.Remote]. Each decision is one run of a script. The
// script uses the clock of Redis, so the clocks of the replicas do not matter.
// Keys expire one window after the last counted request.
//
// Decisions that are wanted at the same time share round trips and a few
// connections, so a burst makes no storm of new connections.
//
// If the clock of Redis is set forward by a window, all counts are lost. If it is
// set back, a client waits for one window at most.
type Redis struct {
	client  redis.UniversalClient
	options *redis.UniversalOptions
	script  script
	prefix  string
	timeout time.Duration

	mu    sync.Mutex
	lanes map[string]*batch.Batcher[*question] // by node of a cluster
}

// New returns a Redis that connects with the first decision.
func New(url upstream.URL, p ratelimit.Policy) (*Redis, error) { return newRedis(url, p, timeout) }

func newRedis(url upstream.URL, p ratelimit.Policy, timeout time.Duration) (*Redis, error) {
	options, err := parse(url)
	if err != nil {
		return nil, err
	}
	bound(options, timeout)
	// The library writes lines with host names to standard error. The same errors
	// are returned, and reported by the fallback.
	redis.SetLogger(silence{})
	r := &Redis{
		client:  redis.NewUniversalClient(options),
		options: options,
		script:  newScript(p),
		prefix:  prefix,
		timeout: timeout,
		lanes:   map[string]*batch.Batcher[*question]{},
	}
	if !options.IsClusterMode {
		r.lanes[""] = batch.New(connections, largest, r.ask)
	}
	return r, nil
}

// bound sets the limits of a pool. No command is retried, and no wait is longer than
// the timeout of one decision, because the caller can decide without Redis.
func bound(options *redis.UniversalOptions, timeout time.Duration) {
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.ContextTimeoutEnabled = true
	options.ReadTimeout, options.WriteTimeout = timeout, timeout
	options.DialTimeout, options.PoolTimeout = timeout, timeout
	options.PoolSize, options.MaxActiveConns = connections, connections
	options.MaxRedirects = redirects
	options.PipelinePoolSize = -1 // batches use the only pool
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
}

type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// Take counts one request of c if it is allowed. It ignores the cancellation of
// ctx, as others share the batch. The timeout is short.
func (r *Redis) Take(ctx context.Context, c ratelimit.Client) (ratelimit.Decision, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
	defer cancel()
	q := &question{key: r.prefix + c.String(), answered: make(chan struct{})}
	lane, err := r.laneOf(ctx, q.key)
	if err != nil {
		return ratelimit.Decision{}, anonymous(err)
	}
	if !lane.Add(ctx.Done(), q) {
		return ratelimit.Decision{}, errSlow
	}
	select {
	case <-q.answered:
		return q.decision, q.err
	case <-ctx.Done():
		return ratelimit.Decision{}, errSlow
	}
}

// Part names the node of a cluster that has a client's key, as far as it is known:
// the context has ended, so that a cluster that is lost is not waited for.
func (r *Redis) Part(c ratelimit.Client) string {
	node, _ := r.nodeOf(ended, r.prefix+c.String())
	return node
}

var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// nodeOf returns the address of the node that has a key, and nothing for one that is
// no cluster's.
func (r *Redis) nodeOf(ctx context.Context, key string) (string, error) {
	cluster, ok := r.client.(*redis.ClusterClient)
	if !ok {
		return "", nil
	}
	master, err := cluster.MasterForKey(ctx, key)
	if err != nil {
		return "", err
	}
	return master.Options().Addr, nil
}

// laneOf returns the batches for the node that has a key. Nodes of a cluster have
// one each, so that a node that is lost holds up only its own clients.
func (r *Redis) laneOf(ctx context.Context, key string) (*batch.Batcher[*question], error) {
	node, err := r.nodeOf(ctx, key)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lanes[node] == nil {
		r.lanes[node] = batch.New(connections, largest, r.ask)
	}
	return r.lanes[node], nil
}

// ask runs the script for a batch. It has a timeout of its own: with what is left
// of the time of the first question, a late one would end the batch for all.
func (r *Redis) ask(questions []*question) {
	ctx, cancel := context.WithTimeout(context.Background(), r.timeout)
	defer cancel()
	r.script.run(ctx, r.client, questions)
	if questions[0].err != nil {
		r.lookAround(ctx)
	}
	for _, q := range questions {
		close(q.answered)
	}
}

// lookAround asks a cluster which node has which keys, in the background. The
// library does so only when a node says that it has others now, and a node that is
// lost says nothing.
func (r *Redis) lookAround(ctx context.Context) {
	if cluster, ok := r.client.(*redis.ClusterClient); ok {
		cluster.ReloadState(ctx)
	}
}

// Close waits for batches under way and closes all connections.
func (r *Redis) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, lane := range r.lanes {
		lane.Close()
	}
	return r.client.Close()
}

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
