package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// lines is a log for people: the time, what happened, and the details dimmed. A
// line that was there less than a minute ago is left out, because a relayer
// tries again until it succeeds.
type lines struct {
	out   screen
	lock  *sync.Mutex
	shown map[string]time.Time
	attrs []slog.Attr
}

func newLines(out screen) *lines {
	return &lines{out: out, lock: new(sync.Mutex), shown: map[string]time.Time{}}
}

func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	var details strings.Builder
	show := func(a slog.Attr) bool {
		fmt.Fprintf(&details, "  %s %s", a.Key, brief(a.Value.String()))
		return true
	}
	for _, a := range l.attrs {
		show(a)
	}
	r.Attrs(show)
	l.lock.Lock()
	defer l.lock.Unlock()
	line := r.Message + details.String()
	if r.Time.Sub(l.shown[line]) < time.Minute {
		return nil
	}
	l.shown[line] = r.Time
	mark := l.out.green("✓")
	if r.Level >= slog.LevelWarn {
		mark = l.out.red("✗")
	}
	_, err := fmt.Fprintf(l.out, "  %s %s %-10s%s\n", l.out.dim(r.Time.Format("15:04:05")), mark, r.Message, l.out.dim(details.String()))
	return err
}

func (l *lines) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *l
	next.attrs = append(append([]slog.Attr{}, l.attrs...), attrs...)
	return &next
}

func (l *lines) WithGroup(string) slog.Handler { return l }

// brief shortens what is a hash, and nothing else.
func brief(value string) string {
	if len(value) == 66 && strings.HasPrefix(value, "0x") {
		return short(value)
	}
	return value
}
