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
	if len(os.Args) > 1 && os.Args[1] == "bare" {
		bare(os.Args[2])
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	program := flag.String("hubquote", "bin/hubquote", "the server to measure")
	node := flag.String("node", "bench/node/server.mjs", "the yardstick in Node; empty for none")
	rounds := flag.Int("rounds", 3, "rounds for each server and number of connections")
	length := flag.Duration("length", 2*time.Second, "length of a round")
	connections := flag.String("connections", "1,16,64,256", "numbers of connections")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	servers, err := startAll(ctx, *program, *node)
	if err != nil {
		return err
	}
	defer servers.stop()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "connections\tserver\trequests/s\tof bare\tp50\tp99\tof bare\tp99.9\t")
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
			r, err := load(ctx, s.address, servers.targets(), connections, length)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			all[i] = append(all[i], r)
		}
	}
	var medians []result
	for _, rs := range all {
		slices.SortFunc(rs, func(a, b result) int { return int(a.perSecond() - b.perSecond()) })
		medians = append(medians, rs[len(rs)/2])
	}
	return medians, nil
}

func report(w *tabwriter.Writer, connections int, servers servers, results []result) {
	bare := results[0]
	for i, r := range results {
		fmt.Fprintf(w, "%d\t%s\t%.0f\t%.2f\t%v\t%v\t%.2f\t%v\t\n", connections, servers[i].name,
			r.perSecond(), r.perSecond()/bare.perSecond(),
			r.at(0.50).Round(time.Microsecond), r.at(0.99).Round(time.Microsecond),
			float64(r.at(0.99))/float64(bare.at(0.99)), r.at(0.999).Round(time.Microsecond))
	}
}
