package redis

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"hubquote/internal/upstream"
)

var errURL = errors.New("redis URL: write redis://user:password@host:port/database, redis+sentinel://user:password@host:port/master/database, " +
	"redis+cluster://user:password@host:port, each with ?addr=host:port for every further node, rediss in place of redis for TLS, " +
	"or unix://user:password@/path?db=database")

// parse reads the address of a Redis in one of these forms:
//
//	redis://user:password@host:port/database
//	redis+sentinel://user:password@host:port/master/database?addr=host:port&sentinel_user=…&sentinel_password=…
//	redis+cluster://user:password@host:port?addr=host:port
//	unix://user:password@/path?db=database
//
// With rediss in place of redis connections are made with TLS. Each form takes
// client_name in its query, the name that Redis shows for the connections. The error
// repeats nothing, because any part may be a secret.
func parse(address upstream.URL) (*redis.UniversalOptions, error) {
	u, err := url.Parse(address.Reveal())
	if err != nil || strings.Contains(u.Host, ",") || u.Fragment != "" {
		return nil, errURL
	}
	o := &redis.UniversalOptions{Username: u.User.Username(), ClientName: u.Query().Get("client_name")}
	o.Password, _ = u.User.Password()
	kind, withTLS := strings.CutPrefix(u.Scheme, "rediss")
	if !withTLS {
		kind = strings.TrimPrefix(u.Scheme, "redis")
	}
	switch {
	case kind == "" && hasKeys(u):
		err = setDatabase(o, strings.Trim(u.Path, "/"))
	case kind == "+sentinel" && hasKeys(u, "addr", "sentinel_user", "sentinel_password"):
		err = setMaster(o, u)
	case kind == "+cluster" && hasKeys(u, "addr") && strings.Trim(u.Path, "/") == "":
		o.IsClusterMode = true
	case kind == "unix" && hasKeys(u, "db") && u.Host == "" && u.Path != "":
		o.Addrs = []string{u.Path}
		return o, setDatabase(o, u.Query().Get("db"))
	default:
		err = errURL
	}
	if err != nil {
		return nil, err
	}
	if withTLS {
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12} // the name is that of each node
	}
	return o, setNodes(o, u, kind)
}

// hasKeys reports whether the query has no other keys than these.
func hasKeys(u *url.URL, keys ...string) bool {
	query, err := url.ParseQuery(u.RawQuery)
	for key := range query {
		if key != "client_name" && !slices.Contains(keys, key) {
			return false
		}
	}
	return err == nil
}

func setDatabase(o *redis.UniversalOptions, text string) (err error) {
	if text == "" {
		return nil
	}
	if o.DB, err = strconv.Atoi(text); err != nil || o.DB < 0 {
		return errURL
	}
	return nil
}

// setMaster reads the name of the master, and the user of the sentinels, which is
// not that of Redis.
func setMaster(o *redis.UniversalOptions, u *url.URL) error {
	master, database, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if o.MasterName = master; master == "" {
		return errURL
	}
	o.SentinelUsername, o.SentinelPassword = u.Query().Get("sentinel_user"), u.Query().Get("sentinel_password")
	return setDatabase(o, database)
}

// setNodes lists the nodes, with the default port where none is given.
func setNodes(o *redis.UniversalOptions, u *url.URL, kind string) error {
	port := "6379"
	if kind == "+sentinel" {
		port = "26379"
	}
	for _, node := range append([]string{u.Host}, u.Query()["addr"]...) {
		host, given, err := net.SplitHostPort(node)
		if err != nil {
			host, given = strings.Trim(node, "[]"), port
		}
		if host == "" || given == "" || strings.ContainsAny(host, "/,@ ") {
			return errURL
		}
		o.Addrs = append(o.Addrs, net.JoinHostPort(host, given))
	}
	return nil
}
