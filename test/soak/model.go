package main

import (
	"fmt"
	"time"
)

// The rule (D25): a request is allowed if and only if fewer than budget
// requests of its client were allowed in the window that ends with it.
const (
	budget = 30
	window = time.Minute

	// drift is more than the two clocks of a machine can differ within a window.
	// Redis uses the wall clock; the replicas and this test use the monotonic one.
	drift = 50 * time.Millisecond
)

// A decision is one decision of the limiter, made at some moment between sent and
// got. The decisions of one client do not overlap, because it sends a request only
// after the answer to the last.
type decision struct {
	sent, got time.Time
	allowed   bool
}

// A span is an interval of time.
type span struct{ from, to time.Time }

// judge compares one client's decisions, in their order, with the rule.
//
// The exact moment of a decision is not known, so a decision is wrong only if it
// breaks the rule for every moment between sent and got. The rule depends on one
// earlier decision only, the budget-th allowed one before. It must have left the
// window for an allow, and must be in the window for a refusal. So an allow is
// impossible if the latest moment of this decision is less than a window after the
// earliest moment of that one. A refusal is impossible if the earliest moment of
// this decision is a window or more after the latest moment of that one, or if
// there is no such decision. Both checks are exact up to the duration of the two
// requests. A replica may also refuse a request from its own memory. It counts some
// of the same decisions, at moments in the same bounds, so the checks still hold.
//
// A replica that got no answer from Redis in time decided alone, which the rule
// permits (D31), and Redis may have counted that request late or never. Decisions
// within two windows after such a time are not judged.
func judge(decisions []decision, alone []span) (judged int, wrong []string) {
	var allowed []decision
	for _, d := range decisions {
		if !overlaps(alone, span{d.sent.Add(-2 * window), d.got}) {
			judged++
			if why := impossible(d, allowed); why != "" {
				wrong = append(wrong, why)
			}
		}
		if d.allowed {
			allowed = append(allowed, d)
		}
	}
	return judged, wrong
}

func impossible(d decision, allowed []decision) string {
	if len(allowed) < budget {
		if d.allowed {
			return ""
		}
		return fmt.Sprintf("refused after %d allowed requests", len(allowed))
	}
	first := allowed[len(allowed)-budget]
	switch longest, shortest := d.got.Sub(first.sent)+drift, d.sent.Sub(first.got)-drift; {
	case d.allowed && longest < window:
		return fmt.Sprintf("allowed request %d within %v", budget+1, longest)
	case !d.allowed && shortest >= window:
		return fmt.Sprintf("refused %v after the oldest of %d requests", shortest, budget)
	}
	return ""
}

func overlaps(spans []span, with span) bool {
	for _, s := range spans {
		if s.from.Before(with.to) && with.from.Before(s.to) {
			return true
		}
	}
	return false
}
