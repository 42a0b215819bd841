// Package fleet starts several real Redis processes that work together: a master
// with a replica and sentinels, or a cluster. All end with the test.
package fleet

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/test/fake"
)

// Master is the name by which the sentinels know the master.
const Master = "limits"

// A Sentinel is a master, its replica, and three sentinels that make the replica
// the master when that is lost.
type Sentinel struct {
	Master, Replica *fake.Redis
	sentinels       []*fake.Redis
}

// NewSentinel starts them and waits until all know each other.
func NewSentinel(tb testing.TB) *Sentinel {
	tb.Helper()
	s := &Sentinel{Master: fake.NewRedis(tb, "--repl-diskless-sync-delay", "0")}
	host, port, _ := net.SplitHostPort(s.Master.Address)
	s.Replica = fake.NewRedis(tb, "--replicaof", host+" "+port, "--dir", tb.TempDir()) // it saves what it is sent
	for i := range 3 {
		conf := filepath.Join(tb.TempDir(), fmt.Sprintf("sentinel%d.conf", i))
		write(tb, conf, fmt.Sprintf("dir %s\nsentinel monitor %s %s %s 2\nsentinel down-after-milliseconds %[2]s 1000\nsentinel failover-timeout %[2]s 3000\n",
			filepath.Dir(conf), Master, host, port))
		s.sentinels = append(s.sentinels, fake.NewRedis(tb, conf, "--sentinel"))
	}
	fake.Eventually(tb, "sentinels that know each other and the replica", func() bool {
		for _, one := range s.sentinels {
			about := cli(tb, one.Address, "sentinel", "master", Master)
			if field(about, "num-other-sentinels") != "2" || field(about, "num-slaves") != "1" {
				return false
			}
		}
		return strings.Contains(cli(tb, s.Replica.Address, "info", "replication"), "master_link_status:up")
	})
	return s
}

// URL is the address for the limiter.
func (s *Sentinel) URL() string {
	return fmt.Sprintf("redis+sentinel://%s/%s?addr=%s&addr=%s", s.sentinels[0].Address, Master, s.sentinels[1].Address, s.sentinels[2].Address)
}

// A Cluster is three masters with a replica each.
type Cluster struct{ Nodes []*fake.Redis }

// NewCluster starts a cluster and waits until it serves all keys.
func NewCluster(tb testing.TB) *Cluster {
	tb.Helper()
	c := new(Cluster)
	create := []string{"--cluster-yes", "--cluster-replicas", "1", "--cluster", "create"}
	for range 6 {
		dir := tb.TempDir()
		n := fake.NewRedis(tb, "--cluster-enabled", "yes", "--cluster-config-file", filepath.Join(dir, "nodes.conf"), "--dir", dir, "--cluster-node-timeout", "1500", "--repl-diskless-sync-delay", "0")
		c.Nodes = append(c.Nodes, n)
		create = append(create, n.Address)
	}
	if out, err := exec.Command("redis-cli", create...).CombinedOutput(); err != nil {
		tb.Fatalf("redis-cli --cluster create: %v\n%s", err, out)
	}
	fake.Eventually(tb, "a cluster in which every master has a replica", func() bool { return c.ready(tb) })
	return c
}

func (c *Cluster) ready(tb testing.TB) bool {
	for _, n := range c.Nodes {
		nodes := cli(tb, n.Address, "cluster", "nodes")
		if strings.Count(nodes, "master") != 3 || strings.Count(nodes, "slave") != 3 || !strings.Contains(cli(tb, n.Address, "cluster", "info"), "cluster_state:ok") {
			return false
		}
		// A replica that has never had its master's data is not made a master.
		if strings.Contains(cli(tb, n.Address, "info", "replication"), "master_link_status:down") {
			return false
		}
	}
	return true
}

// URL is the address for the limiter.
func (c *Cluster) URL() string {
	return fmt.Sprintf("redis+cluster://%s?addr=%s&addr=%s", c.Nodes[0].Address, c.Nodes[1].Address, c.Nodes[2].Address)
}

// Master returns a node that has keys and a replica.
func (c *Cluster) Master(tb testing.TB) *fake.Redis {
	tb.Helper()
	for _, n := range c.Nodes {
		if strings.Contains(cli(tb, n.Address, "cluster", "nodes"), "myself,master") {
			return n
		}
	}
	tb.Fatal("the cluster has no master")
	return nil
}

// Lose kills a master whose keys no other node takes over, while the others go on to
// serve theirs.
func (c *Cluster) Lose(tb testing.TB) {
	tb.Helper()
	for _, n := range c.Nodes {
		cli(tb, n.Address, "config", "set", "cluster-require-full-coverage", "no", "cluster-replica-no-failover", "yes")
	}
	c.Master(tb).Kill()
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// cli returns what redis-cli prints, also when it fails.
func cli(tb testing.TB, address string, args ...string) string {
	tb.Helper()
	host, port, _ := net.SplitHostPort(address)
	out, _ := exec.Command("redis-cli", append([]string{"-h", host, "-p", port}, args...)...).CombinedOutput()
	return string(out)
}

// field returns the line after a line with that name.
func field(text, name string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	for i, line := range lines[:len(lines)-1] {
		if line == name {
			return lines[i+1]
		}
	}
	return ""
}
