// Bench compares the server with a bare net/http server that returns the same
// bytes for the same URLs, and with what people would write otherwise, in one
// run on one machine. It prints ratios: absolute figures do not travel.
//
// Servers run on one core and the load on another, in alternating rounds.
// Requests come from as many clients as it takes for the rate limiter to count
// for real and refuse nobody.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	err := error(nil)
	switch {
	case len(os.Args) == 3 && os.Args[1] == "bare":
		err = bare(os.Args[2], false)
	case len(os.Args) == 3 && os.Args[1] == "bare-with-headers":
		err = bare(os.Args[2], true)
	default:
		err = run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	programs := flag.String("hubquote", "bin/hubquote", "the server to measure, or several builds of it, separated by commas")
	node := flag.String("node", "bench/node/server.mjs", "the yardstick in Node; empty for none")
	rounds := flag.Int("rounds", 3, "rounds for each server and number of connections")
	length := flag.Duration("length", 2*time.Second, "length of a round")
	connections := flag.String("connections", "1,16,64,256", "numbers of connections")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	servers, err := startAll(ctx, *programs, *node)
	if err != nil {
		return err
	}
	defer servers.stop()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "connections\tserver\trequests/s\tof bare\tCPU/request\tof bare\tp50\tp99\tof bare\tp99.9\t")
	for word := range strings.SplitSeq(*connections, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return err
		}
		results, err := measure(ctx, servers, n, *rounds, *length)
		if err != nil {
			return err
		}
		report(w, n, servers, results)
	}
	return w.Flush()
}

// measure gives each server its rounds in turn, so that what else the machine
// does hits all of them alike, and keeps each one's round of median throughput.
func measure(ctx context.Context, servers servers, connections, rounds int, length time.Duration) ([]result, error) {
	all := make([][]result, len(servers))
	for range rounds {
		for i, s := range servers {
			before := s.processorTime()
			r, err := load(ctx, s.address, target, connections, length)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			r.busy = s.processorTime() - before
			all[i] = append(all[i], r)
		}
	}
	var medians []result
	for _, rs := range all {
		medians = append(medians, median(rs))
	}
	return medians, nil
}

// median returns the round of median throughput, with the processor time per
// request of all rounds: the kernel counts it too coarsely for one.
func median(rounds []result) result {
	var busy time.Duration
	requests := 0
	for _, r := range rounds {
		busy += r.busy
		requests += len(r.latencies)
	}
	slices.SortFunc(rounds, func(a, b result) int { return int(a.perSecond() - b.perSecond()) })
	m := rounds[len(rounds)/2]
	m.busy = busy / time.Duration(requests)
	return m
}

func report(w *tabwriter.Writer, connections int, servers servers, results []result) {
	bare := results[0]
	for i, r := range results {
		fmt.Fprintf(w, "%d\t%s\t%.0f\t%.2f\t%v\t%.2f\t%v\t%v\t%.2f\t%v\t\n", connections, servers[i].name,
			r.perSecond(), r.perSecond()/bare.perSecond(),
			r.busy, float64(bare.busy)/float64(r.busy),
			r.at(0.50).Round(time.Microsecond), r.at(0.99).Round(time.Microsecond),
			float64(r.at(0.99))/float64(bare.at(0.99)), r.at(0.999).Round(time.Microsecond))
	}
}
