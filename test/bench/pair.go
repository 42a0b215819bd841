package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"text/tabwriter"
	"time"
)

// A pair is two servers that are loaded at the same time. They share one core, so a
// slow phase of the machine slows both, and the ratio of their processor times per
// request stays what it is.
type pair struct{ base, variant server }

// pairConnections is the number of connections to each of a pair.
const pairConnections = 32

// ratios returns the processor time per request of the variant, in that of the
// base, for each round, sorted.
func (p pair) ratios(ctx context.Context, rounds int, length time.Duration) (list []float64, err error) {
	for range rounds {
		base, variant, err := p.round(ctx, length)
		if err != nil {
			return nil, err
		}
		list = append(list, variant.Seconds()/base.Seconds())
	}
	slices.Sort(list)
	return list, nil
}

// round returns the processor time per request of both.
func (p pair) round(ctx context.Context, length time.Duration) (base, variant time.Duration, err error) {
	var both sync.WaitGroup
	var errs [2]error
	both.Go(func() { base, errs[0] = p.base.perRequest(ctx, length) })
	both.Go(func() { variant, errs[1] = p.variant.perRequest(ctx, length) })
	both.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, 0, err
		}
	}
	return base, variant, nil
}

// perRequest loads a server and returns its processor time per request.
func (s server) perRequest(ctx context.Context, length time.Duration) (time.Duration, error) {
	before := s.processorTime()
	r, err := load(ctx, s.address, pairConnections, length)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.name, err)
	}
	return (s.processorTime() - before) / time.Duration(len(r.latencies)), nil
}

// printPairs compares every server with the bare one by processor time. The first
// row is a second bare server: what it differs by is the noise of this method. It
// returns what ours reaches of the bare server.
func printPairs(ctx context.Context, out io.Writer, servers servers, rounds int, length time.Duration) (ofBare float64, err error) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nprocessor time per request, loaded at the same time\tof bare\tlowest\thighest\tbare/it\t")
	for _, s := range servers[1:] {
		if s.name == yardstick {
			continue
		}
		list, err := pair{servers[bareServer], s}.ratios(ctx, rounds, length)
		if err != nil {
			return 0, err
		}
		middle := list[len(list)/2]
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%.2f\t\n", s.name, middle, list[0], list[len(list)-1], 1/middle)
		if s.address == servers[ourServer].address {
			ofBare = 1 / middle
		}
	}
	return ofBare, w.Flush()
}
