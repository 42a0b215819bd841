// Bench compares the server with a bare net/http server that returns the same
// bytes for the same URLs, and with a server in Node with ethers, in one run on one
// machine. It prints ratios, because absolute figures depend on the machine.
//
// Servers run on one core and the load on another. What counts is processor time per
// request of two servers that are loaded at the same time; only the headline,
// throughput and latency, is measured in alternating rounds. Requests come from so
// many clients that the rate limiter counts each request and refuses none.
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

// longest is the longest round: while other servers have their turn, Node closes a
// connection after five seconds, and ours after thirty.
const longest = 5 * time.Second

// options are the flags.
type options struct {
	programs, node, connections string
	benchmarks, profile         string
	rounds                      int
	length                      time.Duration
}

func run() error {
	var o options
	flag.StringVar(&o.programs, "hubquote", "bin/hubquote", "the `server` to measure, or several builds of it, separated by commas")
	flag.StringVar(&o.node, "node", "test/bench/node/server.mjs", "the yardstick in Node; empty for none")
	flag.StringVar(&o.connections, "connections", "64", "`numbers` of connections, separated by commas")
	flag.StringVar(&o.benchmarks, "benchmarks", "", "`file` with the output of go test -bench; with it, the targets are printed")
	flag.StringVar(&o.profile, "profile", "", "`file` for a CPU profile of ours under load, taken last")
	flag.IntVar(&o.rounds, "rounds", 9, "rounds for each server and number of connections")
	flag.DurationVar(&o.length, "length", time.Second, "length of a round")
	flag.Parse()
	if o.length > longest {
		return fmt.Errorf("a round of %v: at most %v, because servers close connections that have nothing to do", o.length, longest)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	found, err := o.compare(ctx)
	if err != nil || o.benchmarks == "" {
		return err
	}
	program, _, _ := strings.Cut(o.programs, ",")
	if found.start, found.idle, err = startup(ctx, program); err != nil {
		return err
	}
	if found.distant, found.alone, err = distant(ctx, program, 5*o.length); err != nil {
		return err
	}
	b, err := readBenchmarks(o.benchmarks)
	if err != nil {
		return err
	}
	return printTargets(os.Stdout, targets(b, found))
}

// compare runs the servers side by side, and prints the results.
func (o options) compare(ctx context.Context) (found loaded, err error) {
	servers, err := startAll(ctx, o.programs, o.node)
	if err != nil {
		return found, err
	}
	defer servers.stop()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "connections\tserver\trequests/s\tof bare\tCPU/request\tof bare\tp50\tp99\tof bare\tp99.9\t")
	capacity := 0.0
	for word := range strings.SplitSeq(o.connections, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return found, err
		}
		results, err := measure(ctx, servers, n, o.rounds, o.length)
		if err != nil {
			return found, err
		}
		found = servers.ratios(results)
		capacity = report(w, n, servers, results)
	}
	if err := w.Flush(); err != nil {
		return found, err
	}
	if found.processor, err = printPairs(ctx, os.Stdout, servers, o.rounds, o.length); err != nil {
		return found, err
	}
	if err := printPaced(ctx, os.Stdout, servers, capacity, o.rounds, o.length); err != nil || o.profile == "" {
		return found, err
	}
	return found, servers.profile(ctx, o.profile)
}

// turns is how often the servers take turns in a round. A machine is slow for
// seconds and stalls for milliseconds: in turns shorter than the one and longer than
// the other, both fall on all servers alike.
const turns = 10

// measure runs the rounds of all servers, and returns those of each.
func measure(ctx context.Context, servers servers, connections, rounds int, length time.Duration) ([][]result, error) {
	parts, err := inTurns(servers, connections, rounds*turns, func(list lines) (result, error) { return list.load(ctx, length/turns) })
	if err != nil {
		return nil, err
	}
	all := make([][]result, len(servers))
	for i := range servers {
		for round := range slices.Chunk(parts[i], turns) {
			all[i] = append(all[i], joined(round))
		}
	}
	return all, nil
}

// inTurns does something with each server in turn, so many times, and returns the
// results of each. None is always behind the same one, and their connections stay open.
func inTurns(servers []server, connections, times int, turn func(lines) (result, error)) ([][]result, error) {
	open := make([]lines, len(servers))
	for i, s := range servers {
		list, err := connect(s.address, connections)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		defer list.close()
		open[i] = list
	}
	all := make([][]result, len(servers))
	for first := range times {
		for k := range servers {
			i := (first + k) % len(servers)
			s := servers[i]
			before := s.processorTime()
			r, err := turn(open[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			r.busy = s.processorTime() - before
			all[i] = append(all[i], r)
		}
	}
	return all, nil
}

// median returns the round of median throughput, with the processor time per
// request of all rounds, because the kernel's count is too coarse for one round.
func median(rounds []result) result {
	var busy time.Duration
	requests := 0
	for _, r := range rounds {
		busy += r.busy
		requests += len(r.latencies)
	}
	rounds = slices.Clone(rounds)
	slices.SortFunc(rounds, func(a, b result) int { return int(a.perSecond() - b.perSecond()) })
	m := rounds[len(rounds)/2]
	m.busy = busy / time.Duration(requests)
	return m
}

// report prints the median rounds, and returns the throughput of ours.
func report(w *tabwriter.Writer, connections int, servers servers, rounds [][]result) (capacity float64) {
	bare := median(rounds[bareServer])
	for i := range servers {
		r := median(rounds[i])
		fmt.Fprintf(w, "%d\t%s\t%.0f\t%.2f\t%v\t%.2f\t%v\t%v\t%.2f\t%v\t\n", connections, servers[i].name,
			r.perSecond(), r.perSecond()/bare.perSecond(),
			r.busy, float64(bare.busy)/float64(r.busy),
			r.at(0.50).Round(time.Microsecond), r.at(0.99).Round(time.Microsecond),
			float64(r.at(0.99))/float64(bare.at(0.99)), r.at(0.999).Round(time.Microsecond))
	}
	return median(rounds[ourServer]).perSecond()
}
