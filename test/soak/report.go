package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

// A report has the results of a soak. It is written from many goroutines while the
// soak runs, and read at the end.
type report struct {
	length time.Duration
	began  time.Time

	losing atomic.Bool // Redis is lost on purpose at this moment

	mu        sync.Mutex
	answers   map[string]map[string]int // by kind of request, then by status
	faults    map[string][]string       // details of each occurrence, by name
	restarts  int
	handovers int // of the single replica
	failovers int // of Redis
	phases    int // of faults of the upstreams
	sources   int // random ones
	decisions [][]decision
	alone     []span // when replicas decided without Redis
	redis     redisState
	replicas  [replicas]measurements
}

// measurements are those of all processes of a replica.
type measurements struct {
	samples       []sample
	before, after int // goroutines when idle
}

func newReport(length time.Duration) *report {
	return &report{length: length, answers: map[string]map[string]int{}, faults: map[string][]string{}}
}

func (r *report) answer(kind, status string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answers[kind] == nil {
		r.answers[kind] = map[string]int{}
	}
	r.answers[kind][status]++
}

// fault records an event that must not happen.
func (r *report) fault(name, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[name] = append(r.faults[name], fmt.Sprintf(format, args...))
}

// add adds to a number of r.
func (r *report) add(to *int, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*to += n
}

func (r *report) decided(d []decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decisions = append(r.decisions, d)
}

func (r *report) decidedAlone(s span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alone = append(r.alone, s)
}

func (r *report) sample(replica int, s sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replicas[replica].samples = append(r.replicas[replica].samples, s)
}

// redisHolds keeps the maximum of each value of Redis.
func (r *report) redisHolds(s redisState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.redis.bytes = max(r.redis.bytes, s.bytes)
	r.redis.keys = max(r.redis.keys, s.keys)
	r.redis.ttl = max(r.redis.ttl, s.ttl)
	r.redis.endless = max(r.redis.endless, s.endless)
}

// judged counts the limiter's decisions, those that could be judged, and lists
// the impossible ones.
func (r *report) judged() (all, judged int, wrong []string) {
	for _, d := range r.decisions {
		n, w := judge(d, r.alone)
		all, judged, wrong = all+len(d), judged+n, append(wrong, w...)
	}
	return all, judged, wrong
}

// highest returns the most memory that a process of the replica had.
func (l *measurements) highest() (bytes int) {
	for _, s := range l.samples {
		bytes = max(bytes, s.resident)
	}
	return bytes
}

// quarter returns the median memory in the n-th quarter of the time, or zero.
func (l *measurements) quarter(n int, began time.Time, length time.Duration) int {
	var sizes []int
	for _, s := range l.samples {
		if at := s.at.Sub(began); at >= length*time.Duration(n-1)/4 && at < length*time.Duration(n)/4 {
			sizes = append(sizes, s.resident)
		}
	}
	if sizes == nil {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// print writes the report as text.
func (r *report) print(out io.Writer) {
	r.printAnswers(out)
	r.printMeasurements(out)
	faults := r.problems()
	for _, f := range faults {
		fmt.Fprintln(out, "FAIL:", f)
	}
	if faults == nil {
		fmt.Fprintln(out, "ok: nothing was dropped, and nothing is wrong")
	}
}

func (r *report) printAnswers(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ASKED\tTIMES\tANSWERED")
	for _, kind := range kinds() {
		total, statuses := 0, []string(nil)
		for _, status := range slices.Sorted(maps.Keys(r.answers[kind])) {
			n := r.answers[kind][status]
			total += n
			statuses = append(statuses, fmt.Sprintf("%s: %d", status, n))
		}
		fmt.Fprintf(w, "%s\t%d\t%s\n", kind, total, strings.Join(statuses, ", "))
	}
	_ = w.Flush()
	fmt.Fprintln(out)
}

func (r *report) printMeasurements(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	all, judged, wrong := r.judged()
	fmt.Fprintln(w, "SEEN\t\t")
	fmt.Fprintf(w, "load\t%v\t%d rolling restarts, %d handovers, %d losses of Redis, %d phases of upstream faults\n",
		r.length, r.restarts, r.handovers, r.failovers, r.phases)
	fmt.Fprintf(w, "sources\t%d\tmade up\n", r.sources)
	fmt.Fprintf(w, "limiter\t%d\tdecisions, of which %d could be judged and %d are impossible\n", all, judged, len(wrong))
	fmt.Fprintf(w, "Redis\t%s\tat most, and %d keys, of which %d never expire\n", mebibytes(r.redis.bytes), r.redis.keys, r.redis.endless)
	for i, l := range r.replicas {
		fmt.Fprintf(w, "replica %d\t%s\tat most, of %s; %s in the second quarter, %s in the last\n", i+1, mebibytes(l.highest()),
			mebibytes(ceiling), mebibytes(l.quarter(2, r.began, r.length)), mebibytes(l.quarter(4, r.began, r.length)))
		fmt.Fprintf(w, "\t%d\tgoroutines at rest, and %d before the load\n", l.after, l.before)
	}
	_ = w.Flush()
}

func mebibytes(n int) string { return fmt.Sprintf("%d MiB", n>>20) }
