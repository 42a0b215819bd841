package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A target is a limit for a measured value.
type target struct {
	name   string
	format string
	got    float64
	atMost bool
	want   float64
}

func (t target) met() bool { return t.got > 0 && (t.got <= t.want) == t.atMost || t.got == t.want }

// loaded has the results of the load run for ours, with 64 connections.
type loaded struct {
	throughput, p99, node float64 // ratios
	start, idle           float64 // milliseconds, megabytes
}

// targets returns the targets with the values of a run.
func targets(b benchmarks, l loaded) []target {
	const atLeast, atMost = false, true
	return []target{
		{"throughput of the bare server's, 64 connections", "%.2f", l.throughput, atLeast, 0.70},
		{"p99 of the bare server's, 64 connections", "%.2f", l.p99, atMost, 1.5},
		{"DIRECT quote in process, us", "%.1f", b["Answer/direct ns/op"] / 1e3, atMost, 4},
		{"DIRECT quote in process, allocations", "%.0f", b["Answer/direct allocs/op"], atMost, 12},
		{"CCTP quote in process, us", "%.1f", b["Answer/cctp ns/op"] / 1e3, atMost, 4 * 1.3},
		{"pool call, times abi.Pack", "%.1f", b.times("PoolCall/ours ns/op", "PoolCall/abi.Pack ns/op"), atLeast, 10},
		{"burn, times abi.Pack", "%.1f", b.times("BurnCall/ours ns/op", "BurnCall/abi.Pack ns/op"), atLeast, 10},
		{"JSON of a quote, times encoding/json", "%.1f", b.times("V3/printer ns/op", "V3/encoding-json ns/op"), atLeast, 3.5},
		{"shielding quote in process, us", "%.0f", b["Answer/shield ns/op"] / 1e3, atMost, 200},
		{"shielding, times the wallet engine", "%.1f", b.times("ParseEncrypt ns/op", "Engine ns/note"), atLeast, 5},
		{"limiter at a million clients, ns per decision", "%.0f", b["MemoryMillionClients ns/op"], atMost, 400},
		{"limiter at a million clients, bytes per client", "%.0f", b["MemoryMillionClients B/client"], atMost, 220},
		{"quote with 100 times the pairs, of one with 1", "%.2f", b.times("Growth/1x ns/op", "Growth/100x ns/op"), atMost, 1.2},
		{"start to first answer, ms", "%.0f", l.start, atMost, 100},
		{"idle memory, MB", "%.0f", l.idle, atMost, 40},
		{"throughput, times Node and ethers", "%.1f", l.node, atLeast, 5},
	}
}

func printTargets(out io.Writer, list []target) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nTARGET\tWANTED\tMEASURED\t")
	for _, t := range list {
		bound, verdict := ">=", ""
		if t.atMost {
			bound = "<="
		}
		if !t.met() {
			verdict = "missed"
		}
		fmt.Fprintf(w, "%s\t%s %.4g\t"+t.format+"\t%s\n", t.name, bound, t.want, t.got, verdict)
	}
	return w.Flush()
}
