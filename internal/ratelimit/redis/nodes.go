package redis

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// nodeTimeout is the time that a node has to answer [Redis.Nodes]. It is longer than
// that of a decision: a slow node is found by decisions.
const nodeTimeout = time.Second

// Nodes asks every server of a cluster, or every sentinel, the master and all its
// replicas, and returns how many there are and how many answer. Decisions reach only
// those that are in use now, and not those that a failover needs.
func (r *Redis) Nodes(ctx context.Context) (well, all int) {
	ctx, cancel := context.WithTimeout(ctx, 2*nodeTimeout)
	defer cancel()
	sentinels, nodes := []string(nil), slices.Clone(r.options.Addrs)
	switch {
	case r.options.IsClusterMode:
		nodes = append(nodes, r.clusterNodes(ctx)...)
	case r.options.MasterName != "":
		sentinels, nodes = nodes, r.masterAndReplicas(ctx)
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	var answered atomic.Int64
	var asking sync.WaitGroup
	ask := func(answers func() bool) {
		asking.Go(func() {
			if answers() {
				answered.Add(1)
			}
		})
	}
	for _, address := range sentinels {
		ask(func() bool { return r.sentinelAnswers(ctx, address) })
	}
	for _, address := range nodes {
		ask(func() bool { return r.nodeAnswers(ctx, address) })
	}
	asking.Wait()
	return int(answered.Load()), len(sentinels) + max(1, len(nodes))
}

// nodeAnswers reports whether a server lets us in. One that refuses PING to this
// user has done so.
func (r *Redis) nodeAnswers(ctx context.Context, address string) bool {
	node := redis.NewClient(r.nodeOptions(address))
	defer node.Close()
	err := node.Ping(ctx).Err()
	return err == nil || redis.HasErrorPrefix(err, "NOPERM")
}

// sentinelAnswers reports whether a sentinel knows the master.
func (r *Redis) sentinelAnswers(ctx context.Context, address string) bool {
	s := redis.NewSentinelClient(r.sentinelOptions(address))
	defer s.Close()
	return s.GetMasterAddrByName(ctx, r.options.MasterName).Err() == nil
}

// clusterNodes returns the addresses that the first node that answers knows, also
// of nodes that are lost.
func (r *Redis) clusterNodes(ctx context.Context) (list []string) {
	for _, address := range r.options.Addrs {
		node := redis.NewClient(r.nodeOptions(address))
		text, err := node.ClusterNodes(ctx).Result()
		_ = node.Close()
		if err != nil {
			continue
		}
		for line := range strings.Lines(text) {
			if fields := strings.Fields(line); len(fields) > 2 && !strings.Contains(fields[2], "noaddr") {
				at, _, _ := strings.Cut(fields[1], "@")
				list = append(list, at)
			}
		}
		return list
	}
	return nil
}

// masterAndReplicas returns the addresses that the first sentinel that answers
// knows.
func (r *Redis) masterAndReplicas(ctx context.Context) (list []string) {
	for _, address := range r.options.Addrs {
		s := redis.NewSentinelClient(r.sentinelOptions(address))
		master, err := s.GetMasterAddrByName(ctx, r.options.MasterName).Result()
		replicas, _ := s.Replicas(ctx, r.options.MasterName).Result()
		_ = s.Close()
		if err != nil || len(master) != 2 {
			continue
		}
		list = append(list, net.JoinHostPort(master[0], master[1]))
		for _, replica := range replicas {
			list = append(list, net.JoinHostPort(replica["ip"], replica["port"]))
		}
		return list
	}
	return nil
}

func (r *Redis) nodeOptions(address string) *redis.Options {
	o := r.options.Simple()
	o.Addr, o.DialTimeout, o.ReadTimeout, o.WriteTimeout = address, nodeTimeout, nodeTimeout, nodeTimeout
	return o
}

func (r *Redis) sentinelOptions(address string) *redis.Options {
	o := r.nodeOptions(address)
	o.Username, o.Password, o.DB = r.options.SentinelUsername, r.options.SentinelPassword, 0
	return o
}
