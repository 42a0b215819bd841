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

func (t target) met() bool { return t.got == t.want || t.got > 0 && (t.got <= t.want) == t.atMost }

// loaded has the results of the load run for ours, with the last number of
// connections.
type loaded struct {
	throughput, p99, node float64 // ratios
	processor             float64 // ratio of processor times, loaded at the same time
	start, idle           float64 // milliseconds, megabytes
	distant, alone        float64 // quotes a second with a distant Redis, and per cent decided without it
}

// targets returns the targets with the values of a run.
func targets(b benchmarks, l loaded) []target {
	const atLeast, atMost = false, true
	return []target{
		{"of the bare server, by processor time", "%.2f", l.processor, atLeast, 0.65},
		{"of the bare server, by throughput, median of the rounds", "%.2f", l.throughput, atLeast, 0.65},
		{"p99 of the bare server's, median of the rounds", "%.2f", l.p99, atMost, 1.6},
		{"DIRECT quote in process, times a keccak of 40 bytes", "%.1f", b["InKeccaks/direct keccaks"], atMost, 12},
		{"DIRECT quote in process, allocations", "%.0f", b["Answer/direct allocs/op"], atMost, 12},
		{"CCTP quote in process, times a keccak of 40 bytes", "%.1f", b["InKeccaks/cctp keccaks"], atMost, 12 * 1.3},
		{"pool call, times abi.Pack", "%.1f", b.times("PoolCall/ours ns/op", "PoolCall/abi.Pack ns/op"), atLeast, 10},
		{"burn, times abi.Pack", "%.1f", b.times("BurnCall/ours ns/op", "BurnCall/abi.Pack ns/op"), atLeast, 10},
		{"JSON of a quote, times encoding/json", "%.1f", b.times("V3/printer ns/op", "V3/encoding-json ns/op"), atLeast, 3.5},
		{"shielding, times a scalar multiplication and two Poseidon hashes", "%.2f", b["ParseEncryptInFloors floors"], atMost, 2.1},
		{"shielding, times the wallet engine", "%.1f", b.times("ParseEncrypt ns/op", "Engine ns/note"), atLeast, 5},
		{"limiter at a million clients, ns per decision", "%.0f", b["MemoryMillionClients ns/op"], atMost, 400},
		{"limiter at a million clients, bytes per client", "%.0f", b["MemoryMillionClients B/client"], atMost, 220},
		{"quote with 100 times the pairs, of one with 1", "%.2f", b.times("Growth/1x ns/op", "Growth/100x ns/op"), atMost, 1.2},
		{"start to first answer, ms", "%.0f", l.start, atMost, 100},
		{"idle memory, MB", "%.0f", l.idle, atMost, 40},
		{"decisions a second with Redis 10 ms away", "%.0f", b["RedisTenMilliseconds decisions/s"], atLeast, 10_000},
		{"quotes a second with Redis 10 ms away", "%.0f", l.distant, atLeast, 5_000},
		{"of them decided without Redis, %", "%.1f", l.alone, atMost, 0},
		{"throughput, times Node and ethers", "%.1f", l.node, atLeast, 5},
	}
}

func printTargets(out io.Writer, list []target) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nTARGET\tWANTED\tMEASURED\t")
	for _, t := range list {
		bound, verdict := ">=", "met"
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
