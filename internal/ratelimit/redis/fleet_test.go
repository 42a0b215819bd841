package redis_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/redis"
	"hubquote/test/fake"
	"hubquote/test/fake/fleet"
	"hubquote/test/limiter"
)

// Two replicas under load while the master is lost and replaced: none of them
// allows a client more than the policy says, and in the end Redis decides again.
func TestFailover(t *testing.T) {
	tests := []struct {
		name  string
		start func(t *testing.T) (url string, kill func())
	}{
		{"sentinel", func(t *testing.T) (string, func()) {
			s := fleet.NewSentinel(t)
			return s.URL(), s.Master.Kill
		}},
		{"cluster", func(t *testing.T) (string, func()) {
			c := fleet.NewCluster(t)
			return c.URL(), c.Master(t).Kill
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url, kill := tt.start(t)
			replicas := []*watch{newWatch(t, openFor(t, url, ratelimit.Standard(), "", time.Second)), newWatch(t, openFor(t, url, ratelimit.Standard(), "", time.Second))}
			fake.Eventually(t, "a decision of Redis", func() bool { return decidedByRedis(t, replicas[0], 1<<20) })
			const clients, workers = 60, 8
			var allowed [2][clients]atomic.Int32
			var next atomic.Int64
			ending := make(chan struct{})
			var all sync.WaitGroup
			for range workers {
				all.Go(func() {
					for {
						select {
						case <-ending:
							return
						default:
						}
						n := next.Add(1)
						client, replica := n%clients, n/clients%2
						if replicas[replica].Take(t.Context(), limiter.Numbered(uint32(client))).Allowed {
							allowed[replica][client].Add(1)
						}
						time.Sleep(time.Millisecond)
					}
				})
			}
			fake.Eventually(t, "load", func() bool { return next.Load() > 200 })
			kill()
			fresh := uint32(1 << 21)
			for _, w := range replicas {
				fake.Eventually(t, "Redis decides for all keys again", func() bool {
					fresh += 100
					return decidedByRedis(t, w, fresh)
				})
			}
			fake.Eventually(t, "all clients at their limit", func() bool { return next.Load() > 35*2*clients })
			close(ending)
			all.Wait()
			for replica := range allowed {
				for client := range clients {
					if got := allowed[replica][client].Load(); got > 30 {
						t.Errorf("replica %d allowed client %d %d requests, want at most 30", replica+1, client, got)
					}
				}
			}
		})
	}
}

// decidedByRedis asks for new clients, whose keys are on all nodes of a cluster, and
// reports whether Redis decided about all. It looks first, as the service does from
// time to time, so that a node that was replaced is forgotten.
func decidedByRedis(t *testing.T, w *watch, first uint32) bool {
	t.Helper()
	var all []ratelimit.Client
	for i := range uint32(64) {
		all = append(all, limiter.Numbered(1<<24+i))
	}
	w.Look(t.Context(), all...)
	before := w.alone.Load()
	for i := range uint32(20) {
		w.Take(t.Context(), limiter.Numbered(first+i))
	}
	return w.alone.Load() == before && !w.Degraded()
}

// One lost node of a cluster is noticed, and the others still decide about their
// clients.
func TestLostNodeOfACluster(t *testing.T) {
	c := fleet.NewCluster(t)
	w := newWatch(t, openFor(t, c.URL(), ratelimit.Standard(), "", time.Second))
	fake.Eventually(t, "a decision of Redis", func() bool { return decidedByRedis(t, w, 1<<20) })
	c.Lose(t)
	client := uint32(1 << 21)
	fake.Eventually(t, "a lost node", func() bool {
		client++
		w.Take(t.Context(), limiter.Numbered(client))
		return w.Degraded()
	})
	before := w.alone.Load()
	for i := range uint32(60) {
		w.Take(t.Context(), limiter.Numbered(1<<22+i))
		if !w.Degraded() {
			t.Fatalf("Degraded after %d more requests = false, want true", i+1)
		}
	}
	if alone := w.alone.Load() - before; alone == 0 || alone > 45 {
		t.Errorf("%d of 60 requests were decided alone, want about 20: a third of the keys is lost", alone)
	}
}

// Every key of a cluster is reached: replicas share all clients.
func TestClusterIsShared(t *testing.T) {
	c := fleet.NewCluster(t)
	a, b := open(t, c.URL(), ratelimit.Standard(), ""), open(t, c.URL(), ratelimit.Standard(), "")
	for i := range uint32(50) {
		must(t, a, limiter.Numbered(i))
		if d := must(t, b, limiter.Numbered(i)); d.Remaining != 28 {
			t.Errorf("client %d: %+v at the second replica, want 28 remaining", i, d)
		}
	}
}

// A node of a cluster that is taken for a single server decides about some clients
// only. The probe notices.
func TestProbeFindsAPartOfACluster(t *testing.T) {
	c := fleet.NewCluster(t)
	for url, want := range map[string]bool{c.URL(): false, c.Nodes[0].URL(): true} {
		w := newWatch(t, open(t, url, ratelimit.Standard(), ""))
		for i := range uint32(64) {
			w.Probe(t.Context(), limiter.Numbered(i))
		}
		if got := w.Degraded(); got != want {
			t.Errorf("Degraded after the probe of a cluster = %t, want %t", got, want)
		}
	}
}

// Every node is asked, also those that decide nothing now.
func TestNodes(t *testing.T) {
	sentinel, cluster, one := fleet.NewSentinel(t), fleet.NewCluster(t), fake.NewRedis(t)
	tests := []struct {
		name, url string
		all       int
		lose      *fake.Redis
	}{
		{"one server", one.URL(), 1, one},
		{"three sentinels, a master and a replica", sentinel.URL(), 5, sentinel.Replica},
		{"a cluster", cluster.URL(), 6, cluster.Nodes[5]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, tt.url, ratelimit.Standard(), "")
			fake.Eventually(t, "an answer of every node", func() bool {
				well, all := r.Nodes(t.Context())
				return well == tt.all && all == tt.all
			})
			tt.lose.Kill()
			if well, all := r.Nodes(t.Context()); well != tt.all-1 || all != tt.all {
				t.Errorf("Nodes = %d of %d with one lost, want %d of %d", well, all, tt.all-1, tt.all)
			}
		})
	}
}

// A user with a password and a Unix socket. A user may do all that the manual says
// and no more: a database and a name of the client need a command each.
func TestUsersAndSockets(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "redis.sock")
	args := []string{"--unixsocket", socket, "--user", "default", "off"}
	args = append(args, user("quotes")...)
	args = append(args, user("numbered", "select")...)
	args = append(args, user("named", "client|setname")...)
	fake.NewRedis(t, args...)
	tests := []struct {
		name, user, query string
		fails             bool
	}{
		{"the right password", "quotes:right@", "", false},
		{"a wrong password", "quotes:wrong@", "", true},
		{"no user", "", "", true},
		{"the first database needs no command", "quotes:right@", "?db=0", false},
		{"a database needs select", "quotes:right@", "?db=1", true},
		{"a database with select", "numbered:right@", "?db=1", false},
		{"a name needs client|setname", "quotes:right@", "?client_name=a", true},
		{"a name with client|setname", "named:right@", "?client_name=a", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := openFor(t, "unix://"+tt.user+socket+tt.query, ratelimit.Standard(), "hubquote:rate:", 10*time.Second)
			if d, err := r.Take(t.Context(), limiter.Client("192.0.2.1")); (err != nil) != tt.fails {
				t.Errorf("Take = %+v, %v, want an error: %t", d, err, tt.fails)
			}
		})
	}
}

// user has the arguments for a user with the commands that the manual lists for
// every user, and further ones.
func user(name string, further ...string) []string {
	args := []string{"--user", name, "on", ">right", "~hubquote:*"}
	for _, command := range append(strings.Fields("evalsha eval time llen lindex lset lpop rpush pexpire"), further...) {
		args = append(args, "+"+command)
	}
	return args
}

// The system's certificates are read once in a process, so the file is named before
// the first connection with TLS.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir)
	t.Setenv("SSL_CERT_FILE", cert)
	address, err := fake.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	fake.NewRedis(t, "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", key, "--tls-auth-clients", "no")
	r := openFor(t, "rediss://localhost:"+port+"/0", ratelimit.Standard(), "", 10*time.Second)
	if d := must(t, r, limiter.Client("192.0.2.1")); d.Remaining != 29 {
		t.Errorf("Take = %+v, want 29 remaining", d)
	}
	other := openFor(t, "rediss://127.0.0.1:"+port+"/0", ratelimit.Standard(), "", 10*time.Second)
	if d, err := other.Take(t.Context(), limiter.Client("192.0.2.1")); err == nil {
		t.Errorf("Take = %+v with a certificate for another name, want an error", d)
	}
}

// certificate writes a self-signed certificate for localhost and its key.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

var _ ratelimit.Remote = (*redis.Redis)(nil)
