package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// paced sends requests at a constant rate over a number of connections, whether or
// not the answers to earlier ones have come. Latency counts from the moment when a request
// was due, so a stall of the server is felt by every request that was due in it
// (coordinated omission); on a connection that was free, from when it was sent, because
// that this program wakes late is not the server's fault.
func paced(ctx context.Context, address string, connections int, rate float64, length time.Duration) (result, error) {
	list, err := connect(address, connections)
	if err != nil {
		return result{}, err
	}
	defer list.close()
	start := time.Now()
	every := float64(len(list)) / rate * 1e9 // nanoseconds between two requests of a line
	return list.each(func(i int, l *line) (latencies []time.Duration, err error) {
		for n := float64(i) / float64(len(list)); n*every < float64(length) && ctx.Err() == nil; n++ {
			due := start.Add(time.Duration(n * every))
			if early := time.Until(due); early > 0 {
				time.Sleep(early)
				due = time.Now()
			}
			if err := l.ask(); err != nil {
				return latencies, err
			}
			latencies = append(latencies, time.Since(due))
		}
		return latencies, nil
	})
}

// printPaced prints the latencies of the bare server and of ours at the same rates,
// which are shares of what ours can do.
func printPaced(ctx context.Context, out io.Writer, servers servers, capacity float64, length time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nconstant rate\tserver\trequests/s\tp50\tp99\tp99.9\t")
	for _, share := range []float64{0.1, 0.5, 0.8} {
		for _, s := range []server{servers[bareServer], servers[ourServer]} {
			r, err := paced(ctx, s.address, 64, share*capacity, length)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			fmt.Fprintf(w, "%.0f %% of ours\t%s\t%.0f\t%v\t%v\t%v\t\n", 100*share, s.name, r.perSecond(),
				r.at(0.50).Round(time.Microsecond), r.at(0.99).Round(time.Microsecond), r.at(0.999).Round(time.Microsecond))
		}
	}
	return w.Flush()
}
