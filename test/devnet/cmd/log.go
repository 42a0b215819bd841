package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"hubquote/internal/term"
)

// lines is a slog.Handler for people: the time, the message, and the attributes
// dimmed. It leaves out a line that it printed less than a minute ago, because a
// settler retries until it succeeds; no library does that.
type lines struct {
	out   *term.Terminal
	lock  *sync.Mutex
	shown map[string]time.Time
	attrs []slog.Attr
}

func newLines(out *term.Terminal) *lines {
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
	mark := l.out.Green("✓")
	if r.Level >= slog.LevelWarn {
		mark = l.out.Red("✗")
	}
	l.out.Line("  ", l.out.Dim(r.Time.Format("15:04:05")), " ", mark, " ", term.Pad(r.Message, 10), l.out.Dim(details.String()))
	return nil
}

func (l *lines) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *l
	next.attrs = append(append([]slog.Attr{}, l.attrs...), attrs...)
	return &next
}

func (l *lines) WithGroup(string) slog.Handler { return l }

// brief shortens a hash and leaves every other value as it is.
func brief(value string) string {
	if len(value) == 66 && strings.HasPrefix(value, "0x") {
		return term.Short(value)
	}
	return value
}
