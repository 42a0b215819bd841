package main

import (
	"context"
	"fmt"
	"time"

	"hubquote/internal/catalog"
	"hubquote/swap"
	"hubquote/test/fake"
)

// What goes wrong with the issuer, and with the nodes of each chain: a phase
// each, and from the beginning again. Health comes first, so that there is
// something to lose.
var (
	issuerFaults = []fault{healthy, slow, broken, hanging, healthy, garbled, refusing, absurd, dear}
	nodeFaults   = []fault{healthy, lying, broken, slow, foreign, hanging, garbled, refusing}
)

// nodesOf is how many nodes the chains with a registry have. Of three, two must
// agree; of two, the second is asked when the first fails.
var nodesOf = []int{3, 3, 2, 1, 1}

// A world is all that the replicas depend on, besides Redis.
type world struct {
	issuer *upstream
	chains []swap.ChainID
	nodes  [][]*upstream // by chain
}

func newWorld(c *catalog.Catalog) (*world, error) {
	w := &world{issuer: &upstream{answer: issuerOf(c)}, chains: c.RegistryChains()}
	for i, chain := range w.chains {
		registry, _ := c.Registry(chain)
		var nodes []*upstream
		for range nodesOf[i%len(nodesOf)] {
			nodes = append(nodes, &upstream{answer: nodeOf(chain, registry)})
		}
		w.nodes = append(w.nodes, nodes)
	}
	for _, u := range w.all() {
		if err := u.become(healthy); err != nil {
			w.close()
			return nil, err
		}
	}
	return w, nil
}

func (w *world) all() []*upstream {
	list := []*upstream{w.issuer}
	for _, nodes := range w.nodes {
		list = append(list, nodes...)
	}
	return list
}

// flags tell a replica where everything is.
func (w *world) flags() []string {
	args := []string{"--issuer", "http://" + w.issuer.address}
	for i, nodes := range w.nodes {
		for _, n := range nodes {
			args = append(args, "--rpc", fmt.Sprintf("%d=http://%s", w.chains[i], n.address))
		}
	}
	return args
}

// misbehave goes through the faults, each chain with one of its own. In the end
// all is well.
func (w *world) misbehave(ctx context.Context, phase time.Duration, r *report) {
	defer w.heal(r)
	for n := 1; fake.Sleep(ctx, phase); n++ {
		r.add(&r.phases, 1)
		w.set(w.issuer, issuerFaults[n%len(issuerFaults)], r)
		for i, nodes := range w.nodes {
			w.spoil(nodes, nodeFaults[(n+i)%len(nodeFaults)], 1+n%2, r)
		}
	}
}

// spoil gives a fault to so many of the nodes. A liar needs two honest ones
// beside it: otherwise nothing could tell.
func (w *world) spoil(nodes []*upstream, f fault, victims int, r *report) {
	if f == lying {
		victims = 1
		if len(nodes) < 3 {
			f = broken
		}
	}
	for i, n := range nodes {
		if i < victims {
			w.set(n, f, r)
		} else {
			w.set(n, healthy, r)
		}
	}
}

func (w *world) set(u *upstream, f fault, r *report) {
	if err := u.become(f); err != nil {
		r.fault("upstreams that could not be played", "%v", err)
	}
}

func (w *world) heal(r *report) {
	for _, u := range w.all() {
		w.set(u, healthy, r)
	}
}

func (w *world) keepAlive(on bool) {
	for _, u := range w.all() {
		if u.server != nil {
			u.server.SetKeepAlivesEnabled(on)
		}
	}
}

func (w *world) close() {
	for _, u := range w.all() {
		u.hangUp()
	}
}
