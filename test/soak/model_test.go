package main

import (
	"testing"
	"time"
)

// at returns a decision about a request that was sent and answered at these
// milliseconds.
func at(sent, got int, allowed bool) decision {
	start := time.Unix(1_000_000, 0)
	return decision{start.Add(time.Duration(sent) * time.Millisecond), start.Add(time.Duration(got) * time.Millisecond), allowed}
}

// allowances returns n allowed requests, one per second from zero, each of which
// took 100 ms.
func allowances(n int) (list []decision) {
	for i := range n {
		list = append(list, at(1000*i, 1000*i+100, true))
	}
	return list
}

func TestModel(t *testing.T) {
	tests := []struct {
		name  string
		next  decision
		n     int // requests allowed before
		wrong bool
	}{
		{"the 30th is allowed", at(29_000, 29_100, true), 29, false},
		{"the 30th is not refused", at(29_000, 29_100, false), 29, true},
		{"the first is not refused", at(0, 100, false), 0, true},
		{"the 31st is refused", at(30_000, 30_100, false), 30, false},
		{"the 31st is not allowed", at(30_000, 30_100, true), 30, true},
		{"the 31st is not allowed just before the first leaves the window", at(59_000, 59_900, true), 30, true},
		{"the 31st may be allowed a window after the first was sent", at(59_900, 60_000, true), 30, false},
		{"the 31st is allowed a window after the first was answered", at(60_200, 60_300, true), 30, false},
		{"the 31st is not refused a window after the first was answered", at(60_200, 60_300, false), 30, true},
		{"the 31st may be refused between these two times", at(60_100, 60_300, false), 30, false},
		{"only the last 30 count", at(71_000, 71_100, true), 41, false},
		{"all of the last 30 count", at(70_700, 70_800, true), 41, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// The earlier decisions may be impossible too; only the last is tested.
			before := allowances(tt.n)
			_, wrongBefore := judge(before, nil)
			judged, wrong := judge(append(before, tt.next), nil)
			if got := len(wrong) > len(wrongBefore); got != tt.wrong || judged != tt.n+1 {
				t.Errorf("judge = %d, %q; want %d judged and the last wrong: %t", judged, wrong, tt.n+1, tt.wrong)
			}
		})
	}
}

func TestRefusalsDoNotCount(t *testing.T) {
	decisions := allowances(30)
	for i := range 100 {
		decisions = append(decisions, at(30_000+i*100, 30_050+i*100, false))
	}
	decisions = append(decisions, at(60_200, 60_300, true))
	if _, wrong := judge(decisions, nil); wrong != nil {
		t.Errorf("wrong decisions = %q, want none", wrong)
	}
}

func TestDecisionsAfterAReplicaDecidedAloneAreNotJudged(t *testing.T) {
	alone := span{at(10_000, 0, true).sent, at(11_000, 0, true).sent}
	decisions := append(allowances(31), at(200_000, 200_100, false), at(300_000, 300_100, false))
	judged, wrong := judge(decisions, []span{alone})
	if judged != 10+2 || len(wrong) != 2 {
		t.Errorf("judge = %d, %q; want 12 judged and 2 wrong", judged, wrong)
	}
}
