package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/reference"
)

// The IDs in the fake registries. An ID is active if it begins with partners.
const (
	partners = "0x00000000000000000000000000000000a11ce0" // and two digits
	retired  = "0x000000000000000000000000000000000000dead"
	stranger = "0x0000000000000000000000000000000000005afe"

	partner  = partners + "01"
	partner2 = partners + "02"
)

// A node is a JSON-RPC server of a chain with a registry, behind a proxy. Each
// chain has a rate of its own, so that a lookup on the wrong chain shows.
type node struct {
	*fake.Node
	*fake.Proxy
	chain swap.ChainID // as configured; the node may name another
	rate  uint32       // in millionths
}

// newNode starts a node that works. It is changed only before the first request.
func newNode(t *testing.T, chain swap.ChainID) *node {
	t.Helper()
	c := reference.Catalog(t)
	registry, _ := c.Registry(chain)
	n := &node{Node: fake.NewNode(chain, registry), chain: chain, rate: rates[chain]}
	n.Entry = func(_ uint64, id swap.IntegratorID) string { return n.entry(fmt.Sprintf("0x%x", id[12:])) }
	var err error
	if n.Pools, err = fake.NewPools(c); err != nil {
		t.Fatal(err)
	}
	n.Proxy = fake.Serve(t, n.Node)
	return n
}

// entry is the registry's answer about an address.
func (n *node) entry(address string) string {
	switch {
	case strings.HasPrefix(address, partners):
		return fake.EntryOf(swap.MustAddress(address), n.rate, 1)
	case address == retired:
		return fake.EntryOf(swap.MustAddress(address), n.rate, 0)
	}
	return fake.EntryOf(swap.Address{}, 0, 0)
}

// answer makes h answer all requests of the node.
func (n *node) answer(h http.HandlerFunc) {
	n.Handle = func(w http.ResponseWriter, r *http.Request, _ string) bool {
		h(w, r)
		return true
	}
}

// urlOf returns the URL of a proxy for the program, with the canary in every part
// except the host.
func urlOf(p *fake.Proxy) string {
	return "http://" + canary + "u:" + canary + "p@" + p.Addr().String() + "/" + canary + "?key=" + canary + "#" + canary
}

// rpc returns the flags that configure nodes.
func rpc(nodes ...*node) (args []string) {
	for _, n := range nodes {
		args = append(args, "--rpc", fmt.Sprintf("%d=%s", n.chain, urlOf(n.Proxy)))
	}
	return args
}
