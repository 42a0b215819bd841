package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	// ceiling is below the replica's memory limit of 280 MiB, at which garbage
	// collection becomes more frequent. The sources of one minute of this soak,
	// far fewer than the million that the limiter has room for, must need less.
	ceiling = 256 << 20

	// slope is how much more memory a replica may have in the last quarter than
	// in the second. It allows for the times of garbage collections.
	slope = 32 << 20
)

// problems lists all failures. An event that should happen in every soak and did
// not is a failure too, because its effects were not tested.
func (r *report) problems() (wrong []string) {
	for _, name := range slices.Sorted(maps.Keys(r.faults)) {
		times := r.faults[name]
		wrong = append(wrong, fmt.Sprintf("%s: %d, such as: %s", name, len(times), times[0]))
	}
	return slices.Concat(wrong, r.missing(), r.unexpectedAnswers(), r.limiterProblems(), r.growth())
}

// kinds are all kinds of requests, in the order of the report.
func kinds() []string {
	list := append(slices.Clone(routeKinds), handover, spoofed, loris, unread, idleness)
	for _, a := range oneShots {
		list = append(list, a.name)
	}
	return list
}

// requiredStatus is a status that each kind of request must receive at least once.
// Refused clients must be able to read the reason.
var requiredStatus = map[string]string{
	direct: "200", privacy: "200", cctp: "200", integrated: "200", handover: "200", spoofed: "200", idleness: "200",
	flood: "431", hugeURL: "414", malformed: "400", garbage: "400", halfShut: "200", halfSent: "400",
}

func (r *report) missing() (wrong []string) {
	for _, kind := range kinds() {
		if len(r.answers[kind]) == 0 {
			wrong = append(wrong, "never sent: "+kind)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(requiredStatus)) {
		if status := requiredStatus[kind]; r.answers[kind][status] == 0 {
			wrong = append(wrong, "never answered with "+status+": "+kind)
		}
	}
	if r.restarts == 0 || r.phases == 0 {
		wrong = append(wrong, "no replica was restarted, or no upstream failed")
	}
	if r.handovers == 0 || r.failovers == 0 {
		wrong = append(wrong, "no socket was handed over, or Redis was never lost")
	}
	return wrong
}

// unexpectedAnswers lists every 5xx, except those of route kinds that may fail. The
// clients have checked their answers already.
func (r *report) unexpectedAnswers() (wrong []string) {
	for _, kind := range kinds() {
		for status, n := range r.answers[kind] {
			if strings.HasPrefix(status, "5") && allowedFailures[kind] == "" {
				wrong = append(wrong, fmt.Sprintf("%s: %d answers with %s", kind, n, status))
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}

func (r *report) limiterProblems() (wrong []string) {
	all, judged, impossible := r.judged()
	if all == 0 {
		wrong = append(wrong, "the limiter made no decision")
	}
	// When the machine is too busy for Redis to answer in time, no decision can be
	// judged. In a short soak this may happen.
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

// growth lists memory and goroutines that have grown.
func (r *report) growth() (wrong []string) {
	for i, l := range r.replicas {
		early, late := l.quarter(2, r.began, r.length), l.quarter(4, r.began, r.length)
		if l.samples == nil || l.before == 0 || l.after == 0 {
			wrong = append(wrong, fmt.Sprintf("replica %d: its memory or goroutines were not measured", i+1))
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
