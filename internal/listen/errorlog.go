package listen

import (
	"context"
	"log"
	"log/slog"
	"strings"
)

// errorLog is for [http.Server.ErrorLog]. What net/http says is mostly about clients
// that sent nonsense, and is for DEBUG. That no connection can be accepted, as there
// are no more descriptors, is a warning for the operator.
func errorLog(l *slog.Logger) *log.Logger {
	return slog.NewLogLogger(raising{l.Handler()}, slog.LevelDebug)
}

// acceptFailed begins the line of net/http, which repeats it once a second.
const acceptFailed = "http: Accept error"

// A raising handler gives lines about failed accepts a higher level.
type raising struct{ slog.Handler }

// Enabled is true, because the level depends on the line.
func (r raising) Enabled(context.Context, slog.Level) bool { return true }

func (r raising) Handle(ctx context.Context, line slog.Record) error {
	if strings.HasPrefix(line.Message, acceptFailed) {
		line.Level = slog.LevelWarn
	}
	if !r.Handler.Enabled(ctx, line.Level) {
		return nil
	}
	return r.Handler.Handle(ctx, line)
}
