package alert_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"hubquote/internal/settle/alert"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
)

func TestBoard(t *testing.T) {
	var log strings.Builder
	b := alert.NewBoard(slog.New(slog.NewTextHandler(&log, nil)))
	stop := step.Alert{Name: step.FinalityBroken, Page: true, Stop: true, Chain: 369}
	late := step.Alert{Name: step.Unreleased}
	now := time.Unix(1000, 0)
	b.Set(now, order.ID{1}, []step.Alert{stop, late})
	b.Set(now.Add(time.Minute), order.ID{2}, []step.Alert{late})
	b.Set(now.Add(time.Hour), order.ID{1}, []step.Alert{stop, late})
	list := b.List()
	if len(list) != 2 || list[1].Name != step.Unreleased || list[1].Orders != 2 || !list[1].Since.Equal(now) {
		t.Errorf("List = %+v, want two, the second of two orders since %v", list, now)
	}
	if !b.Stops(369) || b.Stops(1) {
		t.Errorf("Stops(369) = %v, Stops(1) = %v, want true, false", b.Stops(369), b.Stops(1))
	}
	if n := strings.Count(log.String(), "msg=alert"); n != 3 {
		t.Errorf("%d lines in the log, want one for each alert and order, 3", n)
	}
	b.Set(now, order.ID{1}, nil)
	if list := b.List(); len(list) != 1 || list[0].Orders != 1 || b.Stops(369) {
		t.Errorf("List = %+v after one order is well again, want one alert of one order", list)
	}
}

// What the journal keeps is up until the journal has it no longer, whatever the
// orders raise, and is logged once.
func TestAlarms(t *testing.T) {
	var log strings.Builder
	b := alert.NewBoard(slog.New(slog.NewTextHandler(&log, nil)))
	stop := alert.Alarm{Alert: step.Alert{Name: step.FinalityBroken, Page: true, Stop: true, Chain: 369}, Subject: order.Hash{1}, Since: time.Unix(5, 0)}
	b.Keep([]alert.Alarm{stop})
	b.Keep([]alert.Alarm{stop})
	b.Set(time.Unix(9, 0), order.ID{1}, nil)
	if list := b.List(); len(list) != 1 || list[0].Alert != stop.Alert || !list[0].Since.Equal(stop.Since) || !b.Stops(369) {
		t.Errorf("List = %+v, want the alarm, which stops its chain", list)
	}
	if text := log.String(); strings.Count(text, "msg=alert") != 1 || !strings.Contains(text, "settler retry --chain 369") {
		t.Errorf("log = %s, want one line that names the remedy", text)
	}
	b.Keep(nil)
	if list := b.List(); len(list) != 0 || b.Stops(369) {
		t.Errorf("List = %+v, want none", list)
	}
}

// A settler that has lost the journal shows nothing: who holds it now raises what
// is still so.
func TestClear(t *testing.T) {
	b := alert.NewBoard(slog.New(slog.DiscardHandler))
	stop := step.Alert{Name: step.FinalityBroken, Page: true, Stop: true, Chain: 369}
	b.Set(time.Unix(9, 0), order.ID{1}, []step.Alert{{Name: step.Unreleased}})
	b.Keep([]alert.Alarm{{Alert: stop, Subject: order.Hash{1}}})
	b.Clear()
	if list := b.List(); len(list) != 0 || b.Stops(369) {
		t.Errorf("List = %+v, want none", list)
	}
}
