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

	// drift is more than the clocks of one machine are slewed apart in a
	// window: Redis counts by the one, the replicas and we by the other.
	drift = 50 * time.Millisecond
)

// A decision is one verdict of the limiter, made at some moment between sent
// and got. The decisions of one client do not overlap: it asks for the next
// when it has the last.
type decision struct {
	sent, got time.Time
	allowed   bool
}

// A span is a time in which something happened.
type span struct{ from, to time.Time }

// judge holds one client's decisions, in their order, against the rule.
//
// Nobody but the limiter knows when it decided, so a decision is wrong only if
// it breaks the rule for every choice of moments. The rule looks at one earlier
// decision only, the budget-th allowed one before: it must have left the window
// for an allow, and must be in it for a refusal. So an allow is impossible if
// even the latest moment of this decision is less than a window after the
// earliest of that one, and a refusal if even the earliest moment of this is a
// window or more after the latest of that, or if there is no such decision.
// Both are exact up to how long the two requests took. That a replica refuses
// from its own memory what it allowed by itself changes nothing: those are some
// of the same decisions, at moments in the same bounds.
//
// A replica that got no answer from Redis in time decided alone, which the rule
// permits (D31), and Redis may have counted that request late or never. What
// was decided within two windows after such a time is not judged.
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
		return fmt.Sprintf("refused after %d requests ever", len(allowed))
	}
	first := allowed[len(allowed)-budget]
	switch longest, shortest := d.got.Sub(first.sent)+drift, d.sent.Sub(first.got)-drift; {
	case d.allowed && longest < window:
		return fmt.Sprintf("request %d within %v allowed", budget+1, longest)
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
