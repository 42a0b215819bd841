package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	// ceiling is below the 280 MiB from which on the replica's collector works
	// harder to stay below: a limiter that holds a minute of this soak's
	// sources, not the million it has room for, must never get it there.
	ceiling = 256 << 20

	// slope is how much more memory a replica may have in the last quarter
	// than in the second: less than a collection more or less makes.
	slope = 32 << 20
)

// verdict lists what is wrong; nothing is if it is empty. A soak in which
// something did not happen proves nothing about it, so that is wrong too.
func (r *report) verdict() (wrong []string) {
	for _, what := range slices.Sorted(maps.Keys(r.faults)) {
		times := r.faults[what]
		wrong = append(wrong, fmt.Sprintf("%s: %d, such as: %s", what, len(times), times[0]))
	}
	return slices.Concat(wrong, r.missing(), r.unexpected(), r.miscounted(), r.outgrown())
}

// kinds are all kinds of requests, in the order of the report.
func kinds() []string {
	list := append(slices.Clone(wares), spoofed, loris, unread)
	for _, a := range oneShots {
		list = append(list, a.name)
	}
	return list
}

// told is the answer that requests of a kind get at least now and then: who is
// cut off is told why.
var told = map[string]string{
	direct: "200", privacy: "200", cctp: "200", integrated: "200", spoofed: "200",
	flood: "431", hugeURL: "414", malformed: "400", garbage: "400", halfShut: "200", halfSent: "400",
}

func (r *report) missing() (wrong []string) {
	for _, kind := range kinds() {
		if len(r.answers[kind]) == 0 {
			wrong = append(wrong, "never asked: "+kind)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(told)) {
		if status := told[kind]; r.answers[kind][status] == 0 {
			wrong = append(wrong, "never answered with "+status+": "+kind)
		}
	}
	if r.restarts == 0 || r.phases == 0 {
		wrong = append(wrong, "no replica was restarted, or no upstream failed")
	}
	return wrong
}

// unexpected looks for answers that no client should get. Those of clients that
// check them are checked already; nobody else must get a 5xx.
func (r *report) unexpected() (wrong []string) {
	for _, kind := range kinds() {
		for status, n := range r.answers[kind] {
			if strings.HasPrefix(status, "5") && excuses[kind] == "" {
				wrong = append(wrong, fmt.Sprintf("%s: %d answers with %s", kind, n, status))
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}

func (r *report) miscounted() (wrong []string) {
	all, judged, impossible := r.judged()
	if all == 0 {
		wrong = append(wrong, "the limiter decided nothing")
	}
	// A machine that is too busy for Redis to answer at all leaves nothing to
	// judge. In a short soak that may be chance.
	if judged == 0 && r.length > 4*window {
		wrong = append(wrong, "no decision of the limiter could be judged: the machine is too busy for Redis")
	}
	if len(impossible) > 0 {
		wrong = append(wrong, fmt.Sprintf("impossible decisions of the limiter: %d, such as: %s", len(impossible), impossible[0]))
	}
	if r.redis.endless > 0 || r.redis.ttl > window {
		wrong = append(wrong, fmt.Sprintf("keys of Redis that stay: %d never expire, and the rest after %v", r.redis.endless, r.redis.ttl.Round(time.Second)))
	}
	return wrong
}

// outgrown looks for what grows: memory and goroutines.
func (r *report) outgrown() (wrong []string) {
	for i, l := range r.replicas {
		early, late := l.quarter(2, r.began, r.length), l.quarter(4, r.began, r.length)
		if l.samples == nil || l.before == 0 || l.after == 0 {
			wrong = append(wrong, fmt.Sprintf("replica %d: nobody saw its memory or its goroutines", i+1))
		}
		if l.highest() > ceiling {
			wrong = append(wrong, fmt.Sprintf("replica %d: %s of memory", i+1, mebibytes(l.highest())))
		}
		if early > 0 && late > early+slope {
			wrong = append(wrong, fmt.Sprintf("replica %d: memory grew from %s to %s", i+1, mebibytes(early), mebibytes(late)))
		}
		if l.after > l.before {
			wrong = append(wrong, fmt.Sprintf("replica %d: %d goroutines at rest, and %d before the load", i+1, l.after, l.before))
		}
	}
	return wrong
}
