package main

import (
	"cmp"
	"strings"
	"testing"
	"time"
)

// spotless is the report of a soak in which everything happened and nothing was
// wrong.
func spotless() *report {
	r := newReport(100 * time.Second)
	r.began = time.Unix(1_000_000, 0)
	for _, kind := range kinds() {
		r.answer(kind, cmp.Or(told[kind], "200"))
	}
	r.restarts, r.phases, r.sources = 8, 10, 1000
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

func TestVerdict(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*report)
		want  string // in the verdict; empty when there is none
	}{
		{"nothing", func(*report) {}, ""},
		{"a request was dropped", func(r *report) { r.fault("requests dropped", "EOF") }, "requests dropped: 1, such as: EOF"},
		{"a burn was refused for a good reason", func(r *report) { r.answer(cctp, "503") }, ""},
		{"a direct quote was refused", func(r *report) { r.answer(direct, "503") }, "direct: 1 answers with 503"},
		{"an attacker got a 500", func(r *report) { r.answer(garbage, "500") }, "garbage: 1 answers with 500"},
		{"no burn was ever quoted", func(r *report) { r.answers[cctp] = map[string]int{"503": 9} }, "never answered with 200: cctp"},
		{"nobody sent garbage", func(r *report) { delete(r.answers, garbage) }, "never asked: garbage"},
		{"who floods is not told why", func(r *report) { r.answers[flood] = map[string]int{"none": 9} }, "never answered with 431: header flood"},
		{"nothing to judge for long", func(r *report) {
			r.length, r.alone = time.Hour, []span{{r.began.Add(-time.Hour), r.began.Add(time.Hour)}}
		}, "no decision of the limiter could be judged"},
		{"no restart", func(r *report) { r.restarts = 0 }, "no replica was restarted"},
		{"no fault", func(r *report) { r.phases = 0 }, "no upstream failed"},
		{"no decision", func(r *report) { r.decisions = nil }, "the limiter decided nothing"},
		{"one allowed too many", func(r *report) { r.decided(allowances(31)) }, "impossible decisions of the limiter: 1"},
		{"a key for ever", func(r *report) { r.redisHolds(redisState{endless: 1}) }, "1 never expire"},
		{"keys for too long", func(r *report) { r.redisHolds(redisState{ttl: time.Hour}) }, "after 1h0m0s"},
		{"a peak", func(r *report) { r.replicas[1].samples[7].resident = ceiling + 1 }, "replica 2: 256 MiB of memory"},
		{"a slope", func(r *report) {
			for i := range r.replicas[0].samples {
				r.replicas[0].samples[i].resident += i << 20
			}
		}, "replica 1: memory grew from 97 MiB to 147 MiB"},
		{"nobody looked", func(r *report) { r.replicas[0].samples = nil }, "replica 1: nobody saw"},
		{"a goroutine was left", func(r *report) { r.replicas[1].after++ }, "replica 2: 27 goroutines at rest, and 26 before"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := spotless()
			tt.spoil(r)
			wrong := r.verdict()
			if got := strings.Join(wrong, "\n"); (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("verdict %q, want %q", got, tt.want)
			}
			var out strings.Builder
			if r.print(&out); strings.Contains(out.String(), "FAIL: ") != (tt.want != "") {
				t.Errorf("the report says:\n%s", &out)
			}
		})
	}
}
