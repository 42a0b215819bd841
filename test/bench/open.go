package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// paced sends requests at a constant rate, whether or not the answers to earlier
// ones have come. Latency counts from the moment when a request was due, so a stall of
// the server is felt by every request that was due in it (coordinated omission); on a
// connection that was free, from when it was sent, because that this program wakes
// late is not the server's fault.
func (list lines) paced(ctx context.Context, rate float64, length time.Duration) (result, error) {
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
// which are shares of what ours can do: the medians of rounds in turns, so that one
// stall of the machine is in one round of one server.
func printPaced(ctx context.Context, out io.Writer, servers servers, capacity float64, rounds int, length time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nconstant rate\tserver\trequests/s\tp50\tp99\tp99.9\t")
	compared := []server{servers[bareServer], servers[ourServer]}
	for _, share := range []float64{0.1, 0.5, 0.8} {
		turn := func(list lines) (result, error) { return list.paced(ctx, share*capacity, length) }
		found, err := inTurns(compared, 64, rounds, turn)
		if err != nil {
			return err
		}
		for i, s := range compared {
			at := func(share float64) time.Duration {
				return time.Duration(medianOf(found[i], func(r result) float64 { return float64(r.at(share)) })).Round(time.Microsecond)
			}
			fmt.Fprintf(w, "%.0f %% of ours\t%s\t%.0f\t%v\t%v\t%v\t\n", 100*share, s.name, medianOf(found[i], result.perSecond), at(0.50), at(0.99), at(0.999))
		}
	}
	return w.Flush()
}
