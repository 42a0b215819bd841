package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"text/tabwriter"
	"time"
)

// paced sends requests at a constant rate over a number of connections, whether or
// not the answers to earlier ones have come. Latency counts from the moment when a request
// was due, so a stall of the server is felt by every request that was due in it
// (coordinated omission).
func paced(ctx context.Context, address string, connections int, rate float64, length time.Duration) (result, error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all result
	var errs []error
	start := time.Now()
	for i := range connections {
		wg.Go(func() {
			p := pace{first: start.Add(time.Duration(float64(i) / rate * 1e9)), every: time.Duration(float64(connections) / rate * 1e9), end: start.Add(length)}
			latencies, err := p.drive(ctx, address)
			mu.Lock()
			defer mu.Unlock()
			all.latencies = append(all.latencies, latencies...)
			errs = append(errs, err)
		})
	}
	wg.Wait()
	all.took = time.Since(start)
	slices.Sort(all.latencies)
	return all, errors.Join(errs...)
}

// A pace is when the requests of one connection are due.
type pace struct {
	first, end time.Time
	every      time.Duration
}

func (p pace) drive(ctx context.Context, address string) (latencies []time.Duration, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 16<<10)
	var request []byte
	for due := p.first; due.Before(p.end) && ctx.Err() == nil; due = due.Add(p.every) {
		time.Sleep(time.Until(due))
		request = appendRequest(request[:0])
		if _, err := conn.Write(request); err != nil {
			return latencies, err
		}
		if err := readResponse(in); err != nil {
			return latencies, err
		}
		latencies = append(latencies, time.Since(due))
	}
	return latencies, nil
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
