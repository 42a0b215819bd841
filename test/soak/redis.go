package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"hubquote/test/fake"
)

// A redisState has the memory and keys of Redis. Every key must expire within a
// window, so that the memory is bounded.
type redisState struct {
	bytes, keys int
	endless     int           // keys that do not expire
	ttl         time.Duration // of the others, on average
}

// loseRedis kills Redis a third of the time into the soak, and starts an empty one at
// the same address two seconds later, as an operator or a failover would: those
// decisions are made alone, and no request may fail.
func (s *scenario) loseRedis(ctx context.Context) {
	if !fake.Sleep(ctx, s.length/3) {
		return
	}
	s.report.losing.Store(true)
	defer s.report.losing.Store(false)
	s.redis.Kill()
	fake.Sleep(ctx, 2*time.Second)
	if err := s.redis.Start(); err != nil {
		s.report.fault("failed restarts", "Redis: %v", err)
		return
	}
	s.report.add(&s.report.failovers, 1)
}

// watchRedis reports the state of Redis every second.
func watchRedis(ctx context.Context, address string, to *report) {
	client := redis.NewClient(&redis.Options{Addr: address})
	defer client.Close()
	for fake.Sleep(ctx, time.Second) {
		if state, err := redisInfo(client); err != nil && to.losing.Load() {
			continue
		} else if err != nil {
			to.fault("errors of Redis", "%v", err)
		} else {
			to.redisHolds(state)
		}
	}
}

func redisInfo(client *redis.Client) (s redisState, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	info, err := client.InfoMap(ctx, "memory", "keyspace").Result()
	if err != nil {
		return s, err
	}
	if s.bytes, err = strconv.Atoi(info["Memory"]["used_memory"]); err != nil {
		return s, err
	}
	keys, ok := info["Keyspace"]["db0"]
	if !ok { // there are none
		return s, nil
	}
	var expiring, ttl int
	_, err = fmt.Sscanf(keys, "keys=%d,expires=%d,avg_ttl=%d", &s.keys, &expiring, &ttl)
	s.endless, s.ttl = s.keys-expiring, time.Duration(ttl)*time.Millisecond
	return s, err
}
