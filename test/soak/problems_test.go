package main

import (
	"cmp"
	"strings"
	"testing"
	"time"
)

// passing returns the report of a soak without problems.
func passing() *report {
	r := newReport(100 * time.Second)
	r.began = time.Unix(1_000_000, 0)
	for _, kind := range kinds() {
		r.answer(kind, cmp.Or(requiredStatus[kind], "200"))
	}
	r.restarts, r.handovers, r.failovers, r.phases, r.sources = 8, 30, 1, 10, 1000
	r.decided(allowances(30))
	for i := range r.replicas {
		l := &r.replicas[i]
		l.before, l.after = 26, 26
		for second := range 100 {
			l.samples = append(l.samples, sample{r.began.Add(time.Duration(second) * time.Second), 60 << 20})
		}
	}
	return r
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name   string
		change func(*report)
		want   string // in the problems; empty for none
	}{
		{"no problem", func(*report) {}, ""},
		{"a request was dropped", func(r *report) { r.fault("requests dropped", "EOF") }, "requests dropped: 1, such as: EOF"},
		{"a burn may be refused", func(r *report) { r.answer(cctp, "503") }, ""},
		{"a direct quote was refused", func(r *report) { r.answer(direct, "503") }, "direct: 1 answers with 503"},
		{"an attacker got a 500", func(r *report) { r.answer(garbage, "500") }, "garbage: 1 answers with 500"},
		{"no burn was ever quoted", func(r *report) { r.answers[cctp] = map[string]int{"503": 9} }, "never answered with 200: cctp"},
		{"no garbage was sent", func(r *report) { delete(r.answers, garbage) }, "never sent: garbage"},
		{"a header flood never got its status", func(r *report) { r.answers[flood] = map[string]int{"none": 9} }, "never answered with 431: header flood"},
		{"no decision could be judged in a long soak", func(r *report) {
			r.length, r.alone = time.Hour, []span{{r.began.Add(-time.Hour), r.began.Add(time.Hour)}}
		}, "no decision of the limiter could be judged"},
		{"no restart", func(r *report) { r.restarts = 0 }, "no replica was restarted"},
		{"no handover", func(r *report) { r.handovers = 0 }, "no socket was handed over"},
		{"Redis was not lost", func(r *report) { r.failovers = 0 }, "Redis was never lost"},
		{"a handover lost a request", func(r *report) { r.fault("requests dropped at a handover", "none") }, "requests dropped at a handover: 1"},
		{"no fault", func(r *report) { r.phases = 0 }, "no upstream failed"},
		{"no decision", func(r *report) { r.decisions = nil }, "the limiter made no decision"},
		{"one allowed too many", func(r *report) { r.decided(allowances(31)) }, "impossible decisions of the limiter: 1"},
		{"a key that never expires", func(r *report) { r.redisHolds(redisState{endless: 1}) }, "1 never expire"},
		{"keys that expire too late", func(r *report) { r.redisHolds(redisState{ttl: time.Hour}) }, "after 1h0m0s"},
		{"a peak of memory", func(r *report) { r.replicas[1].samples[7].resident = ceiling + 1 }, "replica 2: 256 MiB of memory"},
		{"memory that grows", func(r *report) {
			for i := range r.replicas[0].samples {
				r.replicas[0].samples[i].resident += i << 20
			}
		}, "replica 1: memory grew from 97 MiB to 147 MiB"},
		{"memory was not measured", func(r *report) { r.replicas[0].samples = nil }, "replica 1: its memory or goroutines were not measured"},
		{"a goroutine was left", func(r *report) { r.replicas[1].after++ }, "replica 2: 27 goroutines at rest, and 26 before"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := passing()
			tt.change(r)
			wrong := r.problems()
			if got := strings.Join(wrong, "\n"); (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("problems = %q, want %q", got, tt.want)
			}
			var out strings.Builder
			if r.print(&out); strings.Contains(out.String(), "FAIL: ") != (tt.want != "") {
				t.Errorf("report =\n%s\nwant FAIL: %t", &out, tt.want != "")
			}
		})
	}
}
