package main

import (
	"context"
	"fmt"
	"time"

	"hubquote/internal/catalog"
	"hubquote/swap"
	"hubquote/test/fake"
)

// The faults of the issuer and of the nodes of each chain. Each lasts one phase,
// and after the last the first follows. The first is healthy, so that the caches
// are filled.
var (
	issuerFaults = []fault{healthy, slow, broken, hanging, healthy, garbled, refusing, invalidFee, expensive}
	nodeFaults   = []fault{healthy, dishonest, broken, slow, wrongChain, hanging, garbled, refusing}
)

// nodesOf is the number of nodes of each chain with a registry. Of three, two must
// agree; of two, the second is asked when the first fails.
var nodesOf = []int{3, 3, 2, 1, 1}

// upstreams are the upstreams of the replicas, except Redis.
type upstreams struct {
	issuer *upstream
	chains []swap.ChainID
	nodes  [][]*upstream // by chain
}

func newUpstreams(c *catalog.Catalog) (*upstreams, error) {
	w := &upstreams{issuer: &upstream{answer: issuerOf(c)}, chains: c.RegistryChains()}
	for i, chain := range w.chains {
		registry, _ := c.Registry(chain)
		var nodes []*upstream
		for range nodesOf[i%len(nodesOf)] {
			nodes = append(nodes, &upstream{answer: nodeOf(chain, registry)})
		}
		w.nodes = append(w.nodes, nodes)
	}
	for _, u := range w.all() {
		if err := u.switchTo(healthy); err != nil {
			w.close()
			return nil, err
		}
	}
	return w, nil
}

func (w *upstreams) all() []*upstream {
	list := []*upstream{w.issuer}
	for _, nodes := range w.nodes {
		list = append(list, nodes...)
	}
	return list
}

// flags returns the flags of a replica with the addresses of the upstreams.
func (w *upstreams) flags() []string {
	args := []string{"--issuer", "http://" + w.issuer.address}
	for i, nodes := range w.nodes {
		for _, n := range nodes {
			args = append(args, "--rpc", fmt.Sprintf("%d=http://%s", w.chains[i], n.address))
		}
	}
	return args
}

// failInPhases sets the faults of each phase, a different one for each chain. In
// the end all upstreams are healthy.
func (w *upstreams) failInPhases(ctx context.Context, phase time.Duration, r *report) {
	defer w.recover(r)
	for n := 1; fake.Sleep(ctx, phase); n++ {
		r.add(&r.phases, 1)
		w.set(w.issuer, issuerFaults[n%len(issuerFaults)], r)
		for i, nodes := range w.nodes {
			w.setFaults(nodes, nodeFaults[(n+i)%len(nodeFaults)], 1+n%2, r)
		}
	}
}

// setFaults sets the fault on the first count nodes. A dishonest node is used only
// beside two honest ones, because otherwise it cannot be detected.
func (w *upstreams) setFaults(nodes []*upstream, f fault, count int, r *report) {
	if f == dishonest {
		count = 1
		if len(nodes) < 3 {
			f = broken
		}
	}
	for i, n := range nodes {
		switch {
		case i < count:
			w.set(n, f, r)
		case n == w.crawler():
			w.set(n, crawling, r)
		default:
			w.set(n, healthy, r)
		}
	}
}

// crawler is the one endpoint of three that is slow all the time.
func (w *upstreams) crawler() *upstream { return w.nodes[0][len(w.nodes[0])-1] }

func (w *upstreams) set(u *upstream, f fault, r *report) {
	if err := u.switchTo(f); err != nil {
		r.fault("upstreams that could not be started", "%v", err)
	}
}

func (w *upstreams) recover(r *report) {
	for _, u := range w.all() {
		w.set(u, healthy, r)
	}
}

func (w *upstreams) keepAlive(on bool) {
	for _, u := range w.all() {
		if u.server != nil {
			u.server.SetKeepAlivesEnabled(on)
		}
	}
}

func (w *upstreams) close() {
	for _, u := range w.all() {
		u.stop()
	}
}
