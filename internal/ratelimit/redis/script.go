package redis

import (
	"context"
	_ "embed"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"hubquote/internal/ratelimit"
)

//go:embed window.lua
var windowScript string

// A question is one decision that is wanted. Its answer may be read once answered
// is closed.
type question struct {
	key      string
	decision ratelimit.Decision
	err      error
	answered chan struct{}
}

// A script decides by one policy.
type script struct {
	text, hash string
	requests   string
	window     string
	known      *atomic.Bool  // whether Redis has answered to the hash
	now        func() string // empty except in tests; then the script uses the clock of Redis
}

func newScript(p ratelimit.Policy) script {
	return script{
		text: windowScript, hash: redis.NewScript(windowScript).Hash(),
		requests: strconv.Itoa(p.Requests),
		window:   strconv.FormatInt(p.Window.Microseconds(), 10),
		known:    new(atomic.Bool),
		now:      func() string { return "" },
	}
}

// run answers all questions in one round trip, or in two if Redis no longer has the
// script. The first questions of a process carry the script itself.
func (s *script) run(ctx context.Context, c redis.UniversalClient, questions []*question) {
	again := questions
	if s.known.Load() {
		again = s.exec(ctx, c, questions, "EVALSHA", s.hash)
	}
	if len(again) > 0 {
		s.exec(ctx, c, again, "EVAL", s.text)
		s.known.Store(true)
	}
}

// exec returns the questions that Redis cannot answer without the script's text.
func (s *script) exec(ctx context.Context, c redis.UniversalClient, questions []*question, command, script string) (again []*question) {
	pipe := c.Pipeline()
	for _, q := range questions {
		pipe.Do(ctx, command, script, 1, q.key, s.requests, s.window, s.now())
	}
	answers, err := pipe.Exec(ctx)
	for i, q := range questions {
		answer := answers[i].(*redis.Cmd)
		if answer.Err() == nil && answer.Val() == nil {
			answer.SetErr(err) // without a connection the library does not say so for each
		}
		if q.decision, q.err = decisionOf(answer); redis.HasErrorPrefix(answer.Err(), "NOSCRIPT") {
			again = append(again, q)
		}
	}
	return again
}

func decisionOf(answer *redis.Cmd) (ratelimit.Decision, error) {
	if answer.Err() != nil {
		return ratelimit.Decision{}, anonymous(answer.Err())
	}
	n, err := answer.Int64Slice()
	if err != nil || len(n) != 3 {
		return ratelimit.Decision{}, errAnswer
	}
	return ratelimit.Decision{
		Allowed:   n[0] == 1,
		Remaining: int(n[1]),
		Reset:     time.Duration(n[2]) * time.Microsecond,
	}, nil
}
